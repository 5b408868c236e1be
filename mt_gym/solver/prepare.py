"""Compiled: what is reached only through what."""

from __future__ import annotations

import numpy as np

from mt_gym.solver.arrays import (
    G_OWN_FROM,
    G_OWN_TO,
    G_PARENT,
    G_STRIDE,
    ORDER,
    ORDERED,
    OWN,
    R_STRIDE,
    REGION,
    ROOT_FROM,
    ROOT_TO,
    Flat,
    Ints,
    M,
    N,
    Tag,
)
from mt_gym.solver.compile import compiled, lowest
from mt_gym.solver.moves import gate


@compiled
def flood(tag: Tag, data: Flat, removed: Ints, exposed: Ints, without: int) -> Ints:
    """Gateways in reach once all are removed but one (-1: all of them)."""
    words = len(tag)
    reach = exposed.copy()
    done = removed.copy()
    found = True
    while found:
        found = False
        for w in range(words):
            rest = reach[w] & ~done[w]
            done[w] |= rest
            while rest != 0:
                g = 64 * w + lowest(rest)
                rest &= rest - 1
                if g != without:
                    found = True
                    near = gate(tag, data, g) + G_STRIDE
                    for v in range(words):
                        reach[v] |= data[near + v]
    return reach


@compiled
def dominators(
    tag: Tag, data: Flat, removed: Ints, exposed: Ints
) -> tuple[Ints, Ints, Ints]:
    """What is reached only through what.

    Returns:
        below: [gateway, W] gateways reached only through it, itself excluded.
        regions: [gateway, region] 1 where a region is reached only through it.
        order: gateways in reach that are not removed, dominators first.
    """
    words, n, m = len(tag), data[N], data[M]
    reach = flood(tag, data, removed, exposed, -1)
    below = np.zeros((n, words), np.int64)
    regions = np.zeros((n, m), np.int64)
    sizes = np.zeros(n, np.int64)
    order = np.empty(n, np.int64)
    count = 0
    for g in range(n):
        if not has(reach, g) or has(removed, g):
            continue
        some = flood(tag, data, removed, exposed, g)
        for w in range(words):
            below[g, w] = reach[w] & ~some[w]
        for h in range(n):
            sizes[g] += has(below[g], h)
        some[g >> 6] &= ~(1 << (g & 63))
        for r in range(m):
            near = data[REGION] + r * (R_STRIDE + words) + R_STRIDE
            other, any_way = 0, 0
            for w in range(words):
                other |= data[near + w] & some[w]
                any_way |= data[near + w] & reach[w]
            regions[g, r] = other == 0 and any_way != 0
        order[count] = g
        count += 1
    order = order[:count]
    return below, regions, order[np.argsort(-sizes[order], kind="mergesort")]


@compiled
def has(words: Ints, g: int) -> bool:
    """Whether a gateway is in a set."""
    return bool((words[g >> 6] >> (g & 63)) & 1)


@compiled
def hang(tag: Tag, data: Flat, below: Ints, regions: Ints, reach: Ints) -> None:
    """Fill in closest dominators, of the gateways in `ORDER` and of all regions."""
    words, n, m = len(tag), data[N], data[M]
    owner = np.full(m, -1, np.int64)
    for r in range(m):
        near = data[REGION] + r * (R_STRIDE + words) + R_STRIDE
        for w in range(words):
            if data[near + w] & reach[w] != 0:
                owner[r] = n
    for i in range(data[ORDERED]):
        h = data[data[ORDER] + i]
        for j in range(data[ORDERED]):
            g = data[data[ORDER] + j]
            if has(below[h], g):
                data[gate(tag, data, g) + G_PARENT] = h
        for r in range(m):
            if regions[h, r]:
                owner[r] = h
    count = 0
    for place in range(n + 1):
        start = count
        for r in range(m):
            if owner[r] == place:
                data[data[OWN] + count] = r
                count += 1
        if place < n:
            data[gate(tag, data, place) + G_OWN_FROM] = start
            data[gate(tag, data, place) + G_OWN_TO] = count
        else:
            data[ROOT_FROM] = start
            data[ROOT_TO] = count
