"""A state as a picture: what stands on which cell, and the hero's numbers beside it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mt_gym.engine.board import OPEN
from mt_gym.engine.kinds import BLUE, GREEN, HP, KEYS, RED, RESOURCES, YELLOW
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.drawing import TOOL_NAMES, Cell, HeroMark, Image, Scene, draw_scene
from mt_gym.play.episode import Moment

_TILE_OF_TYPE: Final = {
    "gate": "gate",
    "bars": "bars",
    "crystal": "crystal",
    "shop": "shop",
    "trade": "trader",
    "character": "character",
    "wall": "breakable",
    "goal": "goal",
}
_TILE_OF_CATEGORY: Final = {
    "gem": "gem",
    "potion": "potion",
    "key": "key",
    "key_box": "key_box",
    "sword": "sword",
    "shield": "shield",
    "feather": "feather",
    "gold": "gold",
    "holy_water": "holy_water",
    "compass": "tool",
    "quest": "tool",
    "tool": "tool",
    "token": "treasure",
}
_COLOUR_OF_KEY: Final = {
    YELLOW: "yellow",
    BLUE: "blue",
    RED: "red",
    GREEN: "green",
}
_COLOUR_OF_STAT: Final = {"atk": "red", "def": "blue", "mdef": "green"}
_BIG_POTION: Final = 100
"""HP from which a potion is drawn blue, unless its name says a colour."""


def scene_of(tower: Tower, moment: Moment, floor_number: int | None = None) -> Scene:
    """A floor, by default the one where the hero stands, and his numbers."""
    state = moment.state
    board = tower.board
    hero_floor = board.cell_floor[state.hero.position]
    here = hero_floor if floor_number is None else floor_number
    floor = tower.floors[here]
    offset = board.offsets[here]
    cells = tuple(
        tuple(
            _cell(tower, state, offset + y * floor.width + x)
            for x in range(floor.width)
        )
        for y in range(floor.height)
    )
    marks: tuple[HeroMark, ...] = ()
    if here == hero_floor:
        y, x = divmod(state.hero.position - offset, floor.width)
        marks = (HeroMark(x, y),)
    title = tower.name if len(tower.floors) == 1 else f"{tower.name} {floor.id}"
    if moment.outcome is not None:
        title += f": {moment.outcome.replace('_', ' ')}"
    return Scene(title, cells, marks, _panel(tower, moment))


def picture(tower: Tower, moment: Moment, floor_number: int | None = None) -> Image:
    """`scene_of`, drawn: a fresh (height, width, 3) array."""
    return draw_scene(scene_of(tower, moment, floor_number))


def _panel(tower: Tower, moment: Moment) -> tuple[str, ...]:
    hero = moment.state.hero
    lines = [
        f"TURN {moment.turn}",
        f"HP {hero.hp}",
        f"ATK {hero.atk}",
        f"DEF {hero.defense}",
        f"MDEF {hero.mdef}",
        f"GOLD {hero.gold}",
        f"EXP {hero.exp}",
    ]
    lines += [
        f"{name.upper()} {hero[slot]}"
        for slot, name in zip((YELLOW, BLUE, RED), KEYS, strict=False)
    ]
    board = tower.board
    greens = any(
        slot == GREEN
        for action in board.actions
        for slot, _ in (*action.row.cost, *action.row.gain)
    )
    if greens or hero.green:
        lines.append(f"GREEN {hero.green}")
    return tuple(lines)


def _cell(tower: Tower, state: State, cell: int) -> Cell:
    board, world = tower.board, state.world
    there = [
        index
        for index in board.at.get(cell, ())
        if not (world.gone | world.hidden) >> index & 1
    ]
    if there:
        return _object_cell(tower, state, there[0])
    gone = [i for i in board.at.get(cell, ()) if world.gone >> i & 1]
    stairs = [i for i in gone if board.objects[i].kind.type == "stairs"]
    if stairs:
        return _object_cell(tower, state, stairs[0])
    if board.wall[cell] and not gone:
        return Cell("wall")
    linked = any(cell in pair for pair in _portals(tower))
    return Cell("portal" if linked else "floor")


def _portals(tower: Tower) -> list[tuple[int, int]]:
    board = tower.board
    return [(board.cell(a), board.cell(b)) for a, b in tower.data.portals]


def _object_cell(tower: Tower, state: State, index: int) -> Cell:
    thing = tower.board.objects[index]
    kind = thing.kind
    if kind.type == "monster":
        loss = tower.game.loss(state, index)
        badge = "?" if loss == UNWINNABLE else str(loss)
        boss = thing.goal or kind.boss
        return Cell("boss" if boss else "monster", thing.name, badge=badge)
    if kind.type == "door":
        cost = dict(thing.actions[0].row.cost) if thing.actions else {}
        colours = [_COLOUR_OF_KEY[slot] for slot in _COLOUR_OF_KEY if slot in cost]
        return Cell("door", thing.name, colours[0] if colours else "")
    if kind.type == "stairs":
        up = thing.placement.direction != "down"
        return Cell("stairs_up" if up else "stairs_down", thing.name)
    if kind.type == "item":
        if thing.goal:
            return Cell("goal", thing.name)
        return _item_cell(thing.name, kind.category, dict(thing.actions[0].row.gain))
    tile = _TILE_OF_TYPE[kind.type]
    if tile == "gate" and thing.actions and thing.actions[0].code != OPEN:
        tile = "bars"
    return Cell(tile, thing.name)


def _item_cell(name: str, category: str, gain: dict[int, int]) -> Cell:
    """An item, tinted by what it gives; the badge says how much."""
    tile = _TILE_OF_CATEGORY.get(category) or _tile_of_gain(gain)
    if category == "quest" and not any(word in name.lower() for word in TOOL_NAMES):
        tile = "treasure"  # a lantern is no pickaxe
    tint = badge = ""
    if tile == "key":
        tint = next((c for slot, c in _COLOUR_OF_KEY.items() if slot in gain), "")
    elif tile == "gem":
        for slot, amount in gain.items():
            tint = _COLOUR_OF_STAT.get(RESOURCES[slot], "")
            badge = f"+{amount}"
    elif tile == "potion":
        amount = gain.get(HP, 0)
        badge = f"+{amount}"
        named = [c for c in ("red", "blue", "green", "yellow") if c in name.lower()]
        tint = named[0] if named else "blue" if amount >= _BIG_POTION else "red"
    return Cell(tile, name, tint, badge)


def _tile_of_gain(gain: dict[int, int]) -> str:
    names = [RESOURCES[slot] for slot in gain]
    if any(name in KEYS for name in names):
        return "key"
    if any(name in _COLOUR_OF_STAT for name in names):
        return "gem"
    return "potion" if "hp" in names else "treasure"


class Window:
    """A pygame window that shows pictures.

    Args:
        title: of the window.
        fps: pictures a second at the most.
    """

    def __init__(self, title: str, fps: int) -> None:
        import pygame

        self._pygame: Any = pygame
        pygame.display.init()
        pygame.display.set_caption(title)
        self._screen: Any = None
        self._clock = pygame.time.Clock()
        self._fps = fps

    def show(self, image: Image) -> None:
        """Show a picture and answer the window's events."""
        pygame = self._pygame
        size = (image.shape[1], image.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            self._screen = pygame.display.set_mode(size)
        surface = pygame.surfarray.make_surface(np.swapaxes(image, 0, 1))
        self._screen.blit(surface, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
