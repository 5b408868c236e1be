"""Groups of items that are taken together, and the gateways next to them."""

from __future__ import annotations

from typing import Final

import numpy as np

from mt_gym.engine.state import bits
from mt_gym.solver.arrays import as_mask
from mt_gym.solver.trade.tables import (
    ITEM,
    O_GIVE1,
    O_GIVE2,
    O_GIVE3,
    O_HP,
    O_NEAR,
    O_TYPE,
    P_GIVE3,
    P_GIVES,
    Table,
)

SIDES: Final = 4
"""Pockets next to a gateway that are looked at."""


def pockets(objects: Table, count: int) -> tuple[Table, Table]:
    """What each pocket gives, and the pockets next to each object.

    Args:
        objects: rows of a problem; `count` of them are objects.

    Returns:
        A table with the columns `P_FIRST` and on of `tables.py`, and one with a row
        of `SIDES` pocket numbers for each object, -1 for none.
    """
    items = [g for g in range(count) if objects[g, O_TYPE] == ITEM]
    near = {g: bits(as_mask(objects[g, O_NEAR:])) for g in range(count)}
    number: dict[int, int] = {}
    rows: list[list[int]] = []
    for item in items:
        if item in number:
            continue
        stack, number[item] = [item], len(rows)
        row = [item, 0, 0, 0, 0]
        while stack:
            g = stack.pop()
            for column, source in enumerate((O_HP, O_GIVE1, O_GIVE2, O_GIVE3), P_GIVES):
                row[column] += int(objects[g, source])
            for other in near[g]:
                if objects[other, O_TYPE] == ITEM and other not in number:
                    number[other] = len(rows)
                    stack.append(other)
        rows.append(row)
    beside = np.full((count or 1, SIDES), -1, np.int64)
    for g in range(count):
        found = sorted({number[other] for other in near[g] if other in number})
        beside[g, : len(found[:SIDES])] = found[:SIDES]
    return np.array(rows, np.int64).reshape(-1, P_GIVE3 + 1), beside
