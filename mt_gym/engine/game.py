"""Legal actions, transitions and outcomes on a compiled board.

Pure: a transition returns a new state.  The object masks of the board decide what
is legal; only objects with conditions, prices or several choices are looked at one
by one.
"""

from __future__ import annotations

from mt_gym.engine.actions import (
    BUY,
    CHOOSE,
    CLEAR,
    CLIMB,
    FIGHT,
    REMOVE,
    REVEAL,
    SCALE,
    SELL,
    SET,
    TALK,
    TRAVEL,
    WON,
    Action,
    CompiledRow,
)
from mt_gym.engine.board import Board
from mt_gym.engine.kinds import EXP, GOLD, HP, Kind, Stats
from mt_gym.engine.rules import (
    FIRST_STRIKE,
    MAGIC,
    MIMIC,
    SOLID,
    UNWINNABLE,
    fight_loss,
    scaled,
)
from mt_gym.engine.state import N_RESOURCES, POSITION, REACH, Hero, State, World
from mt_gym.errors import IllegalAction, StateMismatch

_CACHE_LIMIT = 200_000
_new = tuple.__new__

FightArguments = tuple[int, ...]


def fight_arguments(kind: Kind, stats: Stats) -> FightArguments:
    """The monster's part of `rules.fight_loss`'s arguments."""
    able = kind.abilities
    flags = MIMIC * able.mimic | SOLID * able.solid
    flags |= MAGIC * able.magic | FIRST_STRIKE * able.first_strike
    return (
        stats.hp,
        stats.atk,
        stats.defense,
        flags,
        able.hits,
        *(able.vampire or (0, 1)),
        *(able.counter or (0, 1)),
        *(able.armour_break or (0, 1)),
        able.purify,
        able.fixed,
    )


