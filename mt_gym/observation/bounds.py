"""How long an observation of a tower can become: a bound, proved from its data.

Generous by design: it sizes a text space once, and no text is ever cut to fit it.
"""

from __future__ import annotations

from typing import Final

from mt_gym.analysis.options import Options
from mt_gym.analysis.tower.scripts import scripts
from mt_gym.analysis.tower.treasures import SHOWN
from mt_gym.engine.board import BUY, SELL, Action
from mt_gym.engine.kinds import RESOURCES, Kind
from mt_gym.engine.tower import Tower
from mt_gym.observation.names import labels
from mt_gym.observation.specials import SPECIALS

_BLOCK: Final = 4000
"""Literal characters of the state block, note and request, without names and
numbers (they hold fewer than 2,000)."""

_ENTRY: Final = 2000
"""Literal characters of an entry's header and lines, without its tree."""

_NUMBERS: Final = 64
"""Numbers in the state block, and in an entry without its tree (fewer than 40)."""

_MONSTER: Final = 56
"""Literal characters around a gateway or a fight to come."""

_LEAST_DIGITS: Final = 9


SOAKED: Final = 1_000_000
"""What stands in for the proved bound on maps of several floors where that gives more;
some thirty times the longest text of random and heuristic play there."""


def max_length(
    tower: Tower, kind: str, annotations: frozenset[str], options: Options
) -> int:
    """Characters that no observation of an episode exceeds.

    Proof, part by part.  *Numbers*: every hero's number is at most what he starts
    with plus the largest gain of one turn for every turn, doubled by every token,
    times every scaling; a loss is at most a fixed multiple of that; what is printed
    adds losses or values of the tower's objects and multiplies by 200 at the most.
    *Trees*: an object is in one node of a tree at most, and in none if it is
    listed; a gateway is passed once at most.  So with k objects of a floor listed,
    a tree of that floor names at most n - k objects and has at most as many nodes
    below the root, each with at most `lookahead_depth` gateways.  The bound takes
    the worst k per floor.  *Else*: every object, offer and floor is named at most
    once per line in which it can be named, between literals of bounded length.

    Args:
        tower: the tower, `kind` and `options` of the observation.
        annotations: not looked at: switched off, they only shorten the text.

    Numbers of a state that no episode from the start could reach are not covered,
    unless they have at most `_LEAST_DIGITS` digits.
    """
    key = ("max_length", kind == "bare", options)
    bounds = tower.caches.setdefault("bounds", {})
    if key not in bounds:
        proved = _Bound(tower, options).total(bare=kind == "bare")
        bounds[key] = min(proved, SOAKED) if len(tower.floors) > 1 else proved
    return int(bounds[key])


