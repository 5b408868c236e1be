"""A state of the game as coloured letters with a legend, for a terminal.

The letters are those of the map file, so that file and picture read alike; without
colours the legend says the rest.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mt_gym.cli.words import LONG_NAMES, cost_words, gain_words, hero_words
from mt_gym.engine.board import FIGHT, Action, MapObject
from mt_gym.engine.kinds import Floor, Row
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

HERO: Final = ("@", "bold black on bright_white")
WALL: Final = ("█", "bright_black")
PORTAL: Final = ("o", "bold bright_magenta")
GROUND: Final = ("·", "bright_black")

COLOURS: Final = {
    "yellow": "bright_yellow",
    "blue": "bright_blue",
    "red": "bright_red",
    "green": "bright_green",
    "black": "grey62",
    "white": "bright_white",
}
"""Words in an object's name that give its colour."""

TYPE_STYLES: Final = {
    "monster": "bold magenta",
    "door": "reverse",
    "gate": "reverse",
    "bars": "reverse",
    "shop": "black on cyan",
    "trade": "black on cyan",
    "character": "black on cyan",
    "stairs": "bold cyan",
    "wall": "bright_black reverse",
    "goal": "bold black on bright_green",
    "crystal": "bright_white",
    "item": "bright_cyan",
}
"""How objects of a type look besides the colour of their name."""


def floor_picture(tower: Tower, state: State, floor: int) -> RenderableType:
    """A floor with the hero, beside the legend of what is left on it."""
    grid = Table.grid(padding=(0, 3))
    grid.add_row(_cells(tower, state, floor), _legend(tower, state, floor))
    return Group(
        Text(_title(tower.floors[floor], state, tower), style="bold"),
        Text(hero_words(state.hero)),
        Text(""),
        grid,
    )


def _title(floor: Floor, state: State, tower: Tower) -> str:
    names = [tower.data.title or tower.name]
    if len(tower.floors) > 1:
        names.append(floor.title or floor.id)
    return ", ".join(names)


def visible(tower: Tower, state: State, floor: int) -> list[MapObject]:
    """The objects that are there on a floor, in reading order."""
    away = state.world.gone | state.world.hidden
    return [
        thing
        for thing in tower.board.objects
        if thing.floor == floor and not away >> thing.index & 1
    ]


def letter_of(tower: Tower, thing: MapObject) -> str:
    """The letter of the map's legend, or else the first of the object's name."""
    for floor in tower.floors:
        for letter, placement in floor.legend:
            if placement == thing.placement:
                return letter
    for floor in tower.floors:
        for letter, placement in floor.legend:
            if placement.kind == thing.name:
                return letter
    return thing.name[0]


def style_of(thing: MapObject) -> str:
    """How an object is drawn: the look of its type in the colour of its name."""
    look = TYPE_STYLES[thing.kind.type]
    if thing.goal and thing.monster >= 0:
        return "bold bright_white on red"
    words = thing.name.lower().split()
    colour = next((COLOURS[word] for word in words if word in COLOURS), "")
    if not colour:
        return look
    return f"{look.replace('magenta', '').replace('bright_cyan', '')} {colour}".strip()


def _cells(tower: Tower, state: State, floor: int) -> Text:
    board = tower.board
    drawn = {board.cell(spot): PORTAL for pair in tower.data.portals for spot in pair}
    for thing in reversed(visible(tower, state, floor)):
        drawn[thing.cell] = (letter_of(tower, thing), style_of(thing))
    picture = Text()
    plan = tower.floors[floor]
    width = plan.width
    # Column numbers, tens only where they are needed.
    if width > 10:
        tens = "".join(f"{x // 10 or ' '} " for x in range(width))
        picture.append(f"   {tens}\n", "bright_black")
    picture.append("   " + "".join(f"{x % 10} " for x in range(width)), "bright_black")
    for y in range(plan.height):
        picture.append(f"\n{y:>2} ", "bright_black")
        for x in range(width):
            cell = board.offsets[floor] + y * width + x
            if cell == state.hero.position:
                letter, style = HERO
            elif cell in drawn:
                letter, style = drawn[cell]
            else:
                open_cell = board.is_open(cell, state.world.gone, state.world.hidden)
                letter, style = GROUND if open_cell else WALL
            picture.append(letter, style)
            picture.append("█" if letter == WALL[0] else " ", "bright_black")
    return picture


def _legend(tower: Tower, state: State, floor: int) -> Table:
    table = Table.grid(padding=(0, 2))
    things = visible(tower, state, floor)
    count = Counter(thing.name for thing in things)
    first = {thing.name: thing for thing in reversed(things)}
    order = sorted(first.values(), key=_rank)
    if tower.board.cell_floor[state.hero.position] == floor:
        table.add_row(Text(*HERO), Text("the hero"), "", "")
    for thing in order:
        times = f"×{count[thing.name]}" if count[thing.name] > 1 else ""
        table.add_row(
            Text(letter_of(tower, thing), style_of(thing)),
            Text(thing.name),
            Text(times),
            Text(about(tower, state, thing)),
        )
    for ends in tower.data.portals:
        for here, there in (ends, ends[::-1]):
            if here.floor == tower.floors[floor].id:
                words = f"at {here.x},{here.y}, leads to {there}"
                table.add_row(Text(*PORTAL), Text("Portal"), "", Text(words))
    return table


def _rank(thing: MapObject) -> tuple[int, str]:
    order = list(TYPE_STYLES)
    return (order.index(thing.kind.type), thing.name)


def about(tower: Tower, state: State, thing: MapObject) -> str:
    """What a legend says of an object: a monster's numbers, what is given or asked."""
    if thing.monster >= 0:
        stats = tower.game.stats(thing.monster, state.world)
        loss = tower.game.loss(state, thing.index)
        if loss == UNWINNABLE:
            cost = "cannot be beaten yet"
        elif loss >= state.hero.hp:
            cost = f"costs {loss}: deadly"
        else:
            cost = f"costs {loss}"
        return f"HP {stats.hp}  ATK {stats.atk}  DEF {stats.defense}  {cost}"
    if not thing.actions:
        return ""
    offers = [_offer(tower, state, action) for action in thing.actions[:3]]
    more = len(thing.actions) - len(offers)
    return "; ".join(text for text in offers if text) + (f" (+{more})" if more else "")


def _offer(tower: Tower, state: State, action: Action) -> str:
    """What an action takes and gives, then what the map says of it."""
    assert action.code != FIGHT
    source: Row = action.row.source
    names = tower.board.resource_names
    cost = [
        cost_words(names[resource], amount)
        for resource, amount in tower.game.cost(state, action.row)
    ]
    gain = [gain_words(name, amount) for name, amount in source.gain]
    for effect in source.effects:
        if effect.op == "scale":
            num, den = effect.ratio
            ratio = str(num) if den == 1 else f"{num}/{den}"
            gain.append(f"{LONG_NAMES[effect.name]} ×{ratio}")
    price = f"takes {', '.join(cost)}" if cost else ""
    if source.growth:
        price += f" (+{source.growth} each time)"
    facts = ": ".join(part for part in (price, ", ".join(gain)) if part)
    return " – ".join(part for part in (facts, source.text) if part)
