"""The bench of the loop: every line measures, and the scalars are written."""

from pathlib import Path

import pytest

from mt_gym.agents import make_policy
from mt_gym.bench import run, speed
from mt_gym.bench.scalars import write_scalars
from tests.bench.players import ID, Breaking, failure


def test_every_line_of_the_loop_bench_measures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    monkeypatch.setattr(speed, "EPISODES", 4)
    monkeypatch.setattr(speed, "AT_A_TIME", 2)
    figures = list(speed.bench_loop(1))
    assert len(figures) == 3
    assert all(figure.median > 0 for figure in figures)


def scalars(folder: Path, tag: str) -> dict[int, float]:
    """What TensorBoard reads under a tag, by step."""
    accumulator = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator",
        reason="needs the extra rl",
    )
    from tensorboard.util.tensor_util import make_ndarray

    events = accumulator.EventAccumulator(str(folder))
    events.Reload()
    found = events.Tensors(tag)
    return {one.step: float(make_ndarray(one.tensor_proto)) for one in found}


def test_scalars_are_one_step_an_episode(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="needs the extra rl")
    result = run(ID, Breaking({1: failure()}), episodes=3)
    write_scalars(result, tmp_path)
    turns = {one.episode: one.turns for one in result.episodes}
    assert scalars(tmp_path, "breaking/turns") == turns
    assert scalars(tmp_path, "breaking/success rate") == {1: 0, 3: 0}


def test_final_hp_is_written_for_wins_alone(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="needs the extra rl")
    write_scalars(run(ID, make_policy("witness")), tmp_path)
    assert scalars(tmp_path, "witness/final HP") == {1: 13}
