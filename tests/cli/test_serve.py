"""`serve-policy` and `serve-model`: what they say, and that they can be played on."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mt_gym.cli import call


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The address at which a server process says that it serves."""
    command = [sys.executable, "-u", "-m", "mt_gym", "serve-policy", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        found = re.search(r"http://\S+/v1", process.stdout.readline())
        assert found is not None, process.stderr.read()
        try:
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=20) == 0
            assert process.stderr.read() == ""


def test_a_served_policy_plays_through_run_and_ends_cleanly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("openai", reason="needs the extra llm")
    with served(
        "heuristic", "--misbehave", "rate_limit,no_number", "--retry-after", "0"
    ) as url:
        address = f"policy.base_url={url}"
        code = call(["run", "simple", "--policy", "llm:heuristic", "--set", address])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    assert "fight 6,4" in shown.out


def test_every_misbehaviour_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["serve-policy", "heuristic", "--misbehave", "list"]) == 0
    assert "status 429 with retry-after" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve-policy", "heurist"], "unknown policy 'heurist'"),
        (["serve-policy", "llm:x"], "'llm:x' cannot be served"),
        (["serve-policy", "person"], "'person' cannot be served"),
        (["serve-policy", "heuristic", "--misbehave", "x"], "unknown misbehaviour 'x'"),
        (["serve-policy", "heuristic", "--port", "99999"], "equal to 65535"),
        (["serve-policy", "heuristic", "--host", "256.1.1.1"], "at 256.1.1.1"),
        (["serve-model", "none.gguf"], "no model file 'none.gguf'"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(arguments) != 0
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error
