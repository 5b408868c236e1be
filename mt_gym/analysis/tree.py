"""The lookahead tree: what an action makes reachable, up to a few gateways deep.

Costs are those of the current attributes; HP is not spent in the simulation.  An
object belongs to the first, shallowest node that reaches it, and what can be
reached already is never counted.  Source: section 5.2.2 of the thesis chapter.
"""

from __future__ import annotations

from typing import NamedTuple

from mt_gym.analysis.memory import memory
from mt_gym.engine.board import REMOVE, REVEAL, Action
from mt_gym.engine.kinds import BLUE, GREEN, RED, YELLOW
from mt_gym.engine.state import REACH, State, bits
from mt_gym.engine.tower import Tower

KEY_SLOTS = (YELLOW, BLUE, RED, GREEN)
_SLOT = {slot: i for i, slot in enumerate(KEY_SLOTS)}

Keys = tuple[int, int, int, int]


class Node(NamedTuple):
    """What one more removed gateway exposes.

    Attributes:
        path: objects removed after the action itself, in order; () at the root.
        depth: length of the path.
        items: new items, in reading order; those of automatic collection are taken
            in the simulation.
        doors: new doors; monsters: new monsters (the goal only if it can be won
            now); others: gates, stairs, shops, characters and the like.
        keys: yellow, blue, red, green keys held at this node.
    """

    path: tuple[int, ...]
    depth: int
    items: tuple[int, ...]
    doors: tuple[int, ...]
    monsters: tuple[int, ...]
    others: tuple[int, ...]
    keys: Keys


class Tree(NamedTuple):
    """The nodes of an action's lookahead, breadth first; the root is `nodes[0]`."""

    action: Action
    nodes: tuple[Node, ...]

    @property
    def root(self) -> Node:
        """What the action exposes by itself."""
        return self.nodes[0]

    def all_items(self) -> list[int]:
        """Items of all nodes, by node."""
        return [item for node in self.nodes for item in node.items]


class _Branch(NamedTuple):
    node: Node
    reach: int
    gone: int


def lookahead_tree(tower: Tower, state: State, action: Action, depth: int) -> Tree:
    """The tree of an action in a state.

    Args:
        tower: where the state belongs.
        state: after automatic collection, as the policy sees it.
        action: any listed action with an object.
        depth: gateways on a path at the most (3 on single floors, 2 on the tower).
    """
    known = memory(tower, "trees")
    world, hero = state
    winnable = tower.game.winnable(state)
    board = tower.board
    conditional = board.general_mask & (board.gate_mask | board.door_mask)
    numbers = hero[:REACH] if conditional else ()
    here = regions = -1
    if _stands_alone(tower, state, action):
        floor = board.objects[action.object].floor
        here, regions = board.floor_mask[floor], board.floor_regions[floor]
    key = (
        *(action.index, depth, world.gone & here, world.hidden & here),
        *(world.flags if conditional else 0, winnable & here),
        *(hero.reach & (here | regions), hero[YELLOW : GREEN + 1], numbers),
    )
    found = known.recall(key)
    if found is None:
        found = known.keep(key, _Builder(tower, state, action).build(depth))
    return found  # type: ignore[no-any-return]


def _stands_alone(tower: Tower, state: State, action: Action) -> bool:
    """Whether nothing on another floor can change an action's tree.

    So it is without portals as long as the hero can walk back to every floor: the
    stairs he has climbed are then in his reach at both ends.
    """
    board = tower.board
    if action.object < 0 or board.objects[action.object].cell < 0:
        return False
    if board.data.portals or any(e[0] in (REMOVE, REVEAL) for e in action.row.effects):
        return False
    climbed = state.world.gone & _stairs_mask(tower)
    return not climbed & ~state.hero.reach


def _stairs_mask(tower: Tower) -> int:
    found = tower.caches.get("stairs mask")
    if found is None:
        found = tower.board.mask(lambda o: o.kind.type == "stairs")
        tower.caches["stairs mask"] = found
    return int(found)


class _Builder:
    def __init__(self, tower: Tower, state: State, action: Action) -> None:
        self.board = board = tower.board
        self.game = tower.game
        self.state = state
        self.action = action
        self.world_gone, self.hidden = state.world.gone, state.world.hidden
        self.goal = board.goal_mask & board.monster_mask
        self.winnable = self.game.winnable(state)
        self.passable = self.winnable & ~self.goal
        self.seen = state.hero.reach
        self.floor = board.object_mask
        if action.object >= 0 and board.objects[action.object].cell >= 0:
            self.floor = board.floor_mask[board.objects[action.object].floor]
        self.automatic = board.automatic_items & self.floor

    def build(self, depth: int) -> Tree:
        row, board = self.action.row, self.board
        hero = self.state.hero
        keys = [hero[slot] for slot in KEY_SLOTS]
        for slot, amount in row.cost:
            if slot in _SLOT:
                keys[_SLOT[slot]] -= amount
        for slot, amount in row.gain:
            if slot in _SLOT:
                keys[_SLOT[slot]] += amount
        removed = row.removes
        if board.objects[self.action.object].kind.type == "stairs":
            removed = 0
        for code, mask, _, _ in row.effects:
            if code == REMOVE:
                removed |= mask
            elif code == REVEAL:
                self.hidden &= ~mask
        queue = [self._grow(hero.reach, self.world_gone, keys, removed, ())]
        for node, reach, gone in queue:
            if node.depth >= depth:
                continue
            for gateway in (*node.monsters, *node.doors, *node.others):
                left = self._pass(gateway, node.keys)
                if left is not None:
                    path = (*node.path, gateway)
                    queue.append(self._grow(reach, gone, left, 1 << gateway, path))
        return Tree(self.action, tuple(branch.node for branch in queue))

    def _pass(self, gateway: int, keys: Keys) -> list[int] | None:
        """Keys left after a gateway, or None if this branch cannot pass it."""
        bit = 1 << gateway
        board = self.board
        if bit & board.monster_mask:
            return list(keys) if bit & self.passable else None
        if not bit & (board.door_mask | board.gate_mask):
            return None
        row = board.objects[gateway].actions[0].row
        if row.conditional and not self.game.holds(self.state, row):
            return None
        left = list(keys)
        for slot, amount in row.cost:
            if slot not in _SLOT or left[_SLOT[slot]] < amount:
                return None
            left[_SLOT[slot]] -= amount
        return left

    def _grow(
        self,
        before: int,
        gone: int,
        keys: list[int],
        removed: int,
        path: tuple[int, ...],
    ) -> _Branch:
        """Remove something, collect what the walk takes, and note what is new."""
        board, hidden = self.board, self.hidden
        gone |= removed
        reach = board.spread(before, removed, gone, hidden)
        automatic = self.automatic & ~(before | hidden)
        items = reach & automatic & ~gone
        while items:
            gone |= items
            for index in bits(items):
                for slot, amount in board.objects[index].actions[0].row.gain:
                    if slot in _SLOT:
                        keys[_SLOT[slot]] += amount
            reach = board.spread(reach, items, gone, hidden)
            items = reach & automatic & ~gone
        new = reach & self.floor & ~(hidden | self.seen | self.world_gone | removed)
        new &= ~self.goal | self.winnable
        self.seen |= new
        doors = new & board.door_mask
        monsters = new & board.monster_mask
        taken = new & board.item_mask
        node = Node(
            path,
            len(path),
            tuple(bits(taken)),
            tuple(bits(doors)),
            tuple(bits(monsters)),
            tuple(bits(new & ~(doors | monsters | taken))),
            (keys[0], keys[1], keys[2], keys[3]),
        )
        return _Branch(node, reach, gone)
