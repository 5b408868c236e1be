"""`docs/environment.md` says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mt_gym import wrappers
from mt_gym.engine.kinds import VERBS
from mt_gym.envs.generated import OWN_KEYWORDS
from mt_gym.envs.info import ActionInfo, ExecutedInfo
from mt_gym.envs.keywords import (
    INFO_LEVELS,
    KEYWORDS,
    OBSERVATIONS,
    ON_ILLEGAL,
    RENDER_MODES,
    TOWER_OBSERVATIONS,
)
from mt_gym.envs.rewards import REWARDS
from mt_gym.observation.annotations import KINDS
from mt_gym.observation.columns import ANNOTATION_COLUMNS
from mt_gym.observation.features import FEATURE_COLUMNS, HERO_COLUMNS
from mt_gym.play.episode import ENDINGS
from mt_gym.play.record import SOURCES
from mt_gym.play.settings import ASSISTS, OVERRIDES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "environment.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))


def words(text: str) -> set[str]:
    """Everything in code style, without quotes."""
    found = re.findall(r"`([^`\n]+)`", text)
    return {part.strip('" ') for code in found for part in code.split(",")}


def rows(section: str) -> dict[str, str]:
    """The tables of a section: the last cell by the code in the first one."""
    found: dict[str, str] = {}
    for line in re.findall(r"^\|.*\|$", SECTIONS[section], re.M):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for name in words(cells[0]):
            found[name] = found.get(name, "") + cells[-1]
    return found


def test_every_keyword_has_a_row_and_no_other() -> None:
    assert set(rows("Keywords")) == {*KEYWORDS, *OWN_KEYWORDS}


@pytest.mark.parametrize(
    ("keyword", "allowed"),
    [
        ("observation", {*OBSERVATIONS, *TOWER_OBSERVATIONS}),
        ("assists", set(ASSISTS)),
        ("overrides", set(OVERRIDES)),
        ("reward", set(REWARDS)),
        ("on_illegal", set(ON_ILLEGAL)),
        ("info_level", set(INFO_LEVELS)),
        ("render_mode", set(RENDER_MODES)),
    ],
)
def test_a_keywords_row_names_every_value(keyword: str, allowed: set[str]) -> None:
    assert allowed <= words(rows("Keywords")[keyword])


def test_info_and_endings_are_complete() -> None:
    named = words(SECTIONS["`info`"])
    assert {*ActionInfo.__annotations__, *ExecutedInfo.__annotations__} <= {
        part.strip("{} ")
        for code in re.findall(r"[`({]([^`(){}]+)[`)}]", SECTIONS["`info`"])
        for part in code.replace("\n", " ").split(",")
    }
    assert set(SOURCES) <= named
    assert set(rows("Termination")) - {"max_turns"} == set(ENDINGS)
    assert set(rows("Rewards")) == set(REWARDS)


def test_every_annotation_stands_in_the_row_of_its_kind() -> None:
    stated = {name: words(cell) for name, cell in rows("Annotations").items()}
    for name, kind in KINDS.items():
        assert name in stated[kind], name
    assert set().union(*stated.values()) == set(KINDS)


def test_every_verb_of_an_action_is_named() -> None:
    verbs = set(VERBS) - {"pass"}  # the duel's own, in no tower
    assert verbs <= words(SECTIONS["Actions"])


def test_every_column_and_every_wrapper_is_named() -> None:
    named = words(SECTIONS["Observation"])
    assert {c.name for c in (*FEATURE_COLUMNS, *HERO_COLUMNS)} <= named
    text = SECTIONS["Wrappers"]
    assert [name for name in wrappers.__all__ if name not in text] == []


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.S))
def test_its_examples_run(code: str) -> None:
    exec(compile(code, "environment.md", "exec"), {})


def test_its_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert [target for target in targets if not (DOCS / target).exists()] == []


def test_one_table_has_every_column_in_its_order() -> None:
    lines = SECTIONS["Observation"].splitlines()
    start = lines.index("| column | range | annotation | meaning |") + 2
    told = lines[start : start + len(FEATURE_COLUMNS) + len(ANNOTATION_COLUMNS)]
    expected = []
    for one in (*FEATURE_COLUMNS, *ANNOTATION_COLUMNS):
        names = ", ".join(f"`{name}`" for name in one.annotations) or "–"
        range_ = f"{one.low:g} to {one.high:g}"
        expected.append(f"| `{one.name}` | {range_} | {names} | {one.meaning} |")
    assert told == expected
