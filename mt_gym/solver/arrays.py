"""The flat arrays that the compiled search works on, and where things are in them.

Gateways (all that is not taken automatically) are numbered from 0; a set of them is
W int64 words, the lowest gateway in the lowest bit.  One array `data` holds a
problem, one array `work` the search's own numbers: compiled functions pass two
arrays quickly and twenty slowly.  Both begin with the offsets of their parts.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Flat(Protocol):
    """A flat array of integers, as compiled functions read and write it."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


Tag = tuple[int, ...]
"""W zeros: the number of words, known when a function is compiled."""

# Rules of the search, as bits.
FREE, CHAINS, DOORS, PROFIT, BOUNDS, USELESS = 1, 2, 4, 8, 16, 32

# Resources that are paid at gateways, `KEY_BITS` each in one word.
KEY_BITS: Final = 12
KEY_LIMIT: Final = (1 << (KEY_BITS - 1)) - 1
COLOURS: Final = 5
GUARDS: Final = sum(1 << (KEY_BITS * c + KEY_BITS - 1) for c in range(COLOURS))
"""The bit of each field that no count reaches."""

LOST: Final = 1 << 40
"""A cost or a deficit that no hero can pay."""

# Parts of `data`.  Counts: gateways, regions, monster kinds, attributes in the table
# of losses (0: no table), sets of weights, gateways in `ORDER`.
N, M, KINDS, TABLE, WEIGHTS, ORDERED = range(6)
# Three scalars of the bound: HP of all potions, 1 if HP can be scaled, most HP that
# a goal itself gives.
ALL_HP, SCALED, GOAL_HP = 6, 7, 8
FALLING: Final = 31
"""Scalar: 1 if no loss rises with an attribute."""
LOOPS: Final = 32
"""Scalar: 1 if anything can be reached in two ways."""
SHORT: Final = 34
"""Scalar: 1 if the keys of some colour do not suffice for all of its doors."""
WORTHY: Final = 33
"""Offset of W words: gateways that give something themselves or win."""
# Offsets of rows and lists:
#   GATE [N, G_STRIDE + W], REGION [M, R_STRIDE + W]   see the columns below
#   OPENS      regions by the gateway that opens them (columns G_FROM to G_TO)
#   OWN        regions by closest dominator (G_OWN_FROM to G_OWN_TO), then those
#              without one (ROOT_FROM to ROOT_TO)
#   ORDER      gateways in reach but for goals, dominators first
#   FIGHT [KINDS, 14]  arguments of `rules.fight_loss`, and 1 if HP matters
#   BASE [11]  ATK, DEF, MDEF at attribute 0; strides of ATK and DEF; how many values
#              each has; their units
#   LOSS [KINDS, TABLE]  losses, `LOST` if unwinnable, least ones where HP matters
#   FREE_AT, PROFIT_AT [TABLE, W]  monsters that cost nothing; that cost their least
#              and guard at least that much HP
#   GOAL, ITEMS, HARM [W]  gateways that win; explicit items, which are harmless once
#              HARM is gone
#   DOORS_OF, MUST_OPEN [COLOURS, W]  one-key doors; those every win must open
#   KEYS_OF [COLOURS, 2]  doors in reach, keys held or to be had
#   WEIGHT [WEIGHTS, 3]  HP per attribute unit
#   PRIZE [WEIGHTS, M], WHOLE [WEIGHTS, N]  what a region, and a gateway with its own
#              regions less its least cost, is worth
#   GOAL_COST [WEIGHTS, max(1, TABLE)]  least cost of a goal less the weights' credit
GATE, REGION, OPENS, OWN, ORDER, FIGHT, BASE, LOSS = range(9, 17)
FREE_AT, PROFIT_AT, GOAL, ITEMS, HARM, DOORS_OF, MUST_OPEN = range(17, 24)
KEYS_OF, WEIGHT, PRIZE, WHOLE, GOAL_COST, ROOT_FROM, ROOT_TO = range(24, 31)
HEADER: Final = 40

# Columns of a gateway: its monster's row or -1, what it is paid with (or -1) and how
# much, what it gives, the ratio by which it multiplies HP, its regions, whether a key
# of its colour lies behind it, its least cost, whether all wins pass it, its closest
# dominator or -1, its own regions; then the gateways it exposes.
G_KIND, G_COLOUR, G_AMOUNT, G_HP, G_KEYS, G_ATTR, G_NUM, G_DEN = range(8)
G_FROM, G_TO, G_PAYS, G_LEAST, G_MUST, G_PARENT, G_OWN_FROM, G_OWN_TO = range(8, 16)
G_STRIDE: Final = 16

# Columns of a region: what lies in it; then the gateways that open it.
R_GIVES_HP, R_GIVES_KEYS, R_GIVES_ATTR = range(3)
R_STRIDE: Final = 3

# Columns of BASE.
B_ATK, B_DEF, B_MDEF, B_ATK_STRIDE, B_DEF_STRIDE = range(5)
B_ATKS, B_DEFS, B_MDEFS, B_ATK_UNIT, B_DEF_UNIT, B_MDEF_UNIT = range(5, 11)
B_SIZE: Final = 11
F_STRIDE: Final = 14
F_VAMPIRE: Final = 13

# Parts of `work`: counters first, then offsets.
STORED, CAPACITY, LAYER, CURSOR, EXPANDED, BEST, BEST_FROM, BEST_GOAL, PRUNED = range(9)
CUT, THRESHOLD, ALLOWED, WIDTH, RULES, LAYERS, SLOTS = range(9, 16)
# LEVEL [depth, L_STRIDE + 3 W] a state per depth of a chain; LOG [N + 1] gateways
# removed, in order; VALUE [N + COLOURS]; POOL [COLOURS, N]; TARGET [W + 2] removed
# set, HP and keys that a trace looks for; BEST_SET [W + 1] removed set and keys when
# the best goal was reached; HEAD, SIZE [LAYERS] records of each layer; WORTH [W]
# gateways that matter.
LEVEL, LOG, VALUE, POOL, TARGET, BEST_SET, HEAD, SIZE, WORTH = range(16, 25)
WORK_HEADER: Final = 25

# Columns of a level; then W words each of the removed, the exposed and the set of
# gateways still to be tried.
HP, KEYS, ATTR, GAVE, LOGGED, TOTAL = range(6)
L_STRIDE: Final = 6

# Columns of a record; then W words each of the removed and the exposed set.
S_HP, S_KEYS, S_ATTR, S_PARENT, S_NEXT, S_RISE = range(6)
S_STRIDE: Final = 6


def as_words(mask: int, words: int) -> list[int]:
    """A mask as W signed words."""
    found = []
    for _ in range(words):
        word = mask & 0xFFFF_FFFF_FFFF_FFFF
        found.append(word - (1 << 64) if word >> 63 else word)
        mask >>= 64
    return found


def as_mask(words: Any) -> int:
    """The mask of a row of words."""
    mask = 0
    for place, word in enumerate(words):
        mask |= (int(word) & 0xFFFF_FFFF_FFFF_FFFF) << (64 * place)
    return mask
