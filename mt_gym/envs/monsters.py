"""How monsters look: body, colours and marks, all by their names."""

from __future__ import annotations

import colorsys
import re
import zlib

import numpy as np
from numpy.typing import NDArray

from mt_gym.envs.tiles import RAMPS, Colour, Ramp, paint

Image = NDArray[np.uint8]

# The first pattern found in a monster's name gives its body.
_BODIES: tuple[tuple[str, str], ...] = (
    (r"slime|jelly|ooze", "slime"),
    (r"(small|little|baby) bat\b", "bat"),
    (r"\bbats?\b|vampire", "big_bat"),
    (r"skelet|skull|\bbone", "skeleton"),
    (r"mage\b|mages\b|wizard|witch|sorcer|priest|\bmagician|warlock", "mage"),
    (r"\brock|stone|golem", "rock"),
    (r"beast|wolf|\borc|\bogre", "beast"),
    (r"demon|devil|dragon|boss", "demon"),
    (r"guard|knight|captain|warrior|sword|soldier|fighter", "knight"),
    (r"\bking|lord|queen|emperor", "demon"),
)
# Every pattern found in the name adds its mark.
_MARKS: tuple[tuple[str, str], ...] = (
    (r"\bking|lord|queen|emperor|boss", "crown"),
    (r"captain|chief|general|commander|senior", "plume"),
    (r"captain|warrior|soldier|sword|fighter|knight", "blade"),
    (r"two|dual|double", "second blade"),
    (r"guard|sentinel|knight", "guard"),
    (r"mage\b|wizard|witch|sorcer|priest|magician|warlock", "staff"),
)
_RANKS: dict[str, int] = {"junior": 1, "middle": 2, "senior": 3}
_COLOUR_WORDS: dict[str, str] = {
    **{name: name for name in RAMPS},
    "gray": "grey",
    "golden": "gold",
    "silver": "white",
    "violet": "purple",
    "dark": "shadow",
    "ghost": "spirit",
    "rock": "grey",
    "stone": "grey",
    "ice": "cyan",
    "fire": "orange",
}
_ACCENTS = ("yellow", "red", "cyan", "pink", "orange", "white", "green")
# Rows from the top of the picture to the top of the head, for crowns and plumes.
_HEADS: dict[str, int] = {
    "slime": 3,
    "bat": 3,
    "big_bat": 1,
    "demon": 1,
    "skeleton": -1,
}


def ramp_of(name: str) -> Ramp:
    """The colour that a name tells, or else one that its checksum gives."""
    for word in re.findall(r"[a-z]+", name):
        if word in _COLOUR_WORDS:
            return RAMPS[_COLOUR_WORDS[word]]
    code = zlib.crc32(name.encode())
    hue, depth = code % 24 / 24, 0.45 + code // 24 % 4 * 0.12

    def shade(saturation: float, value: float) -> Colour:
        red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
        return round(red * 255), round(green * 255), round(blue * 255)

    return shade(depth * 0.6, 0.98), shade(depth, 0.8), shade(depth, 0.48)


def paint_monster(art: Image, name: str, boss: bool) -> None:
    """Paint a monster by its name, in small letters; a boss has a crown."""
    if boss:
        art[:] = (art * np.array((0.80, 0.50, 0.45))).astype(np.uint8)
        name = name or "boss"
    ramp = ramp_of(name)
    accent = RAMPS[_ACCENTS[zlib.crc32(name.encode()) // 96 % len(_ACCENTS)]][1]
    body = next((b for words, b in _BODIES if re.search(words, name)), "ghost")
    marks = {mark for words, mark in _MARKS if re.search(words, name)}
    if boss:
        marks.add("crown")
    paint(art, body, ramp, accent)
    for mark in ("guard", "staff", "blade"):
        if mark in marks:
            paint(art, mark, ramp, accent)
    if "second blade" in marks:
        paint(art, "blade", shift=(-10, 0))
    for mark in ("plume", "crown"):
        if mark in marks:
            paint(art, mark, shift=(0, _HEADS.get(body, 0) - 1))
    rank = max((step for word, step in _RANKS.items() if word in name), default=0)
    for number in range(rank):
        paint(art, "pip", shift=(0, 3 * number))