class _Bound:
    def __init__(self, tower: Tower, options: Options) -> None:
        self.tower, self.options = tower, options
        self.board = tower.board
        self.number = _digits(tower, options)
        self.names = [
            max(len(str(part)) for part in label) + 8 for label in labels(tower)
        ]
        self.longest = max(self.names, default=0)
        kinds = self.board.monsters
        self.tags = max((_tag_length(kind) for kind in kinds), default=0)
        self.monster = _MONSTER + 4 * self.number
        self.monster += max((_short_length(kind) for kind in kinds), default=0)
        self.monster += max(
            (len(label.here) for label in labels(tower)),
            default=0,
        )
        self.actions = [self._action(action) for action in tower.actions]
        self.action = max(self.actions, default=0)
        self._lines = self._entry_lines()

    def total(self, bare: bool) -> int:
        number, board = self.number, self.board
        floors = sum(
            len(fid) + 200 + 12 * number + len(floor.title)
            for fid, floor in zip(board.floor_ids, self.tower.floors, strict=True)
        )
        names = sum(self.names)
        kinds = sum(len(kind.name) + number + 4 for kind in self.tower.data.kinds)
        block = _BLOCK + _NUMBERS * number + len(self.tower.data.goal.text)
        block += len(self.tower.data.goal.name) + 2 * names + 2 * kinds
        block += 6 * (self.action + 3 * number + 80)
        purchases = sum(
            2 * (length + 80 + 3 * number)
            for action, length in zip(self.tower.actions, self.actions, strict=True)
            if action.object < 0 or action.code in (BUY, SELL)
        )
        if bare:
            lists = sum(length + number + 8 for length in self.actions)
        else:
            lists = sum(self._floor(f) for f in range(len(board.floor_ids)))
        text = block + floors + purchases + lists
        if len(board.floor_ids) > 1 and not bare:
            text += self._tower()
        return text

    def _tower(self) -> int:
        """Lines that look at all visited floors, apart from those of an entry."""
        board, number = self.board, self.number
        known = scripts(self.tower)
        each = self.longest + 60 + 12 * number
        way = 400 + max(map(int.bit_count, board.floor_mask), default=0) * each
        rows = [*known.events, *known.triggers]
        wants = sum(3 + e.row.gone.bit_count() + e.row.flags.bit_count() for e in rows)
        told = sum(
            400 + (len(e.row.effects) + len(e.row.gain)) * (self.longest + 60)
            for e in rows
        )
        shops = sum(o.kind.type == "shop" for o in board.objects)
        offers = sum(o.kind.type == "shop" for o in board.objects for _ in o.actions)
        budgets = 4 * (100 + 4 * number)
        way_up = 6 * way
        treasures = SHOWN * (way + 10 * each) + 2 * told
        ahead = 2 * shops * (2 * way + 200) + 2 * offers * (100 + 6 * number)
        red = board.door_mask.bit_count() * (400 + 4 * number)
        trips = len(board.floor_ids) * (100 + 4 * number)
        events = (wants + len(rows)) * way + 2 * told
        return budgets + way_up + treasures + ahead + red + trips + events

    def _floor(self, floor: int) -> int:
        """The block of a floor, for the worst number of listed objects."""
        things = [
            thing
            for thing in self.board.objects
            if thing.floor == floor and thing.actions
        ]
        each = max((len(thing.actions) for thing in things), default=0)
        count = len([thing for thing in self.board.objects if thing.floor == floor])
        return max(
            (k * each * self._entry(count - k) for k in range(len(things) + 1)),
            default=0,
        )

    def _entry(self, hidden: int) -> int:
        """One entry whose tree can hold `hidden` objects."""
        depth, number = self.options.lookahead_depth, self.number
        header = _ENTRY + _NUMBERS * number + self.tags + 4 * self.action
        if len(self.board.floor_ids) > 1:
            header += self._lines
        fights = 12 * self.monster
        way = depth * (self.monster + 4) + 2 * depth + 30
        tree = (hidden + 1) * way + hidden * (self.longest + self.monster)
        keys = hidden * (2 * self.longest + 60 + 4 * (number + 20))
        return header + fights + tree + keys

    def _entry_lines(self) -> int:
        """An entry's lines that look at all visited floors: names, keys, offers."""
        each, number = self.longest + 60, self.number
        offers = sum(
            o.kind.type == "shop" for o in self.board.objects for _ in o.actions
        )
        value = 3 * 7 * (each + number) + 200 + 6 * number
        doors = max(
            (
                (mask & self.board.door_mask).bit_count()
                for mask in self.board.floor_mask
            ),
            default=0,
        )
        return value + 5 * (each + number) + (offers + doors + 8) * (80 + 6 * number)

    def _action(self, action: Action) -> int:
        """Name and plain line of an action: names, amounts, conditions, effects."""
        row, source = action.row, action.row.source
        length = 160 + len(action.floor) + len(source.text) + 4 * self.number
        if action.object >= 0:
            length += 2 * self.names[action.object]
        amounts = len(row.cost) + len(row.gain) + len(row.needs)
        length += amounts * 2 * (self.number + 16)
        length += sum(
            self.longest + len(effect.name) + 40 + self.number * 2
            for effect in source.effects
        )
        condition = source.condition
        length += sum(len(flag) + 8 for flag in condition.flags)
        length += sum(len(str(spot)) + 8 for spot in condition.gone)
        return length


def _tag_length(kind: Kind) -> int:
    """Tags of a monster's abilities, long and short."""
    return sum(
        len(special.tag(kind.abilities)) + len(special.short) + 8
        for special in SPECIALS
        if special.has(kind.abilities)
    )


def _short_length(kind: Kind) -> int:
    """What stands in place of a DEF threshold."""
    return sum(
        len(special.short) + 2 for special in SPECIALS if special.has(kind.abilities)
    )


def _digits(tower: Tower, options: Options) -> int:
    """Digits, sign and point of the longest number that can be printed."""
    board, turns = tower.board, options.max_turns
    rows = [(a.row, a.row.removes or a.row.source.once) for a in board.actions]
    rows += [(row, True) for row in board.triggers]
    largest, tokens, scale = 1, dict(tower.data.hero).get("token", 0), 1
    for row, once in rows:
        times = 1 if once else turns
        largest = max(largest, *(amount for _, amount in (*row.gain, (0, 0))))
        tokens += times * sum(n for slot, n in row.gain if RESOURCES[slot] == "token")
        for effect in row.source.effects:
            if effect.op == "scale":
                scale *= (1 + effect.ratio[0] // effect.ratio[1]) ** times
    if all(row.doubles < 0 for row, _ in rows):
        tokens = 0
    stats = [stats for kind in board.monsters for stats in kind.values]
    largest = max([largest, *(max(s.gold, s.exp) for s in stats)])
    start = max((amount for _, amount in tower.data.hero), default=0)
    value = (start + turns * largest * 2**tokens) * scale
    loss = value
    for kind in board.monsters:
        able = kind.abilities
        blow = able.hits * max(s.atk for s in kind.values)
        if able.mimic:
            blow = able.hits * value
        strikes = max(s.hp for s in kind.values) + 1
        share_once = able.purify + sum(
            share[0] for share in (able.vampire, able.armour_break) if share
        )
        each = able.counter[0] if able.counter else 0
        worst = strikes * (blow + each * value) + share_once * value + able.fixed
        loss = max(loss, worst)
    most = 200 * (board.n_objects + 2) * loss
    return max(_LEAST_DIGITS, len(str(most)) + 1)
