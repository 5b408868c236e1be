"""The text space, alone and in vector environments under every start method."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector.utils import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

from mt_gym.envs.spaces import SharedTexts, TextSpace
from mt_gym.errors import MtGymError

IDS = "mt_gym:MagicTower-simple-v0"
COPIES = 2


def test_it_holds_texts_of_at_most_its_length() -> None:
    space = TextSpace(5)
    assert "→≥×\n " in space
    assert "" in space
    assert "123456" not in space
    assert 5 not in space
    assert b"123" not in space


def test_samples_are_texts_of_it_and_depend_on_the_seed_alone() -> None:
    one, two = TextSpace(300, seed=3), TextSpace(300, seed=3)
    samples = [one.sample() for _ in range(20)]
    assert samples == [two.sample() for _ in range(20)]
    assert all(sample in one for sample in samples)
    assert len(set(samples)) > 10
    assert all(TextSpace(1, seed=i).sample() in TextSpace(1) for i in range(20))


def test_it_has_a_text_form_and_equality() -> None:
    assert repr(TextSpace(5)) == "TextSpace(5)"
    assert TextSpace(5) == copy.deepcopy(TextSpace(5))
    assert TextSpace(5) != TextSpace(6)
    assert hash(TextSpace(5)) == hash(TextSpace(5))


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(MtGymError, match="at least 1"):
        TextSpace(0)
    with pytest.raises(MtGymError, match="without mask"):
        TextSpace(5).sample(mask=np.ones(3))


def test_shared_memory_returns_what_was_written() -> None:
    space = TextSpace(6)
    shared = create_shared_memory(space, n=3)
    batch: Any = read_from_shared_memory(space, shared, n=3)
    assert isinstance(batch, SharedTexts)
    assert tuple(batch) == ("", "", "")
    for index, text in enumerate(("→≥×\n ⚔", "", "abc")):
        write_to_shared_memory(space, index, text, shared)  # type: ignore[arg-type]
    assert tuple(batch) == ("→≥×\n ⚔", "", "abc")
    write_to_shared_memory(space, 0, "x", shared)  # type: ignore[arg-type]
    assert batch[0] == "x"  # decoded when it is asked for
    assert batch[-1] == "abc"
    assert batch[1:] == ("", "abc")
    frozen: Any = copy.deepcopy(batch)
    write_to_shared_memory(space, 0, "later", shared)  # type: ignore[arg-type]
    assert frozen == ("x", "", "abc")
    assert type(frozen) is tuple
    with pytest.raises(IndexError):
        batch[3]


def test_a_text_that_is_too_long_is_an_error_never_a_cut() -> None:
    space = TextSpace(3)
    shared = create_shared_memory(space)
    with pytest.raises(MtGymError, match="4 characters does not fit"):
        write_to_shared_memory(space, 0, "four", shared)  # type: ignore[arg-type]


def solo_texts(steps: int) -> list[tuple[str, ...]]:
    """Texts of copies that reset in the step after the end, as vectors do."""
    envs: list[Any] = [gym.make(IDS, max_turns=8) for _ in range(COPIES)]
    rngs = [np.random.default_rng(i) for i in range(COPIES)]
    found = [env.reset(seed=i) for i, env in enumerate(envs)]
    texts = [tuple(text for text, _ in found)]
    masks = [info["action_mask"] for _, info in found]
    over = [False] * COPIES
    for _ in range(steps):
        row = []
        for i, env in enumerate(envs):
            action = pick(rngs[i], masks[i])
            if over[i]:
                text, info = env.reset()
                over[i] = False
            else:
                text, _, terminated, truncated, info = env.step(action)
                over[i] = terminated or truncated
            masks[i] = info["action_mask"]
            row.append(text)
        texts.append(tuple(row))
    return texts


def vector_texts(envs: Any, steps: int) -> list[tuple[str, ...]]:
    rngs = [np.random.default_rng(i) for i in range(COPIES)]
    observations, info = envs.reset(seed=[*range(COPIES)])
    texts = [tuple(observations)]
    for _ in range(steps):
        masks = info["action_mask"]
        actions = [pick(rngs[i], masks[i]) for i in range(COPIES)]
        observations, _, _, _, info = envs.step(np.array(actions))
        assert observations in envs.observation_space
        texts.append(tuple(observations))
    envs.close()
    return texts


def pick(rng: np.random.Generator, mask: Any) -> int:
    legal = np.flatnonzero(mask)
    return int(rng.choice(legal)) if len(legal) else 0


@pytest.mark.parametrize(
    "how", ["sync", "fork", "spawn", "forkserver", "no shared memory"]
)
def test_vector_environments_give_the_texts_of_single_ones(how: str) -> None:
    mode = "sync" if how == "sync" else "async"
    keywords: dict[str, Any] = {}
    if how in ("fork", "spawn", "forkserver"):
        keywords = {"context": how}
    elif how == "no shared memory":
        keywords = {"shared_memory": False}
    envs = gym.make_vec(
        IDS,
        num_envs=COPIES,
        vectorization_mode=mode,
        vector_kwargs=keywords,
        max_turns=8,
    )
    texts = vector_texts(envs, 20)
    assert texts == solo_texts(20)
    assert any("Turn 1/8" in row[0] for row in texts[2:]), "no autoreset happened"
