"""Networks on unseen floors beside the heuristic; the shipped one and its paper."""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path

import pytest

from mt_gym.agents.rl.network import Network
from mt_gym.agents.rl.policy import load_network, shipped_weights
from mt_gym.cli import call
from mt_gym.lab.transfer import bench_transfer, table

WEIGHTS = importlib.resources.files("mt_gym.agents.rl").joinpath("weights")


def test_every_policy_plays_the_same_unseen_floors() -> None:
    rows = list(bench_transfer(["transfer"], (1, 3), 4, samples=8))
    names = [row.name for row in rows]
    assert names == [
        "random",
        "random, best of 8",
        "heuristic",
        "rl:transfer",
        "rl:transfer, best of 8",
    ]
    won = {row.name: row.success for row in rows}
    assert won["random"] <= won["random, best of 8"]
    assert won["rl:transfer"] == 1.0 > won["random"]
    for row in rows:
        assert [level for level, _ in row.found] == [1, 3]
        assert 0 <= row.score <= row.success
        for (_, one), (_, other) in zip(row.found, rows[0].found, strict=True):
            assert one.optimum.tolist() == other.optimum.tolist()
    assert table(rows).splitlines()[0].split() == [
        *("policy", "level", "1", "level", "3", "won", "HP/optimum")
    ]
    assert table(rows, markdown=True).count("\n") == len(rows) + 1


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--levels", "2", "--floors", "2", "--samples", "1"]
    assert call(["bench", "transfer", *wanted]) == 0
    text = capsys.readouterr().out
    assert "heuristic" in text and "rl:transfer" in text and "best of" not in text
    assert call(["bench", "transfer", "nowhere", *wanted]) == 1
    assert "no weights and no file 'nowhere'" in capsys.readouterr().err


@pytest.mark.parametrize("name", shipped_weights())
def test_shipped_weights_say_how_they_were_made(name: str) -> None:
    paper = json.loads(WEIGHTS.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    network: Network = load_network(name)
    assert paper["digest"] == network.digest()
    assert paper["command"].startswith("mt-gym train ")
    assert paper["seed"] == network.about["seed"]
    assert paper["trained_on"] and paper["test"]


def test_shipped_weights_are_small() -> None:
    files = [Path(str(one)) for one in WEIGHTS.iterdir()]
    assert files
    assert sum(file.stat().st_size for file in files) < 2_000_000
