"""Column numbers of the integer tables that the compiled search works on.

A search state is one row of int64: the hero's resources, script flags, epochs, the
objects he can act on, living monsters by kind, and two bit masks over objects.
"""

from __future__ import annotations

from typing import Final

# -- a state ---------------------------------------------------------------------
FLAGS: Final = 14
"""Resources fill columns 0 to 13, in the order of `kinds.RESOURCES`."""
REVEALED: Final = 15
EPOCHS: Final = 16
LAYER: Final = 17
SHOPS: Final = 18
COUNT: Final = 19
HASH: Final = 20
NEEDED: Final = 21
"""Mandatory doors that are still closed, by key colour (four columns)."""
LYING: Final = 25
"""Keys that nobody has taken yet, by colour (four columns)."""
PARENT: Final = 29
OP_OBJECT: Final = 30
OP_ROW: Final = 31
OP_MIX: Final = 32
OP_UNITS: Final = 33
OP_HP: Final = 34
SCORE: Final = 35
SEEN_STATS: Final = 36
"""ATK, DEF and MDEF (20 bits each) at which targets were last looked at."""
SEEN_EPOCHS: Final = 37
SEEN_COUNT: Final = 38
"""How many targets of the list were looked at then: none of them is free."""
STIRRED: Final = 39
"""Whether something happened that rows which run by themselves may wait for."""
FRONT: Final = 40
FRONT_SIZE: Final = 112
ALIVE: Final = FRONT + FRONT_SIZE
KINDS: Final = 48
MASKS: Final = ALIVE + KINDS

# -- objects ---------------------------------------------------------------------
CLASS: Final = 0
KIND: Final = 1
KEY: Final = 2
GATEWAY: Final = 3
WEIGHT: Final = 4
NEAR: Final = 5
N_NEAR: Final = 6
HIDDEN: Final = 7
ROWS: Final = 8
N_ROWS: Final = 9
PARTNER: Final = 10
FREE_FIGHT: Final = 11
GOAL: Final = 12
ABOVE: Final = 13
MANDATORY: Final = 14
EXIT: Final = 15
GAIN: Final = 16
N_EXIT: Final = 30
SHOP: Final = 31
SETS: Final = 32
"""Flags that taking an object sets."""
WATCHED: Final = 33
"""Whether a row that runs by itself may wait for the object to go."""
GIVES: Final = 34
"""Resource of an item that gives only one, -1 for nothing, -2 for several."""
OBJECT_COLUMNS: Final = 35

AUTO, FIGHT_OBJECT, DOOR, SHOP_OBJECT, SPECIAL, INERT, LEAVE = range(7)
"""Classes of objects: taken at once; fought; opened with a key; sells; has rows of
its own; cannot be acted on; stairs of no return."""

# -- rows of the effect table ------------------------------------------------------
R_OBJECT: Final = 0
R_FLAGS: Final = 1
R_WITHOUT: Final = 2
R_GONE: Final = 3
R_N_GONE: Final = 4
R_COUNT: Final = 5
R_EFFECTS: Final = 6
R_N_EFFECTS: Final = 7
R_CONSUMES: Final = 8
R_AUTO: Final = 9
R_SCALES: Final = 10
R_ACTION: Final = 11
R_FIGHT: Final = 12
R_COST: Final = 16
R_GAIN: Final = 30
R_NEEDS: Final = 44
R_OPEN: Final = 58
"""Whether a row has neither a cost nor a condition."""
R_PAYS: Final = 59
"""Whether a row has a cost or a gain."""
ROW_COLUMNS: Final = 60

# -- offers ------------------------------------------------------------------------
O_SHOP: Final = 0
O_CURRENCY: Final = 1
O_PRICE: Final = 2
O_ACTION: Final = 3
O_GIVES: Final = 4
"""Resource of an offer that gives only one, else `MANY`."""
O_AMOUNT: Final = 5
O_GAIN: Final = 6
OFFER_COLUMNS: Final = 20

MANY: Final = 14
"""In place of a resource: what gives several, such as a level."""

# -- monster kinds -----------------------------------------------------------------
EPOCH_LIMIT: Final = 4
K_ARGUMENTS: Final = 0
"""The monster's 13 arguments of `rules.fight_loss`."""
K_GOLD: Final = 13
K_EXP: Final = 14
K_SLOT: Final = 15
K_PLAIN: Final = 16
KIND_COLUMNS: Final = 17
