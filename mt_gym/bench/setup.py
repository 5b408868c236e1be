"""What a run is made of: the environment it plays, and everything it depends on."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec, load_env_creator

from mt_gym.agents.policy import MAX_QUANTITY, REPEATED, Env, Policy
from mt_gym.bench.question import observed
from mt_gym.bench.texts import text_hash
from mt_gym.engine.load import shipped
from mt_gym.engine.tower import Tower
from mt_gym.envs.keywords import one_of, render_modes
from mt_gym.envs.registration import GENERATED
from mt_gym.errors import MtGymError
from mt_gym.wrappers import CommitPlan


def make_environment(
    spec: str | EnvSpec, policy: Policy, settings: Mapping[str, Any], commit: int = 0
) -> Env:
    """The environment with the observation that the policy wants.

    Args:
        spec: an environment's id or spec.
        policy: says which observation, if neither `spec` nor `settings` do.
        settings: keywords.
        commit: actions that one decision may decide; 0 for a policy without plans.
            Where something can be bought, quantities come on top.

    Raises:
        MtGymError: a wrong keyword, or `info_level` other than `full`.
    """
    own = gym.spec(spec) if isinstance(spec, str) else spec
    keywords = dict(settings)
    if policy.observation is not None and "observation" not in own.kwargs:
        keywords.setdefault("observation", policy.observation)
    level = keywords.setdefault("info_level", own.kwargs.get("info_level", "full"))
    if level != "full":
        raise MtGymError(f"info_level={level!r}: a policy needs the list of 'full'")
    mode = keywords.get("render_mode")
    if mode is not None:  # gymnasium warns about an unknown one, and goes on
        one_of("render_mode", mode, render_modes())
    tower = keywords.get("tower", own.kwargs.get("tower"))
    if isinstance(tower, str):
        keywords["tower"] = source_of(tower)
    env: Env = gym.make(own, **keywords)
    if commit and not isinstance(env.action_space, spaces.MultiDiscrete):
        played: Tower = env.get_wrapper_attr("tower")
        if any(action.verb in REPEATED for action in played.actions):
            commit += MAX_QUANTITY - 1
        if commit > 1:
            env = CommitPlan(env, commit)
    return env


_UNMADE: Final = (
    TypeError,
    ValueError,
    KeyError,
    AttributeError,
    AssertionError,
    ImportError,
    gym.error.Error,
)
"""What gymnasium raises for a spec that was edited."""


def stored_environment(stored: Mapping[str, Any], where: str) -> Env:
    """The environment that `run.json` tells of.

    A spec names code to call, and a stored one may come from anywhere: only an
    environment of this package and wrappers that are wrappers are made.

    Args:
        stored: the spec as JSON.
        where: the file, for the error.

    Raises:
        MtGymError: it is no such environment, or cannot be made here.
    """
    try:
        spec = EnvSpec.from_json(json.dumps(stored))
        _refuse_foreign(spec)
        made: Env = gym.make(spec)
    except MtGymError:
        raise
    except _UNMADE as error:
        reason = f"{type(error).__name__}: {error}"
        raise MtGymError(
            f"{where}: its 'environment' cannot be made: {reason}"
        ) from error
    return made


def _refuse_foreign(spec: EnvSpec) -> None:
    """Raise an error for a spec whose making would call something else."""
    entry = str(spec.entry_point)
    if not entry.startswith("mt_gym."):
        raise ValueError(f"{entry!r} is no environment of this package")
    wanted: list[tuple[str, type[object]]] = [(entry, gym.Env)]
    wanted += [(one.entry_point, gym.Wrapper) for one in spec.additional_wrappers]
    for name, kind in wanted:
        made = load_env_creator(name)
        if not (isinstance(made, type) and issubclass(made, kind)):
            raise ValueError(f"{name!r} is no {kind.__name__}")


def refuse_changing(env: Env) -> None:
    """Raise an error for an environment whose floor is another in every episode.

    A run is of one map, by whose optimum and hash its figures are taken.
    """
    if env.spec is not None and env.spec.id == GENERATED:
        raise MtGymError(
            f"{GENERATED} plays another floor in every episode, and a run is of one: "
            "write a pool (mt-gym generate --count N --out FOLDER), and run its files, "
            "or the folder as a suite"
        )


def source_of(tower: str) -> str:
    """A shipped name as it is, a path from the root."""
    return tower if tower in shipped() else str(Path(tower).resolve())


def commitment_of(policy: Policy, commit: int | None) -> int:
    """Actions that one decision may decide; 0 if the policy does not say.

    Raises:
        MtGymError: it is no integer from 1 on.
    """
    found = getattr(policy, "commitment", None) if commit is None else commit
    if found is None:
        return 0
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise MtGymError(f"commit must be an integer >= 1, got {found!r}")
    return found


def describe_run(env: Env, policy: Policy, episodes: int, seed: int) -> dict[str, Any]:
    """What `run.json` says: everything that the run depends on, without secrets."""
    assert env.spec is not None
    tower: Tower = env.get_wrapper_attr("tower")
    environment = json.loads(env.spec.to_json())
    keywords = env.spec.kwargs
    source = str(keywords.get("tower", keywords.get("shipped", tower.name)))
    observation, _ = env.reset(seed=seed)
    shown = observed(observation)
    describe = getattr(policy, "describe", None)
    return {
        "policy": policy.name,
        "about": describe() if callable(describe) else {},
        "tower": source,
        "digest": tower.digest,
        "episodes": episodes,
        "seed": seed,
        "environment": environment,
        "identity": identity(environment, tower.digest),
        "first_observation": text_hash(shown) if isinstance(shown, str) else shown,
        "versions": {
            "python": platform.python_version(),
            **{name: _version(name) for name in ("gymnasium", "mt-gym", "numpy")},
        },
    }


def identity(environment: Mapping[str, Any], digest: str) -> str:
    """The experiment's identity: environment, keywords, wrappers and the tower."""
    told = json.dumps([environment, digest], sort_keys=True)
    return text_hash(told)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
