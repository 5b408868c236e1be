"""Words that the lines of a tower share: places, ways, verdicts, events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mt_gym.analysis.tower.events import Access, EventFacts
from mt_gym.analysis.tower.in_order import Verdict
from mt_gym.analysis.tower.scripts import Event, scripts
from mt_gym.analysis.tower.way import (
    Obstacle,
    Way,
)
from mt_gym.analysis.tower.way_up import StepTable
from mt_gym.engine.actions import (
    CLEAR,
    REMOVE,
    REVEAL,
    SCALE,
    SET,
    STRENGTHEN,
    WON,
    CompiledRow,
)
from mt_gym.engine.kinds import KEYS, RESOURCES, Ratio
from mt_gym.engine.state import bits
from mt_gym.engine.tower import Tower
from mt_gym.observation import words
from mt_gym.observation.view import View


def here(view: View, thing: int) -> str:
    """An object inside its floor: `Rock Man@(4,5)`, `yellow door (4,3)`."""
    label, kind = view.labels[thing], view.objects[thing].kind.type
    if kind in ("door", "gate", "bars", "wall"):
        return f"{label.lower} {label.at}"
    return f"{label.name}@{label.at}"


def far(view: View, thing: int) -> str:
    """An object with its floor: `Rock Man@MT6(4,5)`."""
    label = view.labels[thing]
    return f"{label.name}@{label.far}"


def floor_id(view: View, floor: int) -> str:
    """The name of a floor."""
    return view.tower.board.floor_ids[floor]


def fight_cost(view: View, thing: int, cost: int | None) -> str:
    """What a fight on a way costs: `1950 LETHAL`, `UNWINNABLE (ATK≥66)`."""
    if cost is not None:
        return f"{cost} LETHAL" if cost >= view.state.hero.hp else f"{cost}"
    monster = view.objects[thing].monster
    if view.objects[thing].kind.abilities.mimic:
        return "UNWINNABLE"
    needed = view.tower.game.stats(monster, view.state.world).defense + 1
    return f"UNWINNABLE (ATK≥{needed})"


def obstacle(view: View, one: Obstacle, every: int = 0) -> str:
    """One obstacle of a way with its cost."""
    text = here(view, one.thing)
    if one.type == "fight":
        text += f" {fight_cost(view, one.thing, one.cost)}"
        return f"{text} [every route]" if every >> one.thing & 1 else text
    if one.type == "script":
        who = opener(view, one.thing)
        if who == GUARDS:
            return f"{text} until {who} fall"
        return f"{text} until {who} opens it" if who else f"{text} until it opens"
    return f"{text} steps aside" if one.type == "character" else text


def way(view: View, found: Way | None, every: int = 0) -> str:
    """All obstacles of a way with their costs; `open` if there is none."""
    if found is None:
        return "no way"
    parts = [obstacle(view, one, every) for one in found.obstacles]
    return ", ".join(parts) or "open"


GUARDS: Final = "its guards"


def opener(view: View, thing: int) -> str:
    """Who or what takes away an obstacle that nothing else removes, if anything."""
    events = scripts(view.tower).opens.get(thing, ())
    for event in events:
        if event.holder < 0 and event.row.gone:
            return GUARDS
        if event.holder >= 0:
            floor = view.objects[event.holder].floor
            if view.state.world.visited >> floor & 1:
                return far(view, event.holder)
    return "an event not seen yet" if events else ""


def verdict(view: View, found: Verdict, where: str = "") -> str:
    """How far a way can be passed in its order."""
    if found.passable:
        text = f"passable, {found.hp} HP left{where}"
        gains = (("ATK", found.bought_atk), ("DEF", found.bought_def))
        bought = " ".join(f"{name} +{points}" for name, points in gains if points)
        return f"{text}, after buying {bought}" if bought else text
    text = f"stops at {here(view, found.stop)}: "
    if found.why == "cost":
        return f"{text}costs {found.cost}, {found.hp} HP left"
    if found.why == "unwinnable":
        return f"{text}unwinnable even at ATK {found.atk}"
    if found.why == "key":
        return f"{text}no {found.colour} key"
    who = opener(view, found.stop)
    if who == GUARDS:
        return f"{text}needs {who} to fall"
    return f"{text}needs {who or 'its condition'}"


def percent(share: Ratio) -> int:
    """A share in whole percent, rounded down."""
    return 100 * share[0] // share[1]


def step_costs(view: View, costs: Sequence[int | None]) -> str:
    """A fight's cost after each step: `1050/700/600`."""
    return "/".join("unwinnable" if cost is None else f"{cost}" for cost in costs)


