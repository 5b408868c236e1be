"""The table of policies: success, HP over optimum, goal score and regret by floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from mt_gym.agents.policy import Env, Policy
from mt_gym.agents.registry import make_policy
from mt_gym.bench.episode import answer, new_player
from mt_gym.bench.setup import make_environment
from mt_gym.engine.load import shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.registration import GENERATED, env_id
from mt_gym.envs.rewards import goal_score
from mt_gym.errors import LimitReached, PolicyError
from mt_gym.generator.certify import refuse_beyond
from mt_gym.generator.levels import LEVELS
from mt_gym.generator.sets import SETS
from mt_gym.solver import state_value

POLICIES: Final = ("random", "heuristic", "rl", "solver")
_ALGORITHMS: Final = {"clone": "cloned", "maskable-ppo": "MaskablePPO"}
NODE_LIMIT: Final = 200_000
"""States that the search for one decision's regret may expand."""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of the table that belong together.

    Attributes:
        name: of the line.
        tasks: environment, keywords and seed of each of its episodes.
    """

    name: str
    tasks: tuple[tuple[str, dict[str, Any], int], ...]


@dataclass(frozen=True, slots=True)
class Played:
    """One episode, measured.

    Attributes:
        won: whether the goal was reached; hp: HP at the end, 0 without a win.
        optimum: of the floor; score: the goal score.
        regrets: share of the value that each decision gave up, with what the
            environment added to it, while there was any.
    """

    won: bool
    hp: int
    optimum: int
    score: float
    regrets: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One policy on one group."""

    group: str
    policy: str
    episodes: tuple[Played, ...]

    @property
    def success(self) -> float:
        """Share of episodes that reach the goal."""
        return fmean(one.won for one in self.episodes)

    @property
    def hp_share(self) -> float:
        """Mean of final HP over the optimum, a loss counting 0."""
        return fmean(one.hp / one.optimum for one in self.episodes)

    @property
    def score(self) -> float:
        """Mean goal score."""
        return fmean(one.score for one in self.episodes)

    @property
    def regret(self) -> float | None:
        """Mean share of the value that a decision gives up, until the goal is lost."""
        found = [share for one in self.episodes for share in one.regrets]
        return fmean(found) if found else None


def groups(generated: int = 10) -> tuple[Group, ...]:
    """What is played: single floors, the ladder, and the generated test set.

    Args:
        generated: test floors of each level; 0 for none.
    """
    ladder = tuple(name for name in shipped() if name.startswith("hand"))
    found = [
        Group(name, ((env_id(name), {}, 0),))
        for name in ("simple", "complex")
        if name in shipped()
    ]
    found.append(Group("ladder", tuple((env_id(name), {}, 0) for name in ladder)))
    for low, high in ((1, 5), (6, 10)) if generated else ():
        tasks = tuple(
            (GENERATED, {"level": level, "floors": "test"}, seed)
            for level in LEVELS
            if low <= level <= high
            for seed in range(generated)
        )
        found.append(Group(f"generated test, levels {low}–{high}", tasks))
    return tuple(found)


