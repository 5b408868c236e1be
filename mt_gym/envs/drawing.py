"""Draw a floor as an RGB picture: a title bar, the grid, and a panel of text.

This module knows nothing of the game. Whoever renders a state says in a :class:`Scene`
what stands where, and :func:`draw_scene` paints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from mt_gym.envs.monsters import paint_monster, ramp_of
from mt_gym.envs.tiles import (
    ART_SIZE,
    GLYPH_HEIGHT,
    GLYPH_WIDTH,
    RAMPS,
    Colour,
    paint,
    text_mask,
)

Image = NDArray[np.uint8]

TILE_SIZE = 2 * ART_SIZE
TITLE_HEIGHT = 28
PANEL_CHARS = 14
PANEL_MARGIN = 10
LINE_HEIGHT = 20
BADGE_CHARS = 5

# The ramp each tile takes when a cell gives no tint.
_TILES: dict[str, str] = {
    "floor": "grey",
    "wall": "grey",
    "breakable": "grey",
    "monster": "grey",
    "boss": "red",
    "door": "yellow",
    "gate": "grey",
    "bars": "grey",
    "key": "yellow",
    "key_box": "brown",
    "gem": "red",
    "potion": "red",
    "sword": "grey",
    "shield": "blue",
    "holy_water": "cyan",
    "feather": "cyan",
    "gold": "brown",
    "treasure": "gold",
    "shop": "red",
    "trader": "green",
    "character": "brown",
    "stairs_up": "green",
    "stairs_down": "red",
    "goal": "gold",
    "crystal": "cyan",
    "tool": "cyan",
    "portal": "purple",
}
TILE_NAMES: tuple[str, ...] = tuple(_TILES)
TINTS: tuple[str, ...] = ("yellow", "blue", "red", "green", "white")

_PEOPLE = ("fairy", "thief", "princess")
_TOOLS = ("cross", "compass")
TOOL_NAMES = (*_TOOLS, "pickaxe")
"""Words in a name that the tile `tool` shows; without one it is a pickaxe."""

_BACKGROUND: Colour = (30, 28, 44)
_BAR: Colour = (52, 46, 74)
_INK: Colour = (244, 238, 222)
_PANEL_INKS: dict[str, Colour] = {
    "hp": (255, 138, 128),
    "atk": (255, 184, 108),
    "def": (136, 186, 255),
    "mdef": (150, 232, 150),
    "gold": (255, 214, 80),
    "exp": (210, 170, 255),
    "yellow": RAMPS["yellow"][1],
    "blue": RAMPS["blue"][0],
    "red": RAMPS["red"][0],
    "green": RAMPS["green"][0],
}


@dataclass(frozen=True)
class Cell:
    """One cell of the grid.

    Attributes:
        tile: One of :data:`TILE_NAMES`.
        label: The monster's or character's name; it decides the looks.
        tint: One of :data:`TINTS`, or "" for the tile's usual colour.
        badge: Text at the lower edge; past five characters it is cut with a ``~``.
    """

    tile: str
    label: str = ""
    tint: str = ""
    badge: str = ""


@dataclass(frozen=True)
class HeroMark:
    """A hero in column ``x`` and row ``y``, with a tunic of one of :data:`TINTS`."""

    x: int
    y: int
    colour: str = "red"


@dataclass(frozen=True)
class Scene:
    """Everything in a picture; ``cells`` are rows from the top.

    A panel line of up to 14 characters is drawn large, one of up to 28 small.
    """

    title: str
    cells: tuple[tuple[Cell, ...], ...]
    heroes: tuple[HeroMark, ...] = ()
    panel: tuple[str, ...] = ()


def draw_scene(scene: Scene) -> Image:
    """Draw a scene as a fresh (height, width, 3) array.

    The size depends only on the shape of the grid and the number of panel lines, so the
    frames of one floor make a film.

    Raises:
        ValueError: An unknown tile, tint or hero colour, rows of unequal length or
            none at all, or a hero outside the grid.
    """
    rows = len(scene.cells)
    columns = len(scene.cells[0]) if rows else 0
    if not columns or any(len(row) != columns for row in scene.cells):
        raise ValueError("cells must be rows of one equal length, at least one cell")
    grid_width = columns * TILE_SIZE
    panel_width = _text_width(PANEL_CHARS, 2) + 2 * PANEL_MARGIN if scene.panel else 0
    panel_height = len(scene.panel) * LINE_HEIGHT + PANEL_MARGIN
    height = TITLE_HEIGHT + max(rows * TILE_SIZE, panel_height if scene.panel else 0)
    picture: Image = np.empty((height, grid_width + panel_width, 3), dtype=np.uint8)
    picture[:] = _BACKGROUND
    picture[:TITLE_HEIGHT] = _BAR
    _write(picture, scene.title, 8, 7, picture.shape[1] - 16, _INK)
    grid = picture[TITLE_HEIGHT:, :grid_width]
    for y, row in enumerate(scene.cells):
        for x, cell in enumerate(row):
            _at(grid, x, y)[:] = _cell_picture(cell)
    _draw_heroes(grid, scene.heroes, rows, columns)
    for number, line in enumerate(scene.panel):
        words = line.lower().replace(":", " ").split()
        ink = _PANEL_INKS.get(words[0], _INK) if words else _INK
        top = TITLE_HEIGHT + PANEL_MARGIN + number * LINE_HEIGHT
        room = _text_width(PANEL_CHARS, 2)
        _write(picture, line, grid_width + PANEL_MARGIN, top, room, ink)
    return picture


def _at(grid: Image, x: int, y: int) -> Image:
    """Return the part of the grid under a cell, to draw on."""
    top, left = y * TILE_SIZE, x * TILE_SIZE
    return grid[top : top + TILE_SIZE, left : left + TILE_SIZE]


def _draw_heroes(
    grid: Image, heroes: tuple[HeroMark, ...], rows: int, columns: int
) -> None:
    """Draw the heroes; those who share a cell stand side by side."""
    for number, hero in enumerate(heroes):
        if not (0 <= hero.x < columns and 0 <= hero.y < rows):
            raise ValueError(
                f"hero at ({hero.x}, {hero.y}) is outside the {columns} x {rows} grid"
            )
        here = [i for i, o in enumerate(heroes) if (o.x, o.y) == (hero.x, hero.y)]
        aside = 0 if len(here) == 1 else -4 if number == here[0] else 4
        figure = _hero_picture(_checked("hero colour", hero.colour, TINTS), aside)
        shape = figure.any(axis=2)
        _at(grid, hero.x, hero.y)[shape] = figure[shape]


def _checked(what: str, name: str, allowed: tuple[str, ...]) -> str:
    if name not in allowed:
        raise ValueError(f"unknown {what} {name!r}; allowed: {', '.join(allowed)}")
    return name


def _doubled(art: Image) -> Image:
    return art.repeat(2, axis=0).repeat(2, axis=1)


@lru_cache(maxsize=4096)
def _cell_picture(cell: Cell) -> Image:
    tile = _checked("tile", cell.tile, TILE_NAMES)
    name = _checked("tint", cell.tint, TINTS) if cell.tint else _TILES[tile]
    art: Image = np.zeros((ART_SIZE, ART_SIZE, 3), dtype=np.uint8)
    paint(art, "floor")
    label = cell.label.lower()
    if tile in ("monster", "boss"):
        paint_monster(art, label, boss=tile == "boss")
    elif tile == "character" and label:
        figure = next((who for who in _PEOPLE if who in label), tile)
        paint(art, figure, ramp_of(label))
    elif tile == "tool":
        paint(art, next((what for what in _TOOLS if what in label), tile), RAMPS[name])
    else:
        paint(art, tile, RAMPS[name])
    picture = _doubled(art)
    if cell.badge:
        badge = _cut(cell.badge, BADGE_CHARS)
        left = (TILE_SIZE - _text_width(len(badge), 1)) // 2
        _stamp(picture, text_mask(badge, 1), left, TILE_SIZE - 1 - GLYPH_HEIGHT, _INK)
    picture.flags.writeable = False
    return picture


@cache
def _hero_picture(colour: str, aside: int) -> Image:
    """Return the hero with a light outline; pure black means transparent."""
    art: Image = np.zeros((ART_SIZE, ART_SIZE, 3), dtype=np.uint8)
    paint(art, "hero", RAMPS[colour], shift=(aside, 0))
    figure = _doubled(art)
    body: NDArray[np.bool_] = np.asarray(figure.any(axis=2))
    figure[_grown(body) & ~body] = _INK
    return figure


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask one pixel wider on every side, cut at its edges."""
    wide = np.pad(mask, 1)
    height, width = mask.shape
    grown = np.zeros_like(mask)
    for down in range(3):
        for right in range(3):
            grown |= wide[down : down + height, right : right + width]
    return grown


def _text_width(chars: int, scale: int) -> int:
    return chars * (GLYPH_WIDTH + 1) * scale


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1] + "~"


def _stamp(
    picture: Image, mask: NDArray[np.bool_], left: int, top: int, ink: Colour
) -> None:
    """Draw a mask on a picture with a dark outline."""
    full = np.zeros(picture.shape[:2], dtype=np.bool_)
    full[top : top + mask.shape[0], left : left + mask.shape[1]] = mask
    picture[_grown(full)] = _BACKGROUND
    picture[full] = ink


def _write(
    picture: Image, text: str, left: int, top: int, room: int, ink: Colour
) -> None:
    """Write a line: large if it fits the room, else small, and cut if it must be."""
    scale = 2 if _text_width(len(text), 2) <= room else 1
    mask = text_mask(_cut(text, room // _text_width(1, scale)), scale)
    drop = 0 if scale == 2 else GLYPH_HEIGHT // 2
    spot = picture[top + drop :, left:][: mask.shape[0], : mask.shape[1]]
    spot[mask] = ink