def step_points(table: StepTable) -> str:
    """The gains of a step table: `+9/+18/+23`."""
    return "/".join(f"+{points}" for points in table.steps.points)


def colours(counts: Iterable[int], noun: str) -> str:
    """`1 yellow door, 2 blue doors` without the colours of which there are none."""
    parts = [
        words.counted(count, f"{colour} {noun}")
        for colour, count in zip(KEYS, counts, strict=True)
        if count
    ]
    return ", ".join(parts)


def effects(tower: Tower, row: CompiledRow, given: bool = True) -> list[str]:
    """What a row gives (unless not `given`) and does, without the places."""
    board = tower.board
    parts = []
    if row.gain and given:
        parts.append(f"gives {words.offer(row.gain)}")
    cleared: dict[str, None] = {}
    strengthened: list[str] = []
    scaled: dict[str, list[str]] = {}
    shown: dict[str, None] = {}
    taken = []
    carried = {kind.name for kind in tower.data.kinds if kind.carried}
    for code, a, b, c in row.effects:
        if code == REMOVE:
            floors = (board.objects[index].floor for index in bits(a))
            cleared |= dict.fromkeys(board.floor_ids[floor] for floor in floors)
        elif code == REVEAL:
            shown |= dict.fromkeys(_revealed(tower, index) for index in bits(a))
        elif code == STRENGTHEN:
            strengthened.append(board.epoch_names[a])
        elif code == SCALE:
            share = f"×{b}" if c == 1 else f"×{b}/{c}"
            scaled.setdefault(share, []).append(words.NAMES[RESOURCES[a]])
        elif code == CLEAR:
            names = [board.flag_names[bit] for bit in bits(a)]
            taken += [name for name in names if name in carried]
        elif code == SET and a == WON:
            shown["wins the game"] = None
    if cleared:
        parts.append(f"clears the way on {', '.join(cleared)}")
    parts += shown
    if strengthened:
        names_text = ", ".join(strengthened)
        parts.append(f"strengthens {names_text} for the rest of the game")
    parts += [f"{', '.join(names)} {share}" for share, names in scaled.items()]
    parts += [f"takes {name}" for name in taken]
    if row.cost:
        parts.append(f"asks {words.price(row.cost)}")
    return parts


def _revealed(tower: Tower, thing: int) -> str:
    board = tower.board
    own = board.objects[thing]
    floor = board.floor_ids[own.floor]
    if own.kind.type == "stairs":
        there = board.floor_ids[board.cell_floor[own.landing]]
        return f"opens the stairs {floor} to {there}"
    if own.kind.type == "shop":
        return f"opens the shop {floor}"
    return f"reveals {own.name} on {floor}"


def condition(view: View, found: EventFacts) -> str:
    """What an event asks for: `with the Ice Pickaxe: `; empty if nothing."""
    parts = [f"with the {name}" for name in found.flags]
    parts += [
        f"with {words.counted(n, words.NAMES[RESOURCES[slot]])} in hand"
        for slot, n in found.needs
    ]
    row = found.event.row
    if row.gone:
        total = row.gone.bit_count()
        some = f"{row.count} of " if row.count < total else ""
        verb = "is" if row.count == 1 else "are"
        parts.append(f"once {some}{words.counted(total, 'guard')} {verb} gone")
    return " and ".join(parts) + ": " if parts else ""


def deeds(tower: Tower, event: Event) -> str:
    """What an event does, as the parts of one sentence."""
    parts = effects(tower, event.row)
    if not parts:
        parts = [event.row.source.text or "steps aside"]
    return ", ".join(parts)


def approach(view: View, found: Access) -> str:
    """The way to something: `way: Red Bat@(2,7) 410, gate (2,8)`."""
    if found.reachable:
        return "reachable now"
    if found.thing < 0:
        return "not seen yet"
    text = way(view, found.way)
    if text == "open":
        return "reachable now"
    text = f"way: {text}" if found.way is not None else text
    if found.missing:
        needs = " and ".join(f"{n} {colour} key(s)" for colour, n, _ in found.missing)
        have = " and ".join(f"{held}" for _, _, held in found.missing)
        text += f" — needs {needs}, you have {have}"
    return text
