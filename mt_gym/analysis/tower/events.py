"""Scripted events that are still to come, and the ways to what they need."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.tower.cells import (
    floors_in_reach,
)
from mt_gym.analysis.tower.scripts import Event, is_to_come, scripts
from mt_gym.analysis.tower.way import (
    Way,
    door_colours,
    way_to,
)
from mt_gym.engine.actions import REMOVE
from mt_gym.engine.kinds import KEYS, RESOURCES
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower


@dataclass(frozen=True, slots=True)
class Access:
    """How to get to an object.

    Attributes:
        thing: the object; -1 for something that has not been seen.
        name: of what is needed, where it is not an object that has been seen.
        reachable: whether the hero can act on it now.
        way: the way to it; None if there is none, or it is not seen.
        missing: triples (colour, keys needed on the way, keys held) where the keys
            in hand are not enough.
    """

    thing: int
    name: str
    reachable: bool
    way: Way | None
    missing: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class EventFacts:
    """An event that is still to come.

    Attributes:
        event: its row.
        access: how to get to its holder; None for a trigger.
        flags: names of the carried things that its condition asks for.
        needs: pairs (resource, least amount) that are asked for.
        wants: ways to carried things that are missing, and to what must be gone.
    """

    event: Event
    access: Access | None
    flags: tuple[str, ...]
    needs: tuple[tuple[int, int], ...]
    wants: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """Bars that open when enough guards are gone.

    Attributes:
        floor: number of its floor.
        inside: items that nothing but the bars keep from the hero.
        guards: objects of the guards that are left; total: of all there were.
        needed: how many must still fall.
        doors: closed doors on the ways to them, in reading order.
        keys: keys that these doors take, in the order of `kinds.KEYS`.
    """

    floor: int
    inside: tuple[int, ...]
    guards: tuple[int, ...]
    total: int
    needed: int
    doors: tuple[int, ...]
    keys: tuple[int, ...]


def access(tower: Tower, state: State, thing: int) -> Access:
    """How to get to an object of a visited floor."""
    if tower.game.candidates(state) >> thing & 1:
        return Access(thing, "", True, None)
    way = way_to(tower, state, thing)
    if way is None:
        return Access(thing, "", False, None)
    hero = state.hero
    missing = []
    for colour, count in zip(KEYS, door_colours(tower, way.doors), strict=True):
        held = hero[RESOURCES.index(colour)]
        if count > held:
            missing.append((colour, count, held))
    return Access(thing, "", False, way, tuple(missing))


def _seen_access(tower: Tower, state: State, things: tuple[int, ...]) -> list[Access]:
    """Accesses to objects that are there on visited floors; a nameless one if none."""
    board, world = tower.board, state.world
    away, floors = world.gone | world.hidden, floors_in_reach(tower, state)
    found = [
        access(tower, state, thing)
        for thing in things
        if not away >> thing & 1 and floors >> board.objects[thing].floor & 1
    ]
    return found


def events(tower: Tower, state: State) -> tuple[EventFacts, ...]:
    """Events of objects on visited floors, by floor, then reading order."""
    board, floors = tower.board, floors_in_reach(tower, state)
    return tuple(
        event_facts(tower, state, event)
        for event in scripts(tower).events
        if is_to_come(state, event) and floors >> board.objects[event.holder].floor & 1
    )


def event_facts(tower: Tower, state: State, event: Event) -> EventFacts:
    """What an event needs in a state."""
    board, world, row = tower.board, state.world, event.row
    flags, wants = [], []
    known = scripts(tower)
    for bit in bits(row.flags):
        carriers = known.carriers.get(bit, ())
        setters = known.setters.get(bit, ())
        if carriers:
            flags.append(board.flag_names[bit])
        if world.flags >> bit & 1:
            continue
        seen = _seen_access(tower, state, carriers or _holders(setters))
        name = board.flag_names[bit] if carriers else ""
        wants += seen or [Access(-1, name, False, None)]
    if (row.gone & world.gone).bit_count() < row.count:
        guards = tuple(bits(row.gone & ~world.gone))
        wants += _seen_access(tower, state, guards) or [Access(-1, "", False, None)]
    own = access(tower, state, event.holder) if event.holder >= 0 else None
    return EventFacts(event, own, tuple(flags), row.needs, tuple(wants))


def _holders(setters: tuple[Event, ...]) -> tuple[int, ...]:
    return tuple(event.holder for event in setters if event.holder >= 0)


def seals(tower: Tower, state: State) -> tuple[Seal, ...]:
    """The closed seals of the visited floors, by floor."""
    board, world = tower.board, state.world
    floors = floors_in_reach(tower, state)
    found = []
    for event in scripts(tower).triggers:
        bars = 0
        for code, mask, _, _ in event.row.effects:
            if code == REMOVE:
                bars |= mask & ~world.gone
        if not (event.row.gone and bars and is_to_come(state, event)):
            continue
        floor = board.objects[bits(bars)[0]].floor
        if floors >> floor & 1:
            found.append(_seal(tower, state, event, bars, floor))
    return tuple(sorted(found, key=lambda seal: seal.floor))


def _seal(tower: Tower, state: State, event: Event, bars: int, floor: int) -> Seal:
    board, world = tower.board, state.world
    left = event.row.gone & ~world.gone
    floors = floors_in_reach(tower, state)
    doors: dict[int, None] = {}
    seen = [guard for guard in bits(left) if floors >> board.objects[guard].floor & 1]
    for guard in seen:
        way = way_to(tower, state, guard)
        if way is not None and not tower.game.candidates(state) >> guard & 1:
            doors |= dict.fromkeys(way.doors)
    fallen = (event.row.gone & world.gone).bit_count()
    ordered = tuple(sorted(doors))
    return Seal(
        floor,
        _inside(tower, state, bars, floor),
        tuple(bits(left)),
        event.row.gone.bit_count(),
        event.row.count - fallen,
        ordered,
        tuple(door_colours(tower, ordered)),
    )


def _inside(tower: Tower, state: State, bars: int, floor: int) -> tuple[int, ...]:
    """Items that cannot be reached while the bars stand, whatever else is gone."""
    board, world = tower.board, state.world
    openable = tower.caches.get("openable")
    if openable is None:
        openable = tower.caches["openable"] = board.mask(
            lambda o: o.kind.type == "bars" or any(a.row.removes for a in o.actions)
        )
    gone = openable & ~(bars | world.hidden) | world.gone
    start = state.hero.reach
    reach = board.spread(start, start & gone, gone, world.hidden)
    items = board.floor_mask[floor] & board.item_mask
    return tuple(bits(items & ~(world.gone | world.hidden | reach)))
