"""A state of a tower with purchases, tools and choices, as arrays."""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.engine.actions import BOMB, BUY, CHOOSE, FIGHT, WON, MapObject
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import LOST, as_words
from mt_gym.solver.safety import Automatic, risky_resources
from mt_gym.solver.trade.goods import Goods, check_offer
from mt_gym.solver.trade.tables import (
    CRYSTAL,
    FIELDS,
    ITEM,
    K_GATES,
    LOCK,
    MONSTER,
    O_BOMB,
    O_CLASS,
    O_COST2,
    O_COST3,
    O_GIVE1,
    O_GOAL,
    O_HP,
    O_KIND,
    O_NEAR,
    O_TYPE,
    SHOP,
    WALL,
    NotTrade,
    Problem,
    Table,
    guards,
    named,
    pack,
)

_KNOWN: Final = {name for word in FIELDS for name, _ in word}
_PAID: Final = {name for word in FIELDS[1:] for name, _ in word} - {"token", "cheap"}


class Builder:
    """Makes the problem of a state.

    Raises:
        NotTrade: something that is left needs the general search.
    """

    def __init__(self, tower: Tower, state: State) -> None:
        self.tower, self.state, self.board = tower, state, tower.board
        board = self.board
        if board.triggers or board.stacked or state.world.hidden:
            raise NotTrade
        if risky_resources(board):
            raise NotTrade
        self.spent = {
            RESOURCES[index] for a in board.actions for index, _ in a.row.cost
        }
        self.spent |= {"hp", "atk", "def", "mdef"}
        self.spent |= {
            RESOURCES[a.row.doubles] for a in board.actions if a.row.doubles >= 0
        }
        if self.spent - _KNOWN - {"hp"}:
            raise NotTrade
        self.automatic = Automatic(tower, True)

    def build(self) -> Problem:
        """The arrays."""
        board, gone = self.board, self.state.world.gone
        live = [
            thing
            for thing in board.objects
            if thing.actions and not gone >> thing.index & 1
        ]
        for thing in live:
            self._check(thing)
        shops = [thing for thing in live if thing.actions[0].code == BUY]
        live = [thing for thing in live if thing not in shops]
        places = [thing for thing in shops if thing.cell >= 0]
        auto = self.automatic.items | self.automatic.ways
        gates = [thing for thing in live if not auto >> thing.index & 1]
        items = [thing for thing in live if auto >> thing.index & 1]
        order = [thing.index for thing in gates + items + places]
        number = {index: i for i, index in enumerate(order)}
        words = (len(gates) + 63) // 64 or 1, (len(order) + 63) // 64 or 1
        self.number, self.words = number, words
        goods = self._goods(gates, items, shops)
        objects = np.zeros((len(order) or 1, O_NEAR + words[1]), np.int64)
        for i, thing in enumerate(gates + items):
            self._row(objects[i], thing)
        for thing in places:
            objects[number[thing.index], O_TYPE] = SHOP
        kinds = self._kinds(gates)
        start = self._start(gates, items, goods)
        problem = Problem(
            order=order,
            gateways=len(gates),
            objects=objects,
            kinds=kinds,
            classes=goods.table(words[0]),
            start=start,
            limits=np.array([guards(word) for word in range(3)], np.int64),
            must=self._must(gates),
            locks=self._locks(gates),
            tools=self._tools(gates + items),
            most_tokens=self.most_tokens,
            words=words,
            shop=goods.offers,
        )
        for i, thing in enumerate(gates):
            if thing.actions[0].code == CHOOSE:
                objects[i, O_CLASS] = goods.level[thing.index]
        return problem

    # -- objects ---------------------------------------------------------------

    def _check(self, thing: MapObject) -> None:
        """Refuse what this search does not know."""
        for action in thing.actions:
            row = action.row
            wins = [effect for effect in row.effects if effect[1] == WON]
            if row.conditional or (action.code != BUY and row.counter >= 0):
                raise NotTrade
            if len(wins) != len(row.effects) or bool(wins) != thing.goal:
                raise NotTrade
            if any(amount < 0 for amount in named(row.gain).values()):
                raise NotTrade
            if not set(named(row.cost)) <= _PAID:
                raise NotTrade
            if action.code in (BUY, CHOOSE):
                check_offer(thing, action, thing.cell >= 0)
            elif row.doubles >= 0 or not row.removes:
                raise NotTrade
        first = thing.actions[0]
        if first.code in (BUY, CHOOSE):
            if any(a.code != first.code for a in thing.actions):
                raise NotTrade
            return
        if not thing.kind.blocks or thing.placement.one_way:
            raise NotTrade
        others = [action.code for action in thing.actions[1:]]
        if others and (first.code != FIGHT or others != [BOMB]):
            raise NotTrade
        if first.code == FIGHT and (first.row.cost or first.row.gain):
            raise NotTrade

    def _row(self, row: Table, thing: MapObject) -> None:
        action = thing.actions[0]
        cost, gain = named(action.row.cost), named(action.row.gain)
        row[O_KIND] = -1
        row[O_TYPE] = LOCK
        if (self.automatic.items | self.automatic.ways) >> thing.index & 1:
            row[O_TYPE] = ITEM
        elif thing.monster >= 0:
            row[O_TYPE], row[O_KIND] = MONSTER, thing.monster
            gain = {"gold": self._gold(thing)}
            for other in thing.actions[1:]:
                row[O_BOMB] = pack(named(other.row.cost), 1)
        elif action.code == CHOOSE:
            row[O_TYPE], gain = CRYSTAL, {}
        elif "pickaxe" in cost:
            row[O_TYPE] = WALL
        row[O_GOAL] = thing.goal
        row[O_COST2], row[O_COST3] = pack(cost, 1), pack(cost, 2)
        gain = {name: n for name, n in gain.items() if name in self.spent}
        row[O_HP] = gain.get("hp", 0)
        for word in range(3):
            row[O_GIVE1 + word] = pack(gain, word)
        row[O_NEAR:] = self._mask(self.board.near[thing.index])

    def _mask(self, nodes: int) -> list[int]:
        mask = 0
        for index, i in self.number.items():
            if nodes >> index & 1:
                mask |= 1 << i
        return as_words(mask, self.words[1])

    def _kinds(self, gates: list[MapObject]) -> Table:
        game, world = self.tower.game, self.state.world
        count = len(self.board.monsters)
        kinds = np.zeros((count or 1, K_GATES + self.words[0]), np.int64)
        for kind in range(count):
            kinds[kind, :K_GATES] = game.fighters[kind][game.epoch(kind, world)]
            mask = sum(1 << i for i, thing in enumerate(gates) if thing.monster == kind)
            kinds[kind, K_GATES:] = as_words(mask, self.words[0])
        return kinds

    def _goods(
        self, gates: list[MapObject], items: list[MapObject], shops: list[MapObject]
    ) -> Goods:
        goods = Goods()
        gold = self.state.hero.gold + sum(self._gold(t) for t in gates + items)
        for thing in shops:
            place = self.number[thing.index] if thing.cell >= 0 else -1
            goods.add_shop(thing, place, self.state, gold)
        for i, thing in enumerate(gates):
            if thing.actions[0].code == CHOOSE:
                goods.add_crystal(i, thing)
        return goods

    def _gold(self, thing: MapObject) -> int:
        """Gold that an object gives."""
        if thing.monster >= 0:
            return self.tower.game.stats(thing.monster, self.state.world).gold
        return named(thing.actions[0].row.gain).get("gold", 0)

    # -- the whole ---------------------------------------------------------------

    def _start(
        self, gates: list[MapObject], items: list[MapObject], goods: Goods
    ) -> Table:
        hero = dict(zip(RESOURCES, self.state.hero, strict=False))
        hero = {name: n for name, n in hero.items() if name in self.spent}
        hero["cheap"] = goods.cheap
        words = [pack(hero, word) for word in range(3)]
        total = dict(hero)
        left = {"hp": 0, "atk": 0, "def": 0, "mdef": 0, "gold": 0}
        for thing in gates + items:
            gain = named(thing.actions[0].row.gain)
            if thing.actions[0].code == CHOOSE:
                continue
            if thing.monster >= 0:
                gain = {"gold": self._gold(thing)}
            for name, amount in gain.items():
                if name in self.spent:
                    total[name] = total.get(name, 0) + amount
                    if name in left and not thing.goal:
                        left[name] += amount
        for word in range(3):
            pack(total, word)
        self.most_tokens = total.get("token", 0)
        # What is bought must fit, too, and HP never reach what stands for unwinnable.
        more = goods.most(total.get("gold", 0), self.most_tokens)
        total |= {name: total[name] + amount for name, amount in more.items()}
        pack(total, 0)
        if total["hp"] >= LOST:
            raise NotTrade
        reach = self._mask(self.state.hero.reach & ~self.state.world.gone)
        return np.array(
            [hero["hp"], *words, left["hp"], pack(left, 0), pack(left, 1), *reach],
            np.int64,
        )

    def _must(self, gates: list[MapObject]) -> Table:
        """Numbers of the monsters that must be fought, in rows of `kinds`."""
        board, world = self.board, self.state.world
        goals = board.goal_mask
        everything = sum(1 << thing.index for thing in board.objects if thing.actions)
        found = []
        for i, thing in enumerate(gates):
            if thing.monster < 0 or len(thing.actions) > 1:
                continue
            if thing.goal and goals.bit_count() == 1:
                found.append(i)
            gone = everything & ~(1 << thing.index) | world.gone
            reach = board.spread(
                self.state.hero.reach, self.state.hero.reach & gone, gone, 0
            )
            if not reach & goals:
                found.append(i)
        return np.array(found, np.int64)

    def _tools(self, things: list[MapObject]) -> Table:
        mask = 0
        for i, thing in enumerate(things):
            for action in thing.actions:
                if "pickaxe" in named(action.row.gain):
                    mask |= 1 << i
        return np.array(as_words(mask, self.words[1]), np.int64)

    def _locks(self, gates: list[MapObject]) -> Table:
        fields = FIELDS[2]
        table = np.zeros((len(fields), 2 + self.words[0]), np.int64)
        shift = 0
        for at, (name, bits) in enumerate(fields):
            one = 1 << shift
            mask = 0
            for i, thing in enumerate(gates):
                cost = named(thing.actions[0].row.cost)
                if name in cost:
                    if cost != {name: 1} or thing.goal:
                        mask = -1
                        break
                    mask |= 1 << i
            table[at, 0] = shift if mask >= 0 and name != "pickaxe" else -1
            table[at, 1] = one * ((1 << bits) - 1)
            table[at, 2:] = as_words(max(mask, 0), self.words[0])
            shift += bits + 1
        return table


def build(tower: Tower, state: State) -> Problem:
    """The problem of a state.

    Raises:
        NotTrade: the state needs the general search.
    """
    return Builder(tower, state).build()