class Game:
    """The rules on one board.

    Attributes:
        board: the compiled map.
        fighters: per monster kind and epoch, the arguments of `fight_loss`.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.fighters = tuple(
            tuple(fight_arguments(kind, stats) for stats in kind.values)
            for kind in board.monsters
        )
        self._vampire = tuple(k.abilities.vampire is not None for k in board.monsters)
        self._monster = tuple(o.monster for o in board.objects)
        self._losses: dict[tuple[object, ...], list[int]] = {}
        self._winnable: dict[tuple[object, ...], int] = {}
        self._monsters_of_kind = tuple(
            board.mask(lambda o, k=number: o.monster == k)
            for number in range(len(board.monsters))
        )

    # -- values ----------------------------------------------------------------

    def stats(self, monster: int, world: World) -> Stats:
        """A monster kind's current numbers."""
        values = self.board.monsters[monster].values
        return values[self.epoch(monster, world)]

    def epoch(self, monster: int, world: World) -> int:
        """How often a monster kind has been strengthened."""
        slot = self.board.epoch_of[monster]
        return 0 if slot < 0 else world.epochs[slot]

    def loss_at(
        self, monster: int, world: World, atk: int, defense: int, mdef: int, hp: int
    ) -> int:
        """`rules.fight_loss` of a monster kind for any hero's numbers."""
        if self._vampire[monster]:
            args = self.fighters[monster][self.epoch(monster, world)]
            return fight_loss(atk, defense, mdef, hp, *args)
        key = (atk, defense, mdef, world.epochs)
        losses = self._losses.get(key)
        if losses is None:
            losses = [
                fight_loss(
                    atk, defense, mdef, 1, *self.fighters[k][self.epoch(k, world)]
                )
                for k in range(len(self.fighters))
            ]
            if len(self._losses) > _CACHE_LIMIT:
                self._losses.clear()
            self._losses[key] = losses
        return losses[monster]

    def loss(self, state: State, thing: int) -> int:
        """HP that the fight with an object costs now, or `UNWINNABLE`."""
        hero = state.hero
        return self.loss_at(
            self._monster[thing], state.world, hero[1], hero[2], hero[3], hero[0]
        )

    def winnable(self, state: State) -> int:
        """All monsters of the tower that the hero's strikes can hurt."""
        world, hero = state
        key = (hero[1], hero[2], world.epochs)
        mask = self._winnable.get(key)
        if mask is None:
            mask = 0
            for kind, things in enumerate(self._monsters_of_kind):
                loss = self.loss_at(kind, world, hero[1], hero[2], hero[3], hero[0])
                if loss != UNWINNABLE:
                    mask |= things
            if len(self._winnable) > _CACHE_LIMIT:
                self._winnable.clear()
            self._winnable[key] = mask
        return mask

    # -- legality ----------------------------------------------------------------

    def candidates(self, state: State) -> int:
        """Objects that are there and next to the cells the hero can walk to."""
        world, hero = state
        return hero[REACH] & ~(world[0] | world[1]) & self.board.object_mask

    def legal_simple(self, state: State, there: int) -> int:
        """Objects among `there` whose only action is legal."""
        board = self.board
        hero = state[1]
        legal = there & board.free_mask
        fights = there & board.fight_mask
        if fights:
            legal |= fights & self.winnable(state)
        for key, doors in board.door_masks:
            if hero[key]:
                legal |= there & doors
        return legal

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every action that the state allows, by index; () after the end.

        Lethal fights are legal, unwinnable ones and `travel` are not.
        """
        board = self.board
        if state[0][2] & WON or state[1][0] <= 0:
            return ()
        there = self.candidates(state)
        legal = self.legal_simple(state, there)
        general = there & board.general_mask
        found: list[Action] = []
        append = found.append
        first = board.first
        if not general:
            while legal:
                low = legal & -legal
                legal ^= low
                append(first[low.bit_length() - 1])
            return tuple(found)
        rest = legal | general
        while rest:
            low = rest & -rest
            rest ^= low
            thing = low.bit_length() - 1
            if low & general:
                for action in board.objects[thing].actions:
                    if self.payable(state, action):
                        append(action)
            else:
                append(first[thing])
        return tuple(found)

    def payable(self, state: State, action: Action) -> bool:
        """Whether conditions and cost of an action hold, reach aside."""
        row = action.row
        if not self.holds(state, row):
            return False
        hero = state[1]
        for resource, amount in self.cost(state, row):
            spare = 1 if resource == HP else 0
            if hero[resource] < amount + spare:
                return False
        if action.code == FIGHT:
            return self.loss(state, action.object) != UNWINNABLE
        return True

    @staticmethod
    def holds(state: State, row: CompiledRow) -> bool:
        """Whether the condition of a row holds, its cost aside."""
        world, hero = state
        if row.flags & ~world.flags or row.without & world.flags:
            return False
        if row.gone and (row.gone & world.gone).bit_count() < row.count:
            return False
        return all(hero[resource] >= least for resource, least in row.needs)

    @staticmethod
    def cost(state: State, row: CompiledRow) -> tuple[tuple[int, int], ...]:
        """What a row takes now: pairs (resource, amount)."""
        if row.growth:
            extra = row.growth * state.world.counts[row.counter]
            return tuple((resource, amount + extra) for resource, amount in row.cost)
        return row.cost

    @staticmethod
    def gain(state: State, row: CompiledRow) -> tuple[tuple[int, int], ...]:
        """What a row gives now: pairs (resource, amount)."""
        if row.doubles >= 0:
            factor = 1 << state.hero[row.doubles]
            return tuple((resource, amount * factor) for resource, amount in row.gain)
        return row.gain

    def is_legal(self, state: State, action: Action) -> bool:
        """Whether `step` would execute an action (`travel` included)."""
        world, hero = state
        if world.flags & WON or hero.hp <= 0:
            return False
        if action.code == TRAVEL:
            number = self.board.floor_number[action.floor]
            return self._may_travel(state, number)
        bit = 1 << action.object
        if not self.candidates(state) & bit:
            return False
        if bit & self.board.general_mask:
            return self.payable(state, action)
        return bool(self.legal_simple(state, bit))

    def _may_travel(self, state: State, floor: int) -> bool:
        world, hero = state
        board = self.board
        if not world.visited >> floor & 1 or board.cell_floor[hero.position] == floor:
            return False
        return bool(hero.reach & (board.floor_mask[floor] | board.floor_regions[floor]))

    # -- transitions -----------------------------------------------------------

    def initial_state(self) -> State:
        """The state before the first turn."""
        board = self.board
        start = dict(board.data.hero)
        hero = [start.get(name, 0) for name in board.resource_names]
        floor = board.cell_floor[board.start_cell]
        flags = 0
        world = World(
            0,
            board.start_hidden,
            flags,
            (0,) * len(board.counter_names),
            (0,) * len(board.epoch_names),
            1 << floor,
            board.digest,
        )
        return State(world, _new(Hero, (*hero, board.start_cell, board.start_reach)))

    def step(self, state: State, action: Action) -> State:
        """The state after an action.

        Raises:
            IllegalAction: the state does not allow it, or it is of another tower.
            StateMismatch: the state belongs to another tower.
        """
        world, hero = state
        board = self.board
        if world[6] != board.digest:
            raise StateMismatch(
                f"the state belongs to tower {world[6]}, not to "
                f"{board.data.name!r} ({board.digest})"
            )
        if action is not board.actions[action.index % len(board.actions)]:
            action = self.own(action)
        if not self.is_legal(state, action):
            raise IllegalAction(self.why_illegal(state, action))
        code = action.code
        numbers = list(hero)
        if code == FIGHT:
            thing = action.object
            loss = self.loss(state, thing)
            if loss >= hero[0]:
                numbers[HP] = 0
                return State(world, _new(Hero, numbers))
            stats = self.stats(self._monster[thing], world)
            numbers[HP] -= loss
            numbers[GOLD] += stats.gold
            numbers[EXP] += stats.exp
        elif code == TRAVEL:
            floor = board.floor_number[action.floor]
            numbers[POSITION] = board.arrival(floor, world.gone)
            return State(world, _new(Hero, numbers))
        return self._apply(state, action, numbers)

    def own(self, action: Action) -> Action:
        """This board's action for a copy of it.

        Raises:
            IllegalAction: it is of another tower.
        """
        own = self.board.by_text.get(action.text)
        if own is None or own != action:
            raise IllegalAction(
                f"{action.text!r} is no action of {self.board.data.name!r}, or not "
                f"number {action.index} of it"
            )
        return own

    def _apply(self, state: State, action: Action, numbers: list[int]) -> State:
        """Cost, gain, removal, effects, reach and triggers of a legal action."""
        board = self.board
        world, hero = state
        row = action.row
        if row.cost:
            for resource, amount in self.cost(state, row):
                numbers[resource] -= amount
        if row.gain:
            for resource, amount in self.gain(state, row):
                numbers[resource] += amount
        gone = world[0] | row.removes
        removed = row.removes
        visited = world[5]
        counts = world[3]
        if row.counter >= 0:
            slot = row.counter
            counts = (*counts[:slot], counts[slot] + 1, *counts[slot + 1 :])
        if action.code == CLIMB:
            thing = board.objects[action.object]
            numbers[POSITION] = thing.landing
            if thing.placement.one_way:
                numbers[REACH] = board.near_cell(thing.landing) | board.anywhere
                removed |= numbers[REACH] & gone
        elif row.removes and action.code != CHOOSE:
            numbers[POSITION] = board.objects[action.object].cell
        elif action.code == TALK:
            numbers[POSITION] = board.beside(
                action.object, world[0], world[1], hero[REACH]
            )
        visited |= 1 << board.cell_floor[numbers[POSITION]]
        if row.effects or board.triggers or counts is not world[3]:
            world = World(gone, world[1], world[2], counts, world[4], visited, world[6])
            world, removed = self._effects(row, world, numbers, removed)
            if board.triggers:
                world, removed = self._fire(world, numbers, removed)
        else:
            world = _new(
                World, (gone, world[1], world[2], counts, world[4], visited, world[6])
            )
        if removed:
            numbers[REACH] = board.spread(numbers[REACH], removed, world[0], world[1])
        return State(world, _new(Hero, numbers))

    def _effects(
        self, row: CompiledRow, world: World, numbers: list[int], removed: int
    ) -> tuple[World, int]:
        gone, hidden, flags, counts, epochs, visited, tower = world
        for code, a, b, c in row.effects:
            if code == SET:
                flags |= a
            elif code == CLEAR:
                flags &= ~a
            elif code == SCALE:
                numbers[a] = scaled(numbers[a], b, c)
            elif code == REMOVE:
                gone |= a
                hidden &= ~a
                removed |= a
            elif code == REVEAL:
                if not gone & a:
                    hidden &= ~a
            else:
                level = min(epochs[a] + 1, b)
                epochs = (*epochs[:a], level, *epochs[a + 1 :])
        return World(gone, hidden, flags, counts, epochs, visited, tower), removed

    def _fire(
        self, world: World, numbers: list[int], removed: int
    ) -> tuple[World, int]:
        """Run triggers, each at most once, until none fires."""
        fired = True
        while fired:
            fired = False
            for row in self.board.triggers:
                if self.holds(State(world, Hero(*numbers)), row):
                    for resource, amount in row.gain:
                        numbers[resource] += amount
                    world, removed = self._effects(row, world, numbers, removed)
                    fired = True
        return world, removed

    # -- outcome -----------------------------------------------------------------

    def outcome(self, state: State) -> str | None:
        """None while there is something to decide, else how it ended.

        `won`, `died` (HP 0), or `stuck`: nothing but lethal and unwinnable fights
        is left.
        """
        if state[0][2] & WON:
            return "won"
        hp = state[1][0]
        if hp <= 0:
            return "died"
        there = self.candidates(state)
        legal = self.legal_simple(state, there)
        if legal & ~self.board.monster_mask:
            return None
        while legal:
            low = legal & -legal
            legal ^= low
            if self.loss(state, low.bit_length() - 1) < hp:
                return None
        general = there & self.board.general_mask
        while general:
            low = general & -general
            general ^= low
            for action in self.board.objects[low.bit_length() - 1].actions:
                if self.payable(state, action) and not self.is_lethal(state, action):
                    return None
        return "stuck"

    def is_lethal(self, state: State, action: Action) -> bool:
        """Whether an action is a fight that can be won but not survived."""
        return action.code == FIGHT and self.loss(state, action.object) >= state.hero.hp

    def why_illegal(self, state: State, action: Action) -> str:
        """The reason why a state does not allow an action, in one sentence."""
        world, hero = state
        text = f"{action.text!r} is not legal: "
        if world.flags & WON:
            return text + "the game is won"
        if hero.hp <= 0:
            return text + "the hero is dead"
        if action.code == TRAVEL:
            return text + "the floor is not visited, or the hero is on it"
        thing = self.board.objects[action.object]
        bit = 1 << thing.index
        if world.gone & bit:
            return text + f"{thing.name} is gone"
        if world.hidden & bit:
            return text + f"{thing.name} is not there yet"
        if not hero.reach & bit:
            return text + f"{thing.name} cannot be reached"
        short = [
            f"{self.board.resource_names[resource]} {amount} (the hero has "
            f"{hero[resource]})"
            for resource, amount in self.cost(state, action.row)
            if hero[resource] < amount + (resource == HP)
        ]
        if short:
            return text + f"{thing.name} costs " + ", ".join(short)
        if action.code == FIGHT and self.holds(state, action.row):
            return text + f"{thing.name} cannot be won: its DEF is not below ATK"
        return text + f"its condition does not hold for {thing.name}"


PURCHASES = (BUY, SELL)
"""Verbs that leave the hero where he stands."""

__all__ = ["N_RESOURCES", "PURCHASES", "Game", "fight_arguments"]
