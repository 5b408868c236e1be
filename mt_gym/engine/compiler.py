"""Turns the rows of a map file into rows of numbers and masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

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
from mt_gym.engine.graph import Graph
from mt_gym.engine.kinds import (
    RESOURCE_INDEX,
    Amounts,
    Condition,
    Effect,
    Kind,
    Row,
    Spot,
    TowerData,
)


class Compiler:
    """Names of a tower's flags, epochs and counters, and their numbers.

    Attributes:
        flags: flag names; the number of a flag is its rank, `won` is 0.
        epochs: monster kinds that a script can strengthen.
        counters: shops whose prices grow.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        data = graph.data
        names = ["won", *(kind.name for kind in data.kinds if kind.carried)]
        strengthened = set()
        for row in all_rows(data):
            names += [*row.condition.flags, *row.condition.without]
            names += [e.name for e in row.effects if e.op in ("set", "clear")]
            strengthened |= {e.name for e in row.effects if e.op == "strengthen"}
        self.flags = list(dict.fromkeys(names))
        self.epochs = tuple(k.name for k in data.kinds if k.name in strengthened)
        self.counters = tuple(
            k.name for k in data.kinds if any(row.growth for row in k.rows)
        )

    def row(
        self, row: Row, removes: int, kind: Kind | None, rank: int = 0
    ) -> CompiledRow:
        """A row of an object of a kind, or of a trigger (`kind` None).

        `rank` is the place of the row among those of its object.
        """
        condition = row.condition
        gone = self._objects(condition.gone)
        without = self.flag_mask(condition.without)
        effects: list[tuple[int, int, int, int]] = []
        counter = -1
        if kind is not None:
            if kind.carried:
                effects.append((SET, self.flag_mask([kind.name]), 0, 0))
            if row.once:
                bit = self._once_flag(kind, rank)
                without |= bit
                effects.append((SET, bit, 0, 0))
            if kind.name in self.counters:
                counter = self.counters.index(kind.name)
        effects += [self._operation(effect) for effect in row.effects]
        return CompiledRow(
            cost=_indexed(row.cost),
            gain=_indexed(row.gain),
            needs=_indexed(condition.holds),
            flags=self.flag_mask(condition.flags),
            without=without,
            gone=gone,
            count=condition.count or gone.bit_count(),
            counter=counter,
            growth=row.growth,
            doubles=RESOURCE_INDEX[row.doubles_with] if row.doubles_with else -1,
            removes=removes,
            effects=tuple(effects),
            source=row,
        )

    def trigger(self, number: int, row: Row) -> CompiledRow:
        """A row that runs once, as soon as its condition holds."""
        self.flags.append(f"script {number + 1}")
        bit = 1 << (len(self.flags) - 1)
        plain = self.row(row, 0, None)
        return replace(
            plain,
            without=plain.without | bit,
            effects=((SET, bit, 0, 0), *plain.effects),
        )

    def flag_mask(self, names: Iterable[str]) -> int:
        """Bits of named flags."""
        mask = 0
        for name in names:
            mask |= 1 << self.flags.index(name)
        return mask

    def _once_flag(self, kind: Kind, rank: int) -> int:
        """A flag for one row of a kind, the same for all objects of the kind."""
        name = f"{kind.name}: talk {rank + 1}"
        if name not in self.flags:
            self.flags.append(name)
        return self.flag_mask([name])

    def _objects(self, spots: Iterable[Spot]) -> int:
        mask = 0
        for spot in spots:
            mask |= 1 << self.graph.object_at(spot)
        return mask

    def _operation(self, effect: Effect) -> tuple[int, int, int, int]:
        graph = self.graph
        if effect.op == "win":
            return (SET, WON, 0, 0)
        if effect.op in ("set", "clear"):
            code = SET if effect.op == "set" else CLEAR
            return (code, self.flag_mask([effect.name]), 0, 0)
        if effect.op == "strengthen":
            last = len(graph.kinds[effect.name].values) - 1
            return (STRENGTHEN, self.epochs.index(effect.name), last, 0)
        if effect.op == "scale":
            num, den = effect.ratio
            return (SCALE, RESOURCE_INDEX[effect.name], num, den)
        assert effect.spot is not None
        found = graph.at[graph.cell(effect.spot)]
        if effect.op == "remove":
            return (REMOVE, 1 << found[0], 0, 0)
        hidden = [i for i in found if graph.placed[i].hidden]
        return (REVEAL, 1 << hidden[0], 0, 0)


def all_rows(data: TowerData) -> Iterator[Row]:
    """Every row of a map file: of kinds, then of scripts."""
    for kind in data.kinds:
        yield from kind.rows
    for script in data.scripts:
        yield script.row


def merged(main: Row, script: Row) -> Row:
    """A row with the condition, cost, gain and effects of a script added."""
    one, two = main.condition, script.condition
    condition = Condition(
        holds=_larger(one.holds, two.holds),
        flags=(*one.flags, *two.flags),
        without=(*one.without, *two.without),
        gone=(*one.gone, *two.gone),
        count=one.count or two.count,
    )
    return replace(
        main,
        verb="finish" if script.verb == "finish" else main.verb,
        condition=condition,
        cost=_sum(main.cost, script.cost),
        gain=_sum(main.gain, script.gain),
        effects=(*main.effects, *script.effects),
        text=main.text or script.text,
    )


def _indexed(values: Amounts) -> tuple[tuple[int, int], ...]:
    return tuple((RESOURCE_INDEX[name], amount) for name, amount in values)


def _sum(one: Amounts, two: Amounts) -> Amounts:
    total = dict(one)
    for name, amount in two:
        total[name] = total.get(name, 0) + amount
    return tuple((name, total[name]) for name in RESOURCE_INDEX if name in total)


def _larger(one: Amounts, two: Amounts) -> Amounts:
    first, second = dict(one), dict(two)
    return tuple(
        (name, max(first.get(name, 0), second.get(name, 0)))
        for name in RESOURCE_INDEX
        if name in first or name in second
    )
