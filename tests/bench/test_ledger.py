"""The regret ledger: it sums exactly, whoever plays whatever map."""

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mt_gym
from mt_gym.agents import Decision, make_policy
from mt_gym.bench.episode import play
from mt_gym.bench.ledger import (
    NOTHING,
    Interval,
    Ledger,
    Worths,
    ledger,
    tightened,
)
from mt_gym.engine.generate import Recipe, random_tower
from mt_gym.engine.tower import Tower
from mt_gym.solver import regret, state_value
from tests.bench.players import ID, Scripted, silence, texts

DATA = Path(__file__).resolve().parent.parent / "data"
EPISODES = 1000
SETTINGS: list[dict[str, Any]] = [
    {},
    {"assists": False, "overrides": []},
    {"overrides": []},
    {"assists": ["collect"], "max_turns": 7},
]
RECIPES = [
    Recipe(gateways=8, shape="loose"),
    Recipe(gateways=8, shape="open", doors=40, gates=10),
    Recipe(gateways=7, specials=("vampire", "counter", "magic"), plain=20),
    Recipe(gateways=7, goal="reach", holy_water=1),
    Recipe(gateways=6, floors=2, shop=True, growth=2),
]


def maps(folder: Path) -> Iterator[str]:
    """Paths of small maps: one per kind of object, and random ones."""
    yield from (str(path) for path in sorted(DATA.glob("*.toml")))
    rng = np.random.default_rng(11)
    for number, recipe in enumerate(RECIPES * 3):
        path = folder / f"random{number}.toml"
        tower = random_tower(rng, recipe, name=path.stem)
        while tower.outcome(tower.initial_state()) is not None:
            tower = random_tower(rng, recipe, name=path.stem)
        path.write_text(tower.to_toml(), encoding="utf-8")
        yield str(path)


def exact_sum(account: Ledger) -> int:
    """Sum of all lines; fails if one is not exact."""
    total = account.unended
    for line in account.lines:
        total += line.regret
    assert total.exact
    return total.low


def played(env: Any, policy: Any, seed: int) -> list[dict[str, Any]]:
    return list(play(env, policy, 1, seed))


