"""Names and groups of annotations; each switches its own text and nothing else."""

from __future__ import annotations

import functools
import re

import pytest

from mt_gym.analysis import Options
from mt_gym.engine.load import load
from mt_gym.errors import MtGymError
from mt_gym.observation import render, resolve
from mt_gym.observation.annotations import ALL, GROUPS, KINDS, TOWER
from tests.analysis.scenes import TURN_4
from tests.observation.golden import TOWERS, decision

MARKS = {
    "costs": r"— damage=(\d|UNW)",
    "risk": r"\[(SAFE|MODERATE|RISKY|LETHAL)\]",
    "winnable_at": r"\[WINNABLE at",
    "free_at": r"\[FREE",
    "min_cost": r"min-cost=",
    "optional": r"\[OPTIONAL\]",
    "dead_end": r"\[DEAD END",
    "alternative": r"\[(ALTERNATIVE ROUTE|SAME REGION)",
    "potions": r"potions behind it",
    "next_fight": r"→ next fight",
    "lookahead_tree": r"→ (unlocks|via)",
    "keys": r"→ keys:",
    "key_budget": r"Key budget",
    "def_tip": r"DEF threshold tip",
    "boss": r"if fought now",
    "recent": r"Recent actions|^  T\d",
    "vampire_tag": r"\[vampire: takes 25% of your current HP whatever your DEF, so it",
    "specials": r"\[(mimic|solid|magic-atk:|\d hits|counter|first|armour|purify|fixed)",
    "stat_route": r"→ stat gems.*→ net",
    "hp_budget": r"HP budget",
    "fight_order": r"→ ORDER",
    "lookahead_value": r"lookahead=|effCost=",
}


@functools.cache
def text(annotations: frozenset[str]) -> str:
    """The texts of five decisions in which every annotation has something to say."""
    simple = load("simple")
    texts: list[str] = []
    for choices in ((), TURN_4):
        moment, done = decision(simple, *choices)
        texts.append(
            render(
                simple,
                moment.state,
                options=Options.of(simple),
                annotations=annotations,
                turn=moment.turn,
                recent=done,
            )
        )
    for name in ("specials", "vampire", "holy_water"):
        tower = load(TOWERS / f"{name}.toml")
        state, options = tower.initial_state(), Options.of(tower)
        texts.append(render(tower, state, options=options, annotations=annotations))
    return "\n".join(texts)


def counts(found: str) -> dict[str, int]:
    return {
        name: len(re.findall(mark, found, re.MULTILINE)) for name, mark in MARKS.items()
    }


def test_every_annotation_has_a_mark_in_the_full_text() -> None:
    assert set(MARKS) == ALL - TOWER
    assert all(counts(text(ALL)).values()), counts(text(ALL))


@pytest.mark.parametrize("name", sorted(ALL - TOWER - {"dead_end"}))
def test_an_annotation_switched_off_removes_its_text_and_nothing_else(
    name: str,
) -> None:
    full, less = text(ALL), text(ALL - {name})
    expected = counts(full) | {name: 0}
    assert counts(less) == expected
    letters = iter(full)
    assert all(letter in letters for letter in less), "something was added"
    removed = len(full) - len(less)
    assert 0 < removed < len(full) / 2


def test_without_dead_end_such_a_door_prints_as_any_other() -> None:
    less = text(ALL - {"dead_end"})
    assert "DEAD END" not in less
    assert "[open_door] Yellow Door at (7,0) — lookahead=80(raw=80-gw=0)" in less
    assert "it exposes yellow door (8,0)" in less


def test_the_one_sided_stat_route_replaces_the_two_sided_one() -> None:
    chosen = resolve(["exact", "route", "stat_route_one_sided"])
    assert "stat_route" not in chosen
    less = text(chosen)
    line = "(+1 ATK +2 DEF): they save 75 HP on the other fights listed now\n"
    assert line in less
    assert "net" not in [word for line in less.splitlines() for word in line.split()]


def test_none_means_all_and_groups_are_the_kinds() -> None:
    assert resolve(None) == ALL
    assert "stat_route_one_sided" not in ALL
    assert set(GROUPS) == {"exact", "route", "advice", "estimate", "tower"}
    assert resolve(list(GROUPS)) == ALL
    assert resolve([]) == frozenset()
    assert resolve(["advice"]) == {"fight_order"}
    assert resolve(["estimate", "costs"]) == {"lookahead_value", "costs"}
    assert KINDS["hp_budget"] == "route"


@pytest.mark.parametrize("bad", [["lookahed_tree"], ["all"], "costs", 3, ["costs", 1]])
def test_an_unknown_annotation_is_an_error_that_lists_what_is_allowed(
    bad: object,
) -> None:
    with pytest.raises(MtGymError) as caught:
        resolve(bad)  # type: ignore[arg-type]
    if isinstance(bad, list):
        assert "lookahead_tree" in str(caught.value)
        assert repr(bad[-1]) in str(caught.value)


def test_the_bare_observation_has_costs_and_nothing_that_is_worked_out() -> None:
    for tower in (load("simple"), load(TOWERS / "specials.toml")):
        moment, done = decision(tower)
        bare = render(
            tower,
            moment.state,
            options=Options.of(tower),
            kind="bare",
            turn=moment.turn,
            recent=done,
        )
        found = counts(bare)
        found.pop("costs")
        assert not any(found.values())
        assert "[" not in re.sub(r"\[(fight|open_door)\]", "", bare)
        assert "%" not in bare
        assert bare.count("damage=") == bare.count("[fight]")
