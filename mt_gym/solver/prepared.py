"""A state of a plain tower, compiled, judged and settled: ready to be searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from mt_gym.engine.kinds import ATK, DEF, HP, MDEF, RESOURCES
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.solver.arrays import (
    ALL_HP,
    ATTR,
    B_ATK,
    B_ATK_STRIDE,
    B_ATK_UNIT,
    B_DEF,
    B_DEF_STRIDE,
    B_DEF_UNIT,
    B_MDEF,
    B_MDEF_UNIT,
    B_SIZE,
    BASE,
    BEST_SET,
    BOUNDS,
    CHAINS,
    COLOURS,
    DOORS,
    FALLING,
    FREE,
    G_DEN,
    G_KIND,
    G_NUM,
    GOAL,
    HARM,
    HEAD,
    ITEMS,
    KEYS_OF,
    L_STRIDE,
    LAYERS,
    LEVEL,
    LOG,
    LOGGED,
    POOL,
    PROFIT,
    RULES,
    SIZE,
    TABLE,
    TARGET,
    TOTAL,
    USELESS,
    VALUE,
    WORK_HEADER,
    WORTH,
    Ints,
    as_mask,
)
from mt_gym.solver.build import build
from mt_gym.solver.instance import Instance, pack_keys
from mt_gym.solver.losses import fill_losses, rising_axes
from mt_gym.solver.plan import lay_plan
from mt_gym.solver.prepare import flood

BITS: Final = {
    "free": FREE,
    "chains": CHAINS,
    "doors": DOORS,
    "profit": PROFIT,
    "bounds": BOUNDS,
    "useless": USELESS,
}
ALL: Final = frozenset(range(len(RESOURCES)))


Signature = tuple[int, ...]


@dataclass(slots=True)
class Prepared:
    """A state, settled and ready to be searched.

    Attributes:
        work: working memory with the settled state at depth 0.
        rules: bits of the rules that apply; `reductions`: their names.
        order: gateways that were removed by settling.
        top: upper bound on the final HP.
    """

    instance: Instance
    work: Ints
    rules: int
    order: list[int]
    top: int
    reductions: tuple[str, ...]

    def signature(self) -> Signature:
        """Equal for states of one tower that settle to the same choices."""
        base = self.instance.rows(BASE, 1, B_SIZE)[0].tolist()
        words = len(self.instance.tag)
        x = self.work[self.work[LEVEL] :][: L_STRIDE + 2 * words].tolist()
        high, low = divmod(x[ATTR], base[B_ATK_STRIDE])
        middle, low = divmod(low, base[B_DEF_STRIDE])
        return (
            id(self.instance.layout),
            base[B_ATK] + high * base[B_ATK_UNIT],
            base[B_DEF] + middle * base[B_DEF_UNIT],
            base[B_MDEF] + low * base[B_MDEF_UNIT],
            *x[:ATTR],
            *x[L_STRIDE:],
        )


def _rising_kinds(
    instance: Instance, alive: int
) -> tuple[list[int], frozenset[int], bool]:
    """Monster kinds that make items harmful, the attributes concerned.

    The last value says whether no loss rises with an attribute.
    """
    goal = as_mask(instance.words(GOAL))
    kinds: dict[int, bool] = {}
    for g, kind in enumerate(instance.gates()[:, G_KIND].tolist()):
        if kind >= 0 and alive >> g & 1:
            kinds[kind] = kinds.get(kind, False) or not goal >> g & 1
    found: list[int] = []
    axes: set[int] = set()
    falling = True
    for kind, before_goal in kinds.items():
        fight = instance.fights()[kind]
        rising = _rising_by_ability(fight)
        if rising and instance.data[TABLE]:
            rising = rising_axes(instance.data, kind)
        drinks = before_goal and bool(fight[5])
        if rising or drinks:
            found.append(kind)
        falling = falling and not rising
        axes |= {axis for i, axis in enumerate((ATK, DEF, MDEF)) if rising >> i & 1}
        axes |= {HP} if drinks else set()
    return found, frozenset(axes), falling


def _rising_by_ability(fight: Ints) -> int:
    """Attributes that could raise a loss, by mimic, counter, break and purify."""
    mimic, counter, breaks, purify = fight[3] & 1, fight[7], fight[9], fight[11]
    return int(
        (3 if mimic else 0) | (counter > 0) | (breaks > 0) * 2 | (purify > 1) * 4
    )


def items_are_harmless(tower: Tower, state: State) -> bool:
    """Whether no fight that can still come gets dearer with HP or attributes.

    Raises:
        NotPlain: the state needs the general search.
    """
    instance = build(tower, state, frozenset())
    fill_losses(instance.data)
    alive = as_mask(_reach(instance)) & ~as_mask(instance.removed)
    return not _rising_kinds(instance, alive)[1]


def prepare(
    tower: Tower, state: State, allowed: frozenset[str] | None
) -> Prepared | None:
    """Compile a state and settle it; None if the goal cannot be reached.

    Raises:
        NotPlain: the state needs the general search.
    """
    collect = allowed is None or "items" in allowed
    instance = build(tower, state, frozenset() if collect else ALL)
    reach = _reach(instance)
    if not as_mask(instance.words(GOAL)) & as_mask(reach):
        return None
    fill_losses(instance.data)
    alive = as_mask(reach) & ~as_mask(instance.removed)
    kinds, axes, falling = _rising_kinds(instance, alive)
    if axes and collect:
        instance = build(tower, state, axes)
        fill_losses(instance.data)
        reach = _reach(instance)
    if axes:
        _mark_harm(instance, axes if collect else frozenset(), kinds)
    rules = sum(bit for name, bit in BITS.items() if allowed is None or name in allowed)
    if not instance.data[TABLE]:
        rules &= ~(FREE | PROFIT)
    return _plan(instance, reach, falling, rules, collect)


def _reach(instance: Instance) -> Ints:
    return flood(instance.tag, instance.data, instance.removed, instance.exposed, -1)


def _mark_harm(instance: Instance, axes: frozenset[int], kinds: list[int]) -> None:
    """Set the masks of explicit items and of the monsters that make them harmful."""
    layout, rows = instance.layout, instance.gates()
    harm, items = instance.words(HARM), instance.words(ITEMS)
    for g, index in enumerate(layout.objects):
        word, bit = g >> 6, np.int64(1) << np.int64(g & 63)
        thing = layout.board.objects[index]
        row = thing.actions[0].row
        if rows[g, G_KIND] >= 0:
            if rows[g, G_KIND] in kinds and not instance.removed[word] & bit:
                harm[word] |= bit
        elif not (thing.goal or row.cost or rows[g, G_NUM] != rows[g, G_DEN]):
            if {resource for resource, _ in row.gain} & axes:
                items[word] |= bit


def _plan(
    instance: Instance, reach: Ints, falling: bool, rules: int, collect: bool
) -> Prepared:
    """Fill in all that the rules and the bound need, and settle the state."""
    data = instance.data
    data[ALL_HP], data[FALLING] = instance.all_hp, falling
    work = _working_memory(instance, rules)
    x = int(work[LEVEL])
    top = lay_plan(
        instance.tag,
        data,
        work,
        instance.removed,
        instance.exposed,
        reach,
        instance.best_attr,
    )
    settled = work[work[LOG] :][: work[x + LOGGED]].tolist()
    # Chains and profit wait until no monster is left that makes items harmful.
    waits = CHAINS | PROFIT if instance.words(HARM).any() else 0
    names = [name for name, bit in BITS.items() if rules & bit & ~waits]
    if collect:
        names.insert(0, "items")
    return Prepared(instance, work, rules, settled, int(top), tuple(names))


def _working_memory(instance: Instance, rules: int) -> Ints:
    """Working memory with the state to start from at depth 0."""
    n, words = instance.gateways, len(instance.tag)
    sizes = {
        LEVEL: (n + 2) * (L_STRIDE + 3 * words),
        LOG: n + 1,
        VALUE: n + COLOURS,
        POOL: COLOURS * n,
        TARGET: words + 2,
        BEST_SET: words + 1,
        WORTH: words,
        HEAD: n + 2,
        SIZE: n + 2,
    }
    work = np.zeros(WORK_HEADER + sum(sizes.values()), np.int64)
    at = WORK_HEADER
    for part, size in sizes.items():
        work[part] = at
        at += size
    work[RULES], work[LAYERS] = rules, n + 2
    x = work[LEVEL]
    work[x : x + 3] = instance.hp, instance.keys, instance.attr
    work[x + TOTAL] = pack_keys(instance.rows(KEYS_OF, COLOURS, 2)[:, 1].tolist())
    work[x + L_STRIDE :][:words] = instance.removed
    work[x + L_STRIDE + words :][:words] = instance.exposed
    return work
