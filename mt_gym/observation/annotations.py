"""The annotations of the text: names, kinds, and how a choice of them is read."""

from __future__ import annotations

from typing import Final

from mt_gym.errors import MtGymError

TOWER_EXACT: Final = (
    "tower_key_budget",
    "atk_counts",
    "purchase_fights",
    "purchase_points",
    "red_door",
    "free_behind",
    "cross",
    "trades",
)
"""Exact ones that look at all visited floors of a tower."""

TOWER_ROUTE: Final = (
    "tower_value",
    "way_up",
    "way_up_purchases",
    "way_up_tags",
    "in_order",
    "shop_ahead",
    "events",
    "seal",
    "treasures",
    "key_reserve",
)
"""Routes and comparisons over all visited floors of a tower."""

TOWER: Final = frozenset((*TOWER_EXACT, *TOWER_ROUTE))

TOWER_2: Final = frozenset(("tower_key_budget", "shop_ahead"))
"""Those of a tower that the observation `tower-2` has."""

EXACT: Final = (
    "costs",
    "risk",
    "winnable_at",
    "free_at",
    "min_cost",
    "optional",
    "dead_end",
    "alternative",
    "potions",
    "next_fight",
    "lookahead_tree",
    "keys",
    "key_budget",
    "def_tip",
    "boss",
    "recent",
    "vampire_tag",
    "specials",
    *TOWER_EXACT,
)
"""Follow from the rules in the state."""

ROUTE: Final = ("stat_route", "stat_route_one_sided", "hp_budget", *TOWER_ROUTE)
"""Exact costs along routes that the engine specifies."""

ADVICE: Final = ("fight_order",)
"""Also name an action."""

ESTIMATE: Final = ("lookahead_value",)
"""Rest on hand-set weights."""

KINDS: Final = {
    **dict.fromkeys(EXACT, "exact"),
    **dict.fromkeys(ROUTE, "route"),
    **dict.fromkeys(ADVICE, "advice"),
    **dict.fromkeys(ESTIMATE, "estimate"),
}
"""The kind of every annotation, by its name."""

BY_NAME_ONLY: Final = frozenset({"stat_route_one_sided"})
"""In no group: each replaces another annotation."""

GROUPS: Final = {
    kind: frozenset(
        name for name in KINDS if KINDS[name] == kind and name not in BY_NAME_ONLY
    )
    for kind in ("exact", "route", "advice", "estimate")
} | {"tower": TOWER}
"""Annotations by kind, and those of a tower; all of these are names of groups."""

ALL: Final = frozenset(KINDS) - BY_NAME_ONLY


def resolve(annotations: list[str] | tuple[str, ...] | None) -> frozenset[str]:
    """The annotations of a list of names and groups; None means all.

    `stat_route_one_sided` replaces `stat_route`.

    >>> sorted(resolve(["advice", "costs"]))
    ['costs', 'fight_order']

    Raises:
        MtGymError: not a list, or an unknown name, with the names allowed.
    """
    if annotations is None:
        return ALL
    if isinstance(annotations, str) or not isinstance(annotations, list | tuple):
        raise MtGymError(
            f"annotations must be None or a list of names, got {annotations!r}"
        )
    chosen: set[str] = set()
    for name in annotations:
        known = isinstance(name, str)  # JSON may hold a list in its place
        if known and name in GROUPS:
            chosen |= GROUPS[name]
        elif known and name in KINDS:
            chosen.add(name)
        else:
            raise MtGymError(
                f"unknown annotation {name!r}; allowed are {', '.join(KINDS)} "
                f"and the groups {', '.join(GROUPS)}"
            )
    if "stat_route_one_sided" in chosen:
        chosen.discard("stat_route")
    return frozenset(chosen)


def shown_in(observation: str, chosen: frozenset[str]) -> frozenset[str]:
    """The annotations out of `chosen` that an observation can show.

    `tower-1` has those of a single floor, `tower-2` two of the tower's as well.
    """
    if observation == "bare":
        return frozenset()
    if observation == "tower-1":
        return chosen - TOWER
    return chosen - (TOWER - TOWER_2) if observation == "tower-2" else chosen