def bench_policies(
    names: Sequence[str] = POLICIES,
    *,
    repeats: int = 20,
    generated: int = 10,
    progress: Callable[[int, int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[Line]:
    """Play every group with every policy, a line at a time.

    A trained network plays without overrides, so that it is not credited with what
    the heuristic does in its place, and its lines say how it was trained.  One that
    cannot play, because its weights are missing or know another floor, has no line.

    Args:
        names: policies, as `make_policy` takes them; `rl` is the shipped network.
        repeats: episodes of `random` on each floor of simple, complex and the ladder;
            all other policies play each floor once, as do all on generated floors.
        generated: test floors of each level.
        progress: called with lines done and to be done.
        say: told why a network has no line.

    Raises:
        PolicyError: there is no such policy.
    """
    chosen = groups(generated)
    players = [(name, made) for name in names if (made := _made(name, say)) is not None]
    total = len(chosen) * len(players)
    for number, group in enumerate(chosen):
        for place, (name, policy) in enumerate(players):
            try:
                episodes = _played(group, policy, repeats if name == "random" else 1)
            except PolicyError as error:
                if not _trained(name):
                    raise
                _tell(say, f"{policy.name} on {group.name}", error)
                continue
            if progress is not None:
                progress(number * len(players) + place + 1, total)
            yield Line(group.name, label_of(policy), episodes)


def _played(group: Group, policy: Policy, again: int) -> tuple[Played, ...]:
    episodes = []
    for task, keywords, seed in group.tasks:
        own = keywords
        if _about(policy) is not None:
            own = keywords | {"overrides": []}
        env = make_environment(task, policy, own)
        for i in range(1 if task == GENERATED else again):
            episodes.append(play_measured(env, policy, seed + i))
        env.close()
    return tuple(episodes)


def _trained(name: str) -> bool:
    return name.partition(":")[0] == "rl"


def _made(name: str, say: Callable[[str], None] | None) -> Policy | None:
    """The policy of a name; None, with the reason told, without the weights."""
    try:
        return make_policy(name)
    except PolicyError as error:
        if not _trained(name):
            raise
        _tell(say, name, error)
        return None


def _tell(say: Callable[[str], None] | None, what: str, error: PolicyError) -> None:
    if say is not None:
        say(f"left out: {what} ({error})")


def _about(policy: Policy) -> Mapping[str, Any] | None:
    """How a policy's network was trained; None if it has none."""
    about = getattr(getattr(policy, "network", None), "about", None)
    return about if isinstance(about, Mapping) else None


def label_of(policy: Policy) -> str:
    """A policy's name in the table; of a network also how and on what it was trained.

    >>> label_of(make_policy("heuristic"))
    'heuristic'
    """
    about = _about(policy)
    if about is None:
        return policy.name
    algo = str(about.get("algo", "trained in an unknown way"))
    how = _ALGORITHMS.get(algo, algo)
    start = about.get("start")
    if start:
        how += f" from {Path(str(start)).stem}"
    name = str(about.get("set") or about.get("floor") or "")
    where = f"on {Path(name).stem}" if name else "on unknown floors"
    if name in SETS:
        where = f"generated {name} set"
    return f"{policy.name} ({how}, {where})"


def play_measured(env: Env, policy: Policy, seed: int) -> Played:
    """Play one episode and measure with the solver what each decision leaves.

    Raises:
        MtGymError: it ends with more than a proved optimum.
    """
    observation, info = env.reset(seed=seed)
    player = new_player(policy, env, seed)
    tower: Tower = env.get_wrapper_attr("tower")
    assert tower.certificate is not None
    worth = _worth(tower, env.get_wrapper_attr("state"))
    regrets: list[float] = []
    while "outcome" not in info:
        decision = answer(player, observation, info)
        observation, _, _, _, info = env.step(decision.action)
        after = _worth(tower, env.get_wrapper_attr("state"))
        if worth and after is not None:
            regrets.append(1 - after / worth)
        worth = after
    state: State = env.get_wrapper_attr("state")
    refuse_beyond(tower, tower.initial_state(), state)
    score = goal_score(tower, state, None, state, info["outcome"])
    won = info["outcome"] == "won"
    optimum = tower.certificate.optimum
    return Played(won, state.hero.hp if won else 0, optimum, score, tuple(regrets))


def _worth(tower: Tower, state: State) -> int | None:
    """Best final HP that can be reached, 0 for none; None if it is not known."""
    try:
        return state_value(tower, state, node_limit=NODE_LIMIT) or 0
    except LimitReached:
        return None


def text_table(lines: Sequence[Line], markdown: bool = False) -> str:
    """The lines as a table, plain or in Markdown."""
    head = (
        "floor",
        "policy",
        "episodes",
        "success",
        "HP/optimum",
        "goal score",
        "regret",
    )
    rows = [
        (
            line.group,
            line.policy,
            str(len(line.episodes)),
            f"{line.success:.2f}",
            f"{line.hp_share:.3f}",
            f"{line.score:.3f}",
            "–" if line.regret is None else f"{line.regret:.3f}",
        )
        for line in lines
    ]
    if markdown:
        rule = ("---", "---", *["--:"] * 5)
        return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    )
