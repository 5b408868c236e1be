"""Recorded texts: what is rendered for every scene, and how to record it again.

`python -m tests.observation.golden --write` rewrites tests/observation/golden/*.txt.
Read the difference line by line before you keep it: the files are the judgement.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mt_gym.analysis import Options
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.observation import render
from mt_gym.play.episode import Moment, advance, begin
from mt_gym.play.record import Executed
from mt_gym.play.settings import PlaySettings
from tests.analysis.scenes import TURN_4, TURN_9

FOLDER = Path(__file__).parent / "golden"
TOWERS = Path(__file__).parent.parent / "data"


def decision(tower: Tower, *choices: str) -> tuple[Moment, list[Executed]]:
    """Where an episode with all assists stands after choices, and its history."""
    settings = PlaySettings(Options.of(tower), overrides=())
    moment, played = begin(tower, tower.initial_state(), settings)
    done = [turn.executed(number) for number, turn in enumerate(played, 1)]
    for text in choices:
        moment, played = advance(tower, moment, tower.action(text), settings)
        first = len(done) + 1
        done += [turn.executed(number) for number, turn in enumerate(played, first)]
    return moment, done


def text_at(tower: Tower, kind: str, *choices: str) -> str:
    """The observation after choices."""
    moment, done = decision(tower, *choices)
    return render(
        tower,
        moment.state,
        options=Options.of(tower),
        kind=kind,
        turn=moment.turn,
        recent=done,
    )


def walk(tower: Tower, kind: str) -> str:
    """The observations of one random game without assists, one after the other."""
    settings = PlaySettings(Options.of(tower), assists=frozenset(), overrides=())
    moment, _ = begin(tower, tower.initial_state(), settings)
    rng = np.random.default_rng(1)
    done: list[Executed] = []
    texts: list[str] = []
    while len(texts) < 6:
        texts.append(
            render(
                tower,
                moment.state,
                options=settings.options,
                kind=kind,
                turn=moment.turn,
                recent=done,
            )
        )
        if moment.outcome is not None:
            break
        legal = tower.legal_actions(moment.state)
        action = legal[int(rng.integers(len(legal)))]
        texts.append(f">>> {action}")
        moment, played = advance(tower, moment, action, settings)
        first = len(done) + 1
        done += [turn.executed(number) for number, turn in enumerate(played, first)]
    return "\n\n".join(texts)


def scenes() -> Iterator[tuple[str, str]]:
    """Name and text of every recorded scene."""
    simple = load("simple")
    yield "simple_first", text_at(simple, "annotated")
    yield "simple_turn_4", text_at(simple, "annotated", *TURN_4)
    yield "simple_turn_9", text_at(simple, "annotated", *TURN_9)
    yield "simple_bare", text_at(simple, "bare")
    for path in sorted(TOWERS.glob("*.toml")):
        yield path.stem, walk(load(path), "annotated")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.observation.golden --write")
    FOLDER.mkdir(exist_ok=True)
    for name, text in scenes():
        (FOLDER / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
