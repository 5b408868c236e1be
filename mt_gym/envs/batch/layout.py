"""Where things are in the flat arrays of the batch environment.

`data` holds the tables of all towers, one after the other, each with offsets from
its own beginning; `rows` holds one row of integers per copy, its state.  A set of
objects is W int64 words, object 0 in the lowest bit.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

N_RESOURCES: Final = 14

# -- a copy's row: the resources, then these, then the sets --------------------------
S_POSITION, S_TURN, S_OUTCOME, S_TOWER, S_TABLE, S_SPARE = range(14, 20)
S_SETS: Final = 20
"""Words of gone, hidden, reach and legal; then flags, counts, epochs.

`legal` holds the objects whose only action is legal, noted after every change.
"""

OUTCOMES: Final = (None, "won", "died", "stuck", "turn_limit")
NONE, WON, DIED, STUCK, TURN_LIMIT = range(5)

# -- head of a tower's table ---------------------------------------------------------
# Counts: objects, actions, floors, monster kinds, counters, epochs, triggers, flags
# (floors follow as "visited").
T_OBJECTS, T_ACTIONS, T_FLOORS, T_KINDS, T_COUNTERS, T_EPOCHS = range(6)
T_TRIGGERS, T_FLAGS, T_MAX_TURNS, T_REFERENCE, T_MONSTERS = range(6, 11)
# Offsets of parts; T_LOSSES is 0 without a table of losses.  T_ATK, T_ATKS: the lowest
# ATK in it and how many points it spans; T_ATK_AXIS: for each of them what it adds to
# the place of the losses, NOWHERE for those between its steps.
T_OBJECT_AT, T_ACTION_AT, T_TRIGGER_AT, T_KIND_AT, T_MASK_AT = range(11, 16)
T_CELL_AT, T_POOL_AT, T_STAIRS_AT, T_STAIRS, T_LOSSES, T_START_CELL = range(16, 22)
T_ATK, T_DEF, T_MDEF, T_ATKS, T_DEFS, T_MDEFS = range(22, 28)
T_ATK_AXIS, T_DEF_AXIS, T_MDEF_AXIS, T_SCALE_AT, T_GENERAL = range(28, 33)
T_START_HP, T_CELLS, T_DEPTH, T_SHARE_NUM, T_SHARE_DEN = range(33, 38)
T_PAINT_AT, T_STRAIGHT, T_CHANGES, T_HP_COUNTS = range(38, 42)
T_HEAD: Final = 44
NOWHERE: Final = -(1 << 40)

# -- an action or a trigger: lists are (offset in the pool, length) ------------------
A_CODE, A_OBJECT, A_COST, A_COSTS, A_GAIN, A_GAINS, A_NEED, A_NEEDS = range(8)
A_FLAG, A_FLAGS, A_NOT, A_NOTS, A_GONE, A_GONES, A_COUNT = range(8, 15)
A_COUNTER, A_GROWTH, A_DOUBLES, A_REMOVE, A_REMOVES = range(15, 20)
A_EFFECT, A_EFFECTS, A_GENERAL = range(20, 23)
A_STRIDE: Final = 23

# -- what the features read of an action: object or -1, monster kind of a fight or -1,
# HP that it gives, whether it is looked at one by one, whether it changes
P_OBJECT, P_KIND, P_HP_GAIN, P_GENERAL, P_CHANGES = range(5)
P_STRIDE: Final = 5

# -- an object: then W words of what its removal exposes, W of its landing -----------
O_FIRST, O_ACTIONS, O_KIND, O_ABOVE, O_CELL, O_FLOOR, O_LANDING = range(7)
O_ONE_WAY, O_BLOCKS, O_UP, O_TYPE, O_PARTNER = range(7, 12)
# What the annotations read: hand-set value in hundredths, slot of the key of a door or
# -1, then what an item gives: ATK, DEF, MDEF, HP, and keys of four colours.
O_VALUE, O_COLOUR, O_ATK, O_DEF, O_MDEF, O_HEAL, O_KEYS = range(12, 19)
O_STRIDE: Final = 22

TYPES: Final = (
    "monster",
    "door",
    "gate",
    "bars",
    "item",
    "crystal",
    "shop",
    "stairs",
    "wall",
)
MONSTER, DOOR, GATE, BARS, ITEM, CRYSTAL, SHOP, STAIRS, WALL = range(9)

# -- a monster kind: head, then K_STRIDE integers per epoch --------------------------
K_FIRST, K_EPOCH, K_VAMPIRE = range(3)
K_HEAD: Final = 3
K_GOLD, K_EXP = 13, 14
K_STRIDE: Final = 15

# -- masks, W words each -------------------------------------------------------------
(
    M_FREE,
    M_FIGHT,
    M_GENERAL,
    M_MONSTER,
    M_ITEMS,
    M_FIGHTS,
    M_GATES,
    M_STAIRS,
    M_YELLOW,
    M_BLUE,
    M_RED,
    M_GREEN,
    M_ANYWHERE,
    M_AUTOMATIC,
    M_ITEM,
    M_DOOR,
    M_GATE,
    M_GOAL,
    M_NEEDED,
    M_OBJECTS,
) = range(20)
N_MASKS: Final = 20
"""After them one mask per floor."""

# -- a cell --------------------------------------------------------------------------
C_FLOOR, C_WALL, C_REGION, C_STEP, C_STEPS, C_AT, C_ATS = range(7)
C_STRIDE: Final = 7


class Shape:
    """Sizes that all copies of a batch share.

    Attributes:
        words: W; flags, counts, epochs: words and numbers of each in a row.
        stride: integers of a row.
    """

    def __init__(self, words: int, flags: int, counts: int, epochs: int) -> None:
        self.words, self.flags = words, flags
        self.counts, self.epochs = counts, epochs
        self.flags_at = S_SETS + 4 * words
        self.counts_at = self.flags_at + flags
        self.epochs_at = self.counts_at + counts
        self.stride = self.epochs_at + epochs

    def numbers(self, memo: int, cells: int) -> Ints:
        """What compiled functions read.

        W, stride, offsets in a row, then the number of answers that are remembered
        (a power of two) and room for the cells of a search.
        """
        return np.array(
            [
                self.words,
                self.stride,
                self.flags_at,
                self.counts_at,
                self.epochs_at,
                self.flags,
                memo,
                cells,
            ],
            np.int64,
        )


Z_WORDS, Z_STRIDE, Z_FLAGS, Z_COUNTS, Z_EPOCHS, Z_FLAG_WORDS, Z_MEMO, Z_CELLS = range(8)