def test_ledger_sums_to_optimum_minus_final_hp_on_any_map(tmp_path: Path) -> None:
    policies = [make_policy("random"), make_policy("random"), make_policy("heuristic")]
    found = list(maps(tmp_path))
    each = -(-EPISODES // (len(found) * len(SETTINGS)))
    outcomes: Counter[str] = Counter()
    count = 0
    for path in found:
        tower = mt_gym.load(path)
        worths = Worths(tower)
        optimum = state_value(tower, tower.initial_state()) or 0
        for settings in SETTINGS:
            env = gym.make("MagicTower-v0", tower=path, **{"max_turns": 60, **settings})
            for seed in range(each):
                rows = played(env, policies[seed % 3], seed)
                account = ledger(tower, rows, worths)
                end = rows[-1]
                final = end["hp"] if end["outcome"] == "won" else 0
                assert exact_sum(account) == optimum - final, (path, settings, seed)
                assert account.total == Interval(optimum - final, optimum - final)
                by_source = account.by_source()
                assert sum(part.low for part in by_source.values()) == optimum - final
                assert all(line.regret.low >= 0 for line in account.lines)
                outcomes[end["outcome"]] += 1
                count += 1
            env.close()
    assert count >= EPISODES
    assert min(outcomes[name] for name in ("won", "died", "stuck", "turn_limit")) > 0


def simple_account(*chosen: str, **settings: Any) -> tuple[Tower, Ledger]:
    """The ledger of an episode on `simple` that begins with some actions."""

    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        enabled = [e for e in info["actions"] if e["enabled"]]
        for text in chosen:
            if any(e["text"] == text for e in enabled):
                return Decision(texts(env, text)[0])
        return Decision(enabled[0]["action"])

    env = gym.make(ID, **settings)
    rows = played(env, Scripted(choose), 0)
    env.close()
    tower = mt_gym.load("simple")
    return tower, ledger(tower, rows)


def test_decision_that_loses_the_goal_has_the_regret_of_all_that_was_left() -> None:
    _, account = simple_account("fight 4,2")
    lost = account.lost_by()
    assert lost is not None
    assert (lost.turn, lost.text, lost.source) == (2, "fight 4,2", "policy")
    assert lost.regret == Interval(13, 13)
    assert account.by_source()["policy"] == Interval(13, 13)
    assert account.final == 0


def test_each_regret_is_the_solvers() -> None:
    tower, account = simple_account("fight 6,4", "fight 5,6", "open 4,7")
    state = tower.initial_state()
    for line in account.lines:
        assert line.text is not None
        action = tower.action(line.text)
        assert line.regret.low == regret(tower, state, action)
        state = tower.step(state, action)


def test_loss_by_turn_limit_is_a_line_of_its_own() -> None:
    _, account = simple_account("fight 6,4", max_turns=2)
    assert account.outcome == "turn_limit"
    assert account.unended == Interval(13, 13)
    assert account.by_source() == {
        "assist": NOTHING,
        "policy": NOTHING,
        "turn_limit": Interval(13, 13),
    }
    assert account.lost_by() is None


def test_missing_answer_is_a_line_of_its_own() -> None:
    def choose(seed: int, env: Any, info: dict[str, Any]) -> Decision:
        raise silence()

    env = gym.make(ID)
    tower = mt_gym.load("simple")
    account = ledger(tower, played(env, Scripted(choose), 0))
    assert account.by_source() == {"assist": NOTHING, "no_answer": Interval(13, 13)}


def test_what_an_assist_costs_is_its_own() -> None:
    """On the vampire's map a potion that is taken at once loses a share of it."""
    path = str(DATA / "vampire.toml")
    tower = mt_gym.load(path)
    env = gym.make("MagicTower-v0", tower=path)
    account = ledger(tower, played(env, make_policy("heuristic"), 0))
    free = gym.make("MagicTower-v0", tower=path, assists=False)
    best = ledger(tower, played(free, make_policy("solver"), 0))
    assert exact_sum(best) == 0
    assert account.by_source()["assist"].low > 0


def test_bounded_worths_give_intervals_that_hold_the_truth() -> None:
    tower = mt_gym.load("simple")
    env = gym.make(ID)
    bounded = 0
    for seed, limit in itertools.product(range(4), (1, 20, 200)):
        rows = played(env, make_policy("random"), seed)
        exact = ledger(tower, rows)
        loose = ledger(tower, rows, Worths(tower, node_limit=limit))
        bounded += not loose.exact
        pairs = zip(exact.lines, loose.lines, strict=True)
        for true, bounds in [
            *((one.regret, other.regret) for one, other in pairs),
            *zip(exact.curve, loose.curve, strict=True),
            (exact.total, loose.total),
        ]:
            assert bounds.low <= true.low
            assert bounds.high is None or true.low <= bounds.high
    assert bounded > 0


def test_time_that_is_used_up_leaves_the_rest_unknown() -> None:
    tower = mt_gym.load("simple")
    worths = Worths(tower, seconds=1e-9)
    env = gym.make(ID)
    account = ledger(tower, played(env, make_policy("random"), 0), worths)
    assert not account.exact
    assert account.curve[0].high is None or account.curve[0].high >= 13


@pytest.mark.parametrize(
    ("curve", "tight"),
    [
        ([(0, None), (5, 9), (0, None)], [(5, None), (5, 9), (0, 9)]),
        ([(3, 8), (0, 20), (4, 4)], [(4, 8), (4, 8), (4, 4)]),
    ],
)
def test_worth_never_grows_along_an_episode(
    curve: list[tuple[int, int | None]], tight: list[tuple[int, int | None]]
) -> None:
    found = tightened([Interval(*pair) for pair in curve])
    assert found == [Interval(*pair) for pair in tight]


@pytest.mark.parametrize(
    ("interval", "text"),
    [((4, 4), "4"), ((4, 9), "4 to 9"), ((4, None), "4+")],
)
def test_interval_says_what_is_known(
    interval: tuple[int, int | None], text: str
) -> None:
    assert str(Interval(*interval)) == text
