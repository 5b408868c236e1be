"""`solve` says the status, the HP and the route in words, and claims no more."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

import mt_gym
from mt_gym.cli import call


def solved(monkeypatch: pytest.MonkeyPatch, **answer: Any) -> dict[str, Any]:
    """Let the solver give an answer; returns the limits it was called with."""
    seen: dict[str, Any] = {}

    def solve(tower: mt_gym.Tower, **limits: Any) -> Any:
        seen.update(limits)
        return SimpleNamespace(
            **{
                "hp": None,
                "bound": None,
                "route": (),
                "expanded": 1234,
                "seconds": 0.5,
                "reductions": (),
                **answer,
            }
        )

    monkeypatch.setattr("mt_gym.solver.solve", solve, raising=False)
    return seen


def shown(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert call(arguments) == 0
    return capsys.readouterr().out


def route(length: int) -> tuple[mt_gym.Action, ...]:
    tower = mt_gym.load("simple")
    assert tower.certificate is not None
    return tuple(tower.action(text) for text in tower.certificate.route[:length])


def test_proved_optimum_is_shown_with_its_route(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(monkeypatch, status="optimal", hp=13, bound=13, route=route(36))
    text = shown(["solve", "simple"], capsys)
    assert text.startswith("simple: optimal\n")
    assert re.search(r"^Best final HP: 13$", text, re.M)
    assert re.search(r"^T2 +fight 6,4 \(Black Slime\) +HP +470 → 415$", text, re.M)
    assert re.search(r"^T36 +fight 5,10 \(Boss\) +HP +601 → 13$", text, re.M)
    assert "Not proved" not in text
    assert "1,234 states" in text


def test_what_is_not_proved_is_called_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = solved(monkeypatch, status="bounded", hp=10, bound=20, route=route(2))
    text = shown(["solve", "simple", "--time-limit", "2", "--node-limit", "9"], capsys)
    assert "simple: bounded\n" in text
    assert "Best final HP found: 10" in text
    assert "Not proved: it is at most 20." in text
    assert (seen["time_limit"], seen["node_limit"]) == (2.0, 9)


def test_bound_without_a_route_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(monkeypatch, status="bounded", bound=20)
    text = shown(["solve", "simple"], capsys)
    assert "No route found yet." in text
    assert "at most 20" in text


def test_infeasible_floor_is_called_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(monkeypatch, status="infeasible")
    text = shown(["solve", "simple"], capsys)
    assert "simple: infeasible" in text
    assert "The goal cannot be reached: proved." in text
