"""Keys: what a floor has for its doors, and what an action does to them."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.tree import KEY_SLOTS, Node, Tree
from mt_gym.engine.board import FIGHT, Action, MapObject
from mt_gym.engine.kinds import KEYS
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower

Keys = tuple[int, int, int, int]
"""Numbers of yellow, blue, red and green keys."""

NO_KEYS: Keys = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class KeyBudget:
    """Keys and closed doors of one colour on a floor, reachable or not.

    Attributes:
        colour: one of `kinds.KEYS`.
        held: in the hero's hand; `lying`: on the floor; `doors`: closed.
    """

    colour: str
    held: int
    lying: int
    doors: int


@dataclass(frozen=True, slots=True)
class DoorBehind:
    """A door that an action exposes directly.

    Attributes:
        door: its object.
        passed: whether the lookahead could open it.
        keys: keys behind it up to the next door.
    """

    door: int
    passed: bool
    keys: Keys


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """What an action does to the keys.

    Attributes:
        used: keys it spends.
        found: keys behind it: for fights what it exposes directly, else everything
            in its tree up to the next door.
        held: keys in hand after using and collecting them.
        past: gateways in front of the keys found, each once.
        doors: the doors it exposes directly.
        last: colours whose last key it spends without one coming back.
    """

    used: Keys
    found: Keys
    held: Keys
    past: tuple[int, ...]
    doors: tuple[DoorBehind, ...]
    last: tuple[str, ...]


def keys_of(thing: MapObject) -> Keys:
    """The keys that an item gives."""
    gain = dict(thing.actions[0].row.gain) if thing.actions else {}
    yellow, blue, red, green = (gain.get(slot, 0) for slot in KEY_SLOTS)
    return yellow, blue, red, green


def object_keys(tower: Tower) -> tuple[Keys, ...]:
    """The keys that every object of the tower gives, worked out once."""
    found = tower.caches.get("object keys")
    if found is None:
        found = tuple(keys_of(thing) for thing in tower.board.objects)
        tower.caches["object keys"] = found
    return found


def _plus(one: Keys, two: Keys, sign: int = 1) -> Keys:
    return (
        one[0] + sign * two[0],
        one[1] + sign * two[1],
        one[2] + sign * two[2],
        one[3] + sign * two[3],
    )


def key_budgets(tower: Tower, state: State, here: int) -> tuple[KeyBudget, ...]:
    """One budget per colour that has a closed door among the objects `here`."""
    objects = tower.board.objects
    doors, lying = [0, 0, 0, 0], NO_KEYS
    for index in bits(here & tower.board.door_mask):
        for slot, _ in objects[index].actions[0].row.cost:
            if slot in KEY_SLOTS:
                doors[KEY_SLOTS.index(slot)] += 1
    if not any(doors):
        return ()
    each = object_keys(tower)
    for index in bits(here & tower.board.item_mask):
        lying = _plus(lying, each[index])
    return tuple(
        KeyBudget(KEYS[i], state.hero[slot], lying[i], doors[i])
        for i, slot in enumerate(KEY_SLOTS)
        if doors[i]
    )


def keys_in(tower: Tower, nodes: list[Node]) -> Keys:
    """All keys among the items of nodes."""
    each = object_keys(tower)
    found = NO_KEYS
    for node in nodes:
        for index in node.items:
            if each[index] != NO_KEYS:
                found = _plus(found, each[index])
    return found


def key_facts(tower: Tower, state: State, action: Action, tree: Tree) -> KeyFacts:
    """What an action of any verb does to the keys."""
    board = tower.board
    doors = board.door_mask
    used = [0, 0, 0, 0]
    for slot, amount in action.row.cost:
        if slot in KEY_SLOTS:
            used[KEY_SLOTS.index(slot)] += amount
    spent: Keys = (used[0], used[1], used[2], used[3])
    near = [tree.root]
    if action.code != FIGHT:
        near = [n for n in tree.nodes if not any(doors >> g & 1 for g in n.path)]
    found = keys_in(tower, near)
    past: dict[int, None] = {}
    if found != NO_KEYS:
        for node in near:
            if keys_in(tower, [node]) != NO_KEYS:
                past |= dict.fromkeys(node.path)
    hero = state.hero
    hand: Keys = (hero.yellow, hero.blue, hero.red, hero.green)
    behind = []
    for door in tree.root.doors:
        nodes = [
            n
            for n in tree.nodes
            if n.path[:1] == (door,) and not any(doors >> g & 1 for g in n.path[1:])
        ]
        behind.append(DoorBehind(door, bool(nodes), keys_in(tower, nodes)))
    last = tuple(
        colour
        for i, colour in enumerate(KEYS)
        if spent[i] and spent[i] == hand[i] and not found[i]
    )
    held = _plus(_plus(hand, spent, -1), found)
    return KeyFacts(spent, found, held, tuple(past), tuple(behind), last)
