"""A tower as the integer tables of the compiled search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mt_gym.engine.actions import (
    CLEAR,
    FIGHT,
    REMOVE,
    REVEAL,
    SCALE,
    SET,
    STRENGTHEN,
    WON,
    CompiledRow,
    MapObject,
)
from mt_gym.engine.board import Board
from mt_gym.engine.game import fight_arguments
from mt_gym.engine.kinds import KEYS, RESOURCES, YELLOW
from mt_gym.engine.state import bits
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError
from mt_gym.solver.tower import layout as at
from mt_gym.solver.tower.mandatory import mandatory_objects

N_COLOURS = len(KEYS)


class Tables(NamedTuple):
    """What compiled functions take: see `Net`, whose tables these are.

    Attributes:
        n_kinds: number of monster kinds; `boosts` rows that scale a resource.
        restless: whether rows that run by themselves wait for resources.
    """

    words: int
    n_kinds: int
    triggers: int
    objects: Any
    near: Any
    kinds: Any
    rows: Any
    effects: Any
    things: Any
    offers: Any
    sales: Any
    hash_keys: Any
    specials: Any
    boosts: Any
    restless: bool


@dataclass(frozen=True, eq=False)
class Net:
    """Tables of a tower, all of int64 (see `layout` for their columns).

    Attributes:
        tower: the tower.
        words: length of an object mask in int64 words.
        objects: one row per object; `near` their neighbours, one after the other.
        kinds: one row per monster kind and epoch.
        rows: rows of the effect table; triggers come last.
        effects: tuples (code, a, b, c); `things` lists of objects that rows name.
        offers: purchases, the cheapest per point first; `sales` what can be sold.
        keys: random words that hash a mask.
        triggers: number of the first trigger in `rows`.
        specials: objects whose rows may run by themselves.
        mandatory: objects without which no play wins.
    """

    tower: Tower
    words: int
    objects: Any
    near: Any
    kinds: Any
    rows: Any
    effects: Any
    things: Any
    offers: Any
    sales: Any
    keys: Any
    triggers: int
    specials: Any
    mandatory: frozenset[int]

    def tables(self, optional: int = 100) -> Tables:
        """The tables that compiled functions take.

        Args:
            optional: weight of a monster that can be left out; others have 100.
        """
        objects = self.objects.copy()
        mandatory = objects[:, at.MANDATORY] > 0
        objects[:, at.WEIGHT] = np.where(mandatory, 100, optional)
        return Tables(
            words=self.words,
            n_kinds=len(self.tower.board.monsters),
            triggers=self.triggers,
            objects=objects,
            near=self.near,
            kinds=self.kinds,
            rows=self.rows,
            effects=self.effects,
            things=self.things,
            offers=self.offers,
            sales=self.sales,
            hash_keys=self.keys,
            specials=self._alive(self.specials, self.specials),
            boosts=self._boosts(),
            restless=self._restless(),
        )

    def _restless(self) -> bool:
        """Whether a row that runs by itself has a cost or asks for resources."""
        alone = self.rows[:, at.R_AUTO] > 0
        alone[self.triggers :] = True
        asks = self.rows[:, at.R_COST : at.R_GAIN].any(1)
        asks |= self.rows[:, at.R_NEEDS : at.R_OPEN].any(1)
        return bool((alone & asks).any())

    def _boosts(self) -> Any:
        """Rows that scale a resource, talks and items; not empty."""
        scaling = self.rows[: self.triggers, at.R_SCALES] > 0
        fights = self.rows[: self.triggers, at.R_FIGHT] > 0
        rows = np.flatnonzero(scaling & ~fights)
        return self._alive(rows, self.rows[rows, at.R_OBJECT])

    def _alive(self, numbers: Any, things: Any) -> Any:
        """Those numbers whose objects can be acted on, or [-1]."""
        if len(numbers) == 0 or numbers[0] < 0:
            return np.array([-1], np.int64)
        alive = numbers[self.objects[things, at.CLASS] != at.INERT]
        return alive.astype(np.int64) if len(alive) else np.array([-1], np.int64)

    @property
    def width(self) -> int:
        """Columns of a state."""
        return at.MASKS + 2 * self.words


def build(tower: Tower) -> Net:
    """The tables of a tower.

    Raises:
        MtGymError: the tower has something that this search does not know.
    """
    return _Builder(tower).net()


class _Builder:
    def __init__(self, tower: Tower) -> None:
        self.tower = tower
        self.board: Board = tower.board
        self.near: list[int] = []
        self.rows: list[list[int]] = []
        self.effects: list[tuple[int, int, int, int]] = []
        self.things: list[int] = []
        self.offers: list[list[int]] = []
        self.sales: list[list[int]] = []
        self.shops: list[int] = []
        self.hidden = bits(self.board.start_hidden)
        self._check()

    def _check(self) -> None:
        board = self.board
        for what, found, most in (
            ("script flags", len(board.flag_names), 62),
            ("hidden objects", len(self.hidden), 62),
            ("strengthened kinds", len(board.epoch_names), 15),
            ("monster kinds", len(board.monsters), at.KINDS),
        ):
            if found > most:
                raise MtGymError(
                    f"{self.tower.name!r} has {found} {what}; the tower search "
                    f"knows {most} at most"
                )
        if any(len(kind.values) > at.EPOCH_LIMIT for kind in board.monsters):
            raise MtGymError(
                f"{self.tower.name!r}: a monster kind has more than "
                f"{at.EPOCH_LIMIT} sets of values"
            )

    def net(self) -> Net:
        """Every table."""
        board = self.board
        mandatory = mandatory_objects(board)
        objects = np.zeros((board.n_objects, at.OBJECT_COLUMNS), np.int64)
        self.needed = Counter(
            flag for row in self._all_rows() for flag in bits(row.flags)
        )
        for thing in board.objects:
            self._object(objects[thing.index], thing, thing.index in mandatory)
        triggers = len(self.rows)
        for row in board.triggers:
            self._row(row, -1, -1, False)
        for number, own in enumerate(self.rows):
            if own[at.R_AUTO] or number >= triggers:
                start = own[at.R_GONE]
                for index in self.things[start : start + own[at.R_N_GONE]]:
                    objects[index, at.WATCHED] = 1
        specials = [
            thing.index
            for thing in board.objects
            if objects[thing.index, at.CLASS] == at.SPECIAL
        ]
        return Net(
            tower=self.tower,
            words=(board.n_objects + 63) // 64,
            objects=objects,
            near=_table(self.near),
            kinds=self._kinds(),
            rows=_table(self.rows, at.ROW_COLUMNS),
            effects=_table([list(effect) for effect in self.effects], 4),
            things=_table(self.things),
            offers=_table(sorted(self.offers, key=_per_point), at.OFFER_COLUMNS),
            sales=_table(self.sales, at.OFFER_COLUMNS),
            keys=np.random.default_rng(1).integers(
                -(1 << 62), 1 << 62, board.n_objects, np.int64
            ),
            triggers=triggers,
            specials=_table(specials),
            mandatory=mandatory,
        )

    def _all_rows(self) -> Iterator[CompiledRow]:
        for action in self.board.actions:
            yield action.row
        yield from self.board.triggers

    def _object(self, out: Any, thing: MapObject, mandatory: bool) -> None:
        board = self.board
        bit = 1 << thing.index
        out[at.CLASS] = self._class(thing)
        out[at.KIND] = thing.monster
        out[at.KEY] = -1
        out[at.PARTNER] = thing.partner
        out[at.ABOVE] = board.stacked.get(thing.index, -1)
        out[at.HIDDEN] = self.hidden.index(thing.index) if thing.hidden else -1
        out[at.GOAL] = thing.goal
        out[at.MANDATORY] = mandatory
        out[at.WEIGHT] = 100
        out[at.FREE_FIGHT] = bool(board.automatic_fights & bit)
        out[at.NEAR], out[at.N_NEAR] = self._near(board.near[thing.index])
        kind = out[at.CLASS]
        out[at.GATEWAY] = kind in (at.FIGHT_OBJECT, at.DOOR, at.SPECIAL)
        if kind == at.AUTO:
            for resource, amount in thing.actions[0].row.gain:
                out[at.GAIN + resource] = amount
            gain = thing.actions[0].row.gain
            out[at.GIVES] = gain[0][0] if len(gain) == 1 else -2 if gain else -1
            for effect in thing.actions[0].row.effects:
                out[at.SETS] |= effect[1]
        elif kind == at.LEAVE:
            landing = board.near_cell(thing.landing)
            out[at.EXIT], out[at.N_EXIT] = self._near(landing)
        elif kind == at.SHOP_OBJECT:
            self._shop(out, thing)
        elif kind == at.DOOR:
            out[at.KEY] = thing.actions[0].row.cost[0][0]
        if kind in (at.FIGHT_OBJECT, at.SPECIAL):
            out[at.ROWS] = len(self.rows)
            out[at.N_ROWS] = len(thing.actions)
            for action in thing.actions:
                fight = action.code == FIGHT
                if action.verb in ("bomb", "break", "choose"):
                    raise self._unknown(thing, f"the verb {action.verb!r}")
                self._row(action.row, thing.index, action.index, fight)

    def _unknown(self, thing: MapObject, what: str) -> MtGymError:
        return MtGymError(
            f"{self.tower.name!r}: the tower search does not know {what} of "
            f"{thing.name} at {thing.spot}"
        )

    def _class(self, thing: MapObject) -> int:
        board = self.board
        bit = 1 << thing.index
        if not thing.actions:
            return at.INERT
        if thing.kind.type == "shop":
            return at.SHOP_OBJECT
        if thing.placement.one_way:
            return at.LEAVE
        if bit & board.fight_mask:
            return at.FIGHT_OBJECT
        for _, doors in board.door_masks:
            if bit & doors and not thing.scripted:
                return at.DOOR
        plain = bit & board.free_mask and not thing.scripted and not thing.goal
        if plain and not thing.kind.manual:
            return at.AUTO
        return at.SPECIAL

    def _near(self, mask: int) -> tuple[int, int]:
        start = len(self.near)
        self.near += bits(mask & self.board.object_mask)
        return start, len(self.near) - start

    def _shop(self, out: Any, thing: MapObject) -> None:
        out[at.SHOP] = len(self.shops)
        self.shops.append(thing.index)
        for action in thing.actions:
            row = action.row
            if row.counter >= 0 or row.doubles >= 0 or row.conditional or row.effects:
                raise self._unknown(thing, "a price or an offer that changes")
            if len(row.cost) != 1:
                raise self._unknown(thing, "a price in several currencies")
            (currency, price) = row.cost[0]
            single = len(row.gain) == 1
            offer = [
                int(out[at.SHOP]),
                currency,
                price,
                action.index,
                row.gain[0][0] if single else at.MANY,
                row.gain[0][1] if single else sum(amount for _, amount in row.gain),
                *(0 for _ in RESOURCES),
            ]
            for resource, amount in row.gain:
                offer[at.O_GAIN + resource] = amount
            if YELLOW <= currency < YELLOW + N_COLOURS:
                self.sales.append(offer)
            else:
                self.offers.append(offer)

    def _row(self, row: CompiledRow, thing: int, action: int, fight: bool) -> None:
        if row.counter >= 0 or row.doubles >= 0:
            raise MtGymError(
                f"{self.tower.name!r}: the tower search does not know growing prices"
            )
        out = [0] * at.ROW_COLUMNS
        out[at.R_OBJECT] = thing
        out[at.R_ACTION] = action
        out[at.R_FLAGS] = row.flags
        out[at.R_WITHOUT] = row.without
        out[at.R_GONE] = len(self.things)
        gone = bits(row.gone)
        self.things += gone
        out[at.R_N_GONE], out[at.R_COUNT] = len(gone), row.count
        out[at.R_EFFECTS], out[at.R_N_EFFECTS] = len(self.effects), len(row.effects)
        out[at.R_CONSUMES] = thing >= 0 and bool(row.removes >> thing & 1)
        out[at.R_FIGHT] = fight
        for resource, amount in row.cost:
            out[at.R_COST + resource] = amount
        for resource, amount in row.gain:
            out[at.R_GAIN + resource] = amount
        for resource, amount in row.needs:
            out[at.R_NEEDS + resource] = amount
        for code, a, b, c in row.effects:
            if code in (REMOVE, REVEAL):
                a = a.bit_length() - 1
            self.effects.append((code, a, b, c))
        codes = {effect[0] for effect in row.effects}
        out[at.R_SCALES] = SCALE in codes
        out[at.R_PAYS] = bool(row.cost or row.gain)
        waits = row.cost or row.needs or row.flags or row.without or gone
        out[at.R_OPEN] = not waits
        needed_again = any(
            self.needed[flag] > (row.flags >> flag & 1)
            for effect in row.effects
            if effect[0] == CLEAR
            for flag in bits(effect[1])
        )
        wins = any(e[0] == SET and e[1] & WON for e in row.effects)
        manual = thing >= 0 and self.board.objects[thing].kind.manual
        out[at.R_AUTO] = not (
            fight
            or row.cost
            or codes & {SCALE, STRENGTHEN}
            or needed_again
            or wins
            or manual
        )
        self.rows.append(out)

    def _kinds(self) -> Any:
        board = self.board
        table = np.zeros((at.KINDS * at.EPOCH_LIMIT, at.KIND_COLUMNS), np.int64)
        for number, kind in enumerate(board.monsters):
            for epoch in range(at.EPOCH_LIMIT):
                stats = kind.values[min(epoch, len(kind.values) - 1)]
                out = table[number * at.EPOCH_LIMIT + epoch]
                arguments = fight_arguments(kind, stats)
                out[: len(arguments)] = arguments
                out[at.K_GOLD], out[at.K_EXP] = stats.gold, stats.exp
                out[at.K_SLOT] = board.epoch_of[number]
                plain = (*arguments[3:6], arguments[7], arguments[9], *arguments[11:])
                out[at.K_PLAIN] = plain == (0, 1, 0, 0, 0, 0, 0)
        return table


def _per_point(offer: list[int]) -> tuple[int, float, int]:
    amount = offer[at.O_AMOUNT]
    return (
        offer[at.O_GIVES],
        offer[at.O_PRICE] / amount if amount else 0.0,
        offer[at.O_ACTION],
    )


def _table(values: list[Any], columns: int = 0) -> Any:
    """An int64 array; never empty, so that compiled code can index it."""
    if columns and not values:
        return np.zeros((0, columns), np.int64)
    if not columns and not values:
        return np.full(1, -1, np.int64)
    return np.array(values, np.int64)
