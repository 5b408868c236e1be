"""A long wait is told on stderr, and a short one is not."""

import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mt_gym.cli.audience import Audience
from mt_gym.cli.waiting import Waiting
from mt_gym.engine.load import load


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    assert true()


def test_a_long_wait_is_told_in_lines_at_growing_distances() -> None:
    out = io.StringIO()
    waiting = Waiting(0.02, out)
    waiting.start()
    waiting.begin("waiting for a model")
    until(lambda: out.getvalue().count("\n") >= 2)
    waiting.stop()
    lines = out.getvalue().splitlines()
    assert all(line.startswith("waiting for a model, 0 s so far") for line in lines)


def test_a_short_wait_is_not_told() -> None:
    out = io.StringIO()
    waiting = Waiting(0.2, out)
    waiting.start()
    for _ in range(5):
        waiting.begin("waiting for a model")
        waiting.end()
    time.sleep(0.4)
    waiting.stop()
    assert out.getvalue() == ""


def test_on_a_terminal_the_line_goes_away() -> None:
    out = Terminal()
    waiting = Waiting(0.01, out)
    waiting.start()
    waiting.begin("waiting")
    until(lambda: "waiting, 0 s" in out.getvalue())
    waiting.stop()
    assert out.getvalue().endswith("\r\x1b[K")
    assert "\n" not in out.getvalue()


@pytest.mark.parametrize(
    ("episodes", "told"),
    [
        (1, "waiting for llm:tiny (turn 2, 1,200 characters of text), 0 s so far"),
        (2, "waiting for llm:tiny (0 of 2 episodes finished), 0 s so far"),
    ],
)
def test_a_question_that_stays_without_an_answer_is_told(
    episodes: int, told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    start = {"row": "start", "policy": "llm:tiny", "seed": 0, "hp": 470}
    question = {"row": "question", "turn": 2, "observation": "x" * 1200}
    with Audience(load("simple"), episodes, tmp_path, patience=0.01) as audience:
        audience.see(start)
        audience.see(question)
        found = ""

        def heard() -> bool:
            nonlocal found
            found += capsys.readouterr().err
            return told in found

        until(heard)
