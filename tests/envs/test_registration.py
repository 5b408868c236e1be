"""Ids, the public face, and that importing it stays light."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

import mt_gym
from mt_gym.errors import MtGymError

ROOT = Path(__file__).parents[2]


def test_there_is_an_id_for_every_shipped_map_and_one_for_any() -> None:
    ids = mt_gym.register_envs()
    expected = [f"MagicTower-{name}-v0" for name in mt_gym.shipped()]
    assert ids == ("MagicTower-v0", "MagicTower-generated-v0", *expected)
    assert all(id in gym.registry for id in ids)
    for id in ids:
        spec = gym.spec(id)
        entry = "env:MagicTowerEnv"
        if id == "MagicTower-generated-v0":
            entry = "generated:GeneratedTowerEnv"
        assert spec.entry_point == f"mt_gym.envs.{entry}"
        assert spec.additional_wrappers == ()  # they forbid the vector entry point
        assert spec.max_episode_steps is None  # the map's limit is the environment's


def test_registering_again_changes_nothing() -> None:
    before = {id: spec for id, spec in gym.registry.items() if "Magic" in id}
    mt_gym.register_envs()
    assert all(gym.registry[id] is spec for id, spec in before.items())


def test_any_map_is_made_by_name_or_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(mt_gym.load("simple").to_toml(), encoding="utf-8")
    named = gym.make("MagicTower-v0", tower="simple")
    filed = gym.make("MagicTower-v0", tower=str(path))
    assert named.reset()[0] == filed.reset()[0]


def test_the_module_prefix_imports_the_package() -> None:
    code = (
        "import gymnasium as gym; "
        "env = gym.make('mt_gym:MagicTower-simple-v0'); print(env.reset()[1]['turn'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("1", "")


def test_the_public_face_is_complete_and_sorted() -> None:
    assert list(mt_gym.__all__) == sorted(mt_gym.__all__)
    for name in mt_gym.__all__:
        assert getattr(mt_gym, name) is not None
    public = {
        name
        for name, value in vars(mt_gym).items()
        if not name.startswith("_")
        and getattr(value, "__module__", "").startswith("mt_gym")
    }
    assert public == set(mt_gym.__all__)


@pytest.mark.parametrize("module", ["mt_gym", "mt_gym.envs.env", "mt_gym.wrappers"])
def test_importing_it_loads_nothing_heavy(module: str) -> None:
    heavy = (
        "numba torch openai pettingzoo pygame typer rich pandas matplotlib PIL scipy"
    )
    code = (
        f"import sys, {module}; "
        f"print([n for n in {heavy.split()!r} if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_importing_the_package_leaves_the_environment_for_later() -> None:
    code = (
        "import sys, mt_gym; "
        "print([n for n in sys.modules if n.startswith(('mt_gym.envs.env', "
        "'mt_gym.observation', 'mt_gym.play', 'mt_gym.solver'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.parametrize("mode", [None, "sync", "vector_entry_point"])
@pytest.mark.parametrize("other", ["complex", None])
def test_an_id_plays_its_own_map_alone(mode: str | None, other: str | None) -> None:
    words = "MagicTower-simple-v0 plays 'simple'"
    keywords: dict[str, Any] = {"shipped": other}
    if other is None:
        keywords["tower"] = "complex"
    with pytest.raises(MtGymError, match=words):
        if mode is None:
            gym.make("MagicTower-simple-v0", **keywords)
        else:
            gym.make_vec("MagicTower-simple-v0", 2, vectorization_mode=mode, **keywords)


def test_a_spec_makes_its_map_again() -> None:
    env = gym.make("MagicTower-hand01-v0", shipped="hand01")
    assert env.spec is not None
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.get_wrapper_attr("tower").name == "hand01"
    assert pickle.loads(pickle.dumps(env.unwrapped)).spec == env.unwrapped.spec
