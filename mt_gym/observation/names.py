"""What objects and actions are called: labels made once per tower."""

from __future__ import annotations

from typing import Final, NamedTuple

from mt_gym.analysis.stat_route import gain_of, healing_of
from mt_gym.analysis.value import item_value
from mt_gym.engine.board import (
    BOMB,
    BREAK,
    BUY,
    CHOOSE,
    CLIMB,
    COLLECT,
    FIGHT,
    FINISH,
    OPEN,
    SELL,
    TALK,
    TRADE,
    TRAVEL,
    Action,
    MapObject,
)
from mt_gym.engine.kinds import ATK, DEF, MDEF, RESOURCES
from mt_gym.engine.rules import UNWINNABLE
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.observation import words


class Label(NamedTuple):
    """Texts of one object.

    Attributes:
        name: its kind; `lower`: the same in small letters.
        at: its cell inside its floor's block: `(x,y)`; `far`: with the floor.
        here: name and cell: `Green Slime@(5,6)`, `yellowDoor@(7,5)`.
        unlock: as something that an action unlocks.
        left: as something that lies on the floor.
        rank: how early it stands among unlocked items, or among what stands behind
            items and doors; larger is earlier.
    """

    name: str
    lower: str
    at: str
    far: str
    here: str
    unlock: str
    left: str
    rank: int


LAST: Final = ("stairs", "shop", "trade", "character")
"""Types in the order in which they stand behind the items and doors of an entry."""


def labels(tower: Tower) -> tuple[Label, ...]:
    """The labels of every object, made at the first use."""
    found = tower.caches.get("labels")
    if found is None:
        made = tuple(_label(tower, thing) for thing in tower.board.objects)
        found = tower.caches["labels"] = made
    return found


def _label(tower: Tower, thing: MapObject) -> Label:
    spot, name = thing.spot, thing.name
    at = far = ""
    if spot is not None:
        at = f"({spot.x},{spot.y})"
        far = words.place(tower, spot)
    lower = name.lower()
    here = f"{name}@{at}"
    if thing.kind.type in ("door", "gate"):
        title = "".join(part.title() for part in name.split())
        here = f"{title[:1].lower()}{title[1:]}@{at}"
    unlock = left = lower
    rank = -len(LAST)
    if thing.kind.type == "item":
        unlock = item_label(thing)
        left = f"{unlock}@{at}"
        if gain_of(thing):
            unlock += " [STAT]"
        healing = healing_of(thing)
        if thing.kind.category == "gem":
            left = f"{gem_text(thing)}@{at}"
        elif healing:
            left += f"(+{healing}HP)"
        rank = healing + item_value(thing)
    elif thing.kind.type == "stairs":
        floor = tower.board.floor_ids[tower.board.cell_floor[thing.landing]]
        way = thing.placement.direction or "to another floor"
        unlock = f"stairs {way} to {floor}"
    elif thing.kind.type == "shop":
        unlock = f"shop {name}@{at}"
        if len(tower.floors) > 1 and spot is not None:
            unlock = f"shop {spot.floor}"
    elif thing.kind.type not in ("door", "gate"):
        unlock = f"{name}@{at}"
    if thing.kind.type in LAST:
        rank = -LAST.index(thing.kind.type)
    return Label(name, lower, at, far, here, unlock, left, rank)


def item_label(thing: MapObject) -> str:
    """An item with what it gives; a single key by its name alone."""
    gain = thing.actions[0].row.gain
    if not gain or (thing.kind.category == "key" and len(gain) == 1):
        return thing.name
    return f"{thing.name} ({words.plus(gain)})"


def gem_text(thing: MapObject) -> str:
    """A gem by its attributes: `ATK+1`."""
    return " ".join(
        f"{words.NAMES[RESOURCES[slot]]}+{amount}"
        for slot, amount in thing.actions[0].row.gain
        if slot in (ATK, DEF, MDEF)
    )


PHRASES: Final = {
    FIGHT: "Fight {name} at {at}",
    OPEN: "Open {lower} at {at}",
    COLLECT: "Collect {name} at {at}",
    CHOOSE: "Choose {gain} of {name} at {at}",
    BUY: "Buy {gain} at {at}",
    SELL: "Sell {cost} at {at}",
    TRADE: "Trade for {gain} at {at}",
    TALK: "Talk to {name} at {at}",
    CLIMB: "Climb {lower} at {at} to {floor}",
    BREAK: "Break {lower} at {at}",
    BOMB: "Bomb {name} at {at}",
    FINISH: "Finish with {name} at {at}",
}
"""Names of actions, by verb; the cost of a fight follows."""


def action_name(
    tower: Tower, state: State | None, action: Action, *, inside: bool = False
) -> str:
    """The name of an action, as logs and other lines call it.

    Args:
        tower: where it belongs.
        state: for prices and for the cost of a fight; None leaves the cost out.
        action: any action of the tower.
        inside: within the block of its own floor, which it then does not name.

    >>> import mt_gym
    >>> tower = mt_gym.load("simple")
    >>> action_name(tower, tower.initial_state(), tower.action("fight 5,3"))
    'Fight Red Slime at (5,3) dmg=56'
    """
    if action.code == TRAVEL:
        return f"Return to {action.floor}"
    if action.object < 0:
        return "Pass"
    label = labels(tower)[action.object]
    at = label.at if inside else label.far
    if action.code in (BUY, SELL) and len(tower.floors) > 1 and at:
        at = action.floor
    phrase = PHRASES[action.code]
    if action.code == FIGHT:
        name = f"Fight {label.name} at {at}"
        if state is None:
            return name
        cost = tower.game.loss(state, action.object)
        return f"{name} UNWINNABLE" if cost == UNWINNABLE else f"{name} dmg={cost}"
    gain = cost_text = floor = ""
    if "{gain}" in phrase:
        pairs = tower.game.gain(state, action.row) if state else action.row.gain
        gain = words.offer(pairs) if pairs else label.name
    if "{cost}" in phrase:
        pairs = tower.game.cost(state, action.row) if state else action.row.cost
        cost_text = words.goods(pairs)
    thing = tower.board.objects[action.object]
    if action.code == CLIMB:
        floor = tower.board.floor_ids[tower.board.cell_floor[thing.landing]]
    text = phrase.format(
        name=label.name,
        lower=label.lower,
        at=at or label.name,
        gain=gain,
        cost=cost_text,
        floor=floor,
    )
    return text
