"""Which towers the compiled search can handle, and how it sees them.

A plain tower has monsters, doors, gates, items, two-way stairs and goals, and no
script, price or choice that is still alive.  Everything that costs nothing and
harms nobody is merged with the regions around it; the rest are gateways.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mt_gym.engine.actions import (
    CLIMB,
    COLLECT,
    FIGHT,
    OPEN,
    SCALE,
    SET,
    TALK,
    TRADE,
    Action,
    MapObject,
)
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import ATK, DEF, EXP, GOLD, HP, MDEF, PICKAXE, YELLOW
from mt_gym.engine.state import State, bits

NOTHING, MERGED, GATEWAY, FOREIGN = range(4)
"""What becomes of an object: a wall, part of a region, a gateway, not plain."""

AXES = (HP, ATK, DEF, MDEF)
PAID = tuple(range(YELLOW, PICKAXE + 1))
"""Resources that gateways cost: keys of four colours, pickaxes."""


def live_actions(board: Board, thing: MapObject, dead: frozenset[int]) -> list[Action]:
    """Actions of an object that can ever be paid.

    Args:
        dead: resources that the hero has not and can never get.
    """
    return [
        action
        for action in thing.actions
        if not any(resource in dead for resource, amount in action.row.cost if amount)
    ]


def role(
    board: Board, thing: MapObject, explicit: frozenset[int], dead: frozenset[int]
) -> int:
    """What becomes of an object.

    Args:
        explicit: of `AXES`, those whose items are taken by choice.
        dead: resources that can never be had.
    """
    actions = live_actions(board, thing, dead)
    if not actions:
        return NOTHING
    if len(actions) > 1 or not _is_plain(thing, actions[0]):
        return FOREIGN
    action = actions[0]
    if thing.goal or action.code == FIGHT or action.row.cost:
        return GATEWAY
    if any(effect[0] == SCALE for effect in action.row.effects):
        return GATEWAY
    if action.code == COLLECT and any(r in explicit for r, _ in action.row.gain):
        return GATEWAY
    if action.code in (TALK, TRADE) and any(r in explicit for r, _ in action.row.gain):
        return GATEWAY
    return MERGED


def _is_plain(thing: MapObject, action: Action) -> bool:
    row = action.row
    if row.conditional or row.counter >= 0 or row.doubles >= 0:
        return False
    own = 1 << thing.index
    partner = 1 << thing.partner if thing.partner >= 0 else 0
    if row.removes != own | partner or thing.placement.one_way:
        return False
    if action.code == CLIMB and (row.cost or row.gain or thing.partner < 0):
        return False
    if len(row.cost) > 1 or any(r not in PAID for r, _ in row.cost):
        return False
    if row.cost and action.code == FIGHT:
        return False
    if any(amount < 0 for _, amount in (*row.cost, *row.gain)):
        return False
    scales = [effect for effect in row.effects if effect[0] == SCALE]
    if len(scales) > 1 or any(effect[1] != HP for effect in scales):
        return False
    if thing.goal and scales:
        return False
    if action.code == OPEN and not row.cost and row.gain:
        return False
    return all(effect[0] in (SET, SCALE) for effect in row.effects)


@dataclass(slots=True)
class Region:
    """Cells and merged objects that are walked through freely.

    Attributes:
        nodes: mask over the board's nodes.
        members: merged objects in it.
        exposes: mask over gateways next to it.
        near: mask over gateways whose removal opens it.
    """

    nodes: int
    members: list[int]
    exposes: int = 0
    near: int = 0


@dataclass(slots=True)
class Layout:
    """A board as the compiled search sees it, for one choice of explicit items.

    Attributes:
        board: the compiled map.
        objects: board objects of the gateways, by gateway number.
        number: gateway number of a board object.
        exposes: [gateway] mask over gateways that its removal exposes.
        opens: [gateway] regions that its removal opens.
        regions: the merged regions.
        foreign: board objects that are not plain.
    """

    board: Board
    hidden: int
    opened: int
    explicit: frozenset[int]
    dead: frozenset[int]
    objects: list[int] = field(default_factory=list)
    number: dict[int, int] = field(default_factory=dict)
    exposes: list[int] = field(default_factory=list)
    opens: list[list[int]] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    foreign: int = 0

    def __post_init__(self) -> None:
        board = self.board
        merged = 0
        for thing in board.objects:
            if self.hidden >> thing.index & 1:
                continue
            if self.opened >> thing.index & 1:
                merged |= 1 << thing.index
                continue
            what = role(board, thing, self.explicit, self.dead)
            if what == MERGED:
                merged |= 1 << thing.index
            elif what == GATEWAY:
                self.number[thing.index] = len(self.objects)
                self.objects.append(thing.index)
            elif what == FOREIGN:
                self.foreign |= 1 << thing.index
        self._merge(merged)
        self._touch()

    def _near(self, node: int) -> int:
        board = self.board
        if node < board.n_objects:
            return board.near[node]
        return board.region_near[node - board.n_objects]

    def _merge(self, merged: int) -> None:
        """Join cells and merged objects that touch into regions."""
        board = self.board
        free = merged | (((1 << board.n_regions) - 1) << board.n_objects)
        rest = free
        links: dict[int, int] = {}
        for node in bits(free):
            for other in bits(self._near(node) & free):
                links[node] = links.get(node, 0) | 1 << other
                links[other] = links.get(other, 0) | 1 << node
        while rest:
            group = pending = rest & -rest
            while pending:
                low = pending & -pending
                pending ^= low
                fresh = links.get(low.bit_length() - 1, 0) & ~group
                group |= fresh
                pending |= fresh
            rest &= ~group
            members = bits(group & merged & ~self.opened)
            self.regions.append(Region(group, members))

    def _touch(self) -> None:
        board = self.board
        gates = sum(1 << index for index in self.objects)
        for region in self.regions:
            touched = 0
            for node in bits(region.nodes):
                touched |= self._near(node)
            region.exposes = self.gateways(touched & gates)
        for gateway, index in enumerate(self.objects):
            if board.objects[index].goal:
                self.exposes.append(0)
                self.opens.append([])
                continue
            near = board.near[index]
            exposed = self.gateways(near & gates)
            opened = []
            for number, region in enumerate(self.regions):
                if region.nodes & near:
                    opened.append(number)
                    exposed |= region.exposes
                    region.near |= 1 << gateway
            self.exposes.append(exposed)
            self.opens.append(opened)

    def gateways(self, objects: int) -> int:
        """Mask over gateways of a mask over board objects."""
        mask = 0
        for index in bits(objects):
            if index in self.number:
                mask |= 1 << self.number[index]
        return mask

    def is_plain(self, state: State) -> bool:
        """Whether nothing that can still be reached is foreign."""
        board = self.board
        alive = self.foreign & ~state.world.gone
        if board.triggers or state.world.gone & board.one_way_mask:
            return False
        if not alive:
            return True
        return not alive & reachable(board, state)


def reachable(board: Board, state: State) -> int:
    """Nodes in reach once everything that can be acted on is gone."""
    world, reach = state.world, state.hero.reach
    pending = reach & board.object_mask & ~world.hidden
    while pending:
        low = pending & -pending
        pending ^= low
        index = low.bit_length() - 1
        if not board.objects[index].actions and not world.gone & low:
            continue
        fresh = board.near[index] & ~reach
        reach |= fresh
        pending |= fresh & board.object_mask & ~world.hidden
    return reach


def dead_resources(board: Board, state: State) -> frozenset[int]:
    """Resources that are neither held nor given by anything that is left."""
    given = {
        r for r, amount in enumerate(state.hero[: len(board.resource_names)]) if amount
    }
    for thing in board.objects:
        if state.world.gone >> thing.index & 1:
            continue
        for action in thing.actions:
            given |= {r for r, amount in action.row.gain if amount}
        if thing.monster >= 0:
            for stats in thing.kind.values:
                given |= {GOLD} if stats.gold else set()
                given |= {EXP} if stats.exp else set()
    return frozenset(range(len(board.resource_names))) - given
