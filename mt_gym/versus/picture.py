"""Games as pictures: two heroes on one floor, or one picture a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mt_gym.engine.state import Hero
from mt_gym.engine.tower import Tower
from mt_gym.envs.drawing import HeroMark, Image, Scene, draw_scene
from mt_gym.envs.scene import scene_of
from mt_gym.play.episode import Moment
from mt_gym.versus.rules import Duel, name
from mt_gym.versus.view import place_of

COLOURS: Final = ("red", "blue")
"""Tunics of the two heroes of a duel."""

_PANEL: Final = ("HP", "ATK", "DEF", "MDEF", "GOLD", "EXP")
_KEYS: Final = ("yellow", "blue", "red", "green")
_PER_ROW: Final = 4
_GAP: Final = 8


def duel_picture(tower: Tower, duel: Duel) -> Image:
    """Both heroes on their floor; on a map of several floors, the floor of each."""
    seats = (0, 1) if len(tower.floors) > 1 else (0,)
    return tiled([draw_scene(_duel_scene(tower, duel, seat)) for seat in seats])


def _duel_scene(tower: Tower, duel: Duel, seat: int) -> Scene:
    """The floor of a player's hero; badges tell what fights cost the mover."""
    board = tower.board
    floor = board.cell_floor[duel.sides[seat].hero.position]
    moment = Moment(duel.state(duel.mover), 0, None, frozenset())
    scene = scene_of(tower, moment, floor)
    marks = []
    for player, side in enumerate(duel.sides):
        if board.cell_floor[side.hero.position] == floor:
            _, (x, y) = place_of(tower, side.hero)
            marks.append(HeroMark(x, y, COLOURS[player]))
    title = tower.name
    if len(tower.floors) > 1:
        title += f" {tower.floors[floor].id}"
    if duel.result is None:
        title += f": {name(duel.mover)}"
    elif duel.result.winner is None:
        title += ": draw"
    else:
        title += f": {name(duel.result.winner)} won"
    panel: list[str] = []
    for player, side in enumerate(duel.sides):
        panel += [f"{COLOURS[player]} {name(player)}", *_numbers(side.hero), ""]
    return replace(scene, title=title, heroes=tuple(marks), panel=tuple(panel[:-1]))


def _numbers(hero: Hero) -> list[str]:
    """A hero's numbers, two a line after the first."""
    values = [f"{word} {hero[slot]}" for slot, word in enumerate(_PANEL)]
    keys = "KEYS " + " ".join(
        f"{key[0].upper()}{getattr(hero, key)}" for key in _KEYS[:3]
    )
    return [values[0], f"{values[1]} {values[2]}", f"{values[3]} {values[4]}", keys]


def tiled(pictures: Sequence[Image]) -> Image:
    """Pictures side by side, at most four in a row, with a gap between them."""
    height = max(picture.shape[0] for picture in pictures)
    width = max(picture.shape[1] for picture in pictures)
    columns = min(len(pictures), _PER_ROW)
    rows = -(-len(pictures) // _PER_ROW)
    shape = (rows * (height + _GAP) - _GAP, columns * (width + _GAP) - _GAP, 3)
    sheet: Image = np.zeros(shape, np.uint8)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, _PER_ROW)
        top, left = row * (height + _GAP), column * (width + _GAP)
        sheet[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return sheet
