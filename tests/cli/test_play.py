"""`play` with scripted input: numbers, hint, undo, and the end."""

import io
import re
from pathlib import Path

import gymnasium as gym
import pytest

import mt_gym
from mt_gym.cli import call
from mt_gym.cli.story import OUTCOMES


def played(
    lines: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{x}\n" for x in lines)))
    code = call(["play", "simple"])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def screens(text: str) -> list[str]:
    """The text cut at each prompt."""
    return re.split(r"Number \(.*\):\n", text)


def test_first_screen_shows_floor_hero_and_numbered_choices(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = played(["q"], capsys, monkeypatch)
    assert code == 0
    first = screens(out)[0]
    assert "HP 470  ATK 9  DEF 4" in first
    assert "T1 collect 5,1 (Yellow Key): HP 470 → 470" in first
    assert re.search(r"^ +3 .*Black Slime.*: costs 55 HP, leaves 415", first, re.M)


def test_number_executes_the_entry(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = played(["3", "q"], capsys, monkeypatch)
    assert "T2 fight 6,4 (Black Slime): HP 470 → 415" in screens(out)[1]


def test_a_persons_mistake_is_executed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Door 1,3 of `hand03` hides an empty room, as the annotations would say."""
    monkeypatch.setattr("sys.stdin", io.StringIO("2\nq\n"))
    assert call(["play", "hand03"]) == 0
    assert "T1 open 1,3 (Yellow Door): HP 80 → 80" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("2\nq\n"))
    assert call(["play", "hand03", "--set", 'overrides=["mechanical"]']) == 0
    told = capsys.readouterr().out
    assert "T1 open 4,5 (Yellow Door) in place of open 1,3 (Yellow Door): HP" in told
    assert "(dead end: nothing new" in told


def test_undo_brings_back_the_screen_before(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = played(["3", "1", "u", "u", "u", "3", "q"], capsys, monkeypatch)
    shots = screens(out)

    def choices(shot: str) -> list[str]:
        return [line for line in shot.splitlines() if re.match(r" +\d+  ", line)]

    def hero(shot: str) -> list[str]:
        return [line for line in shot.splitlines() if line.startswith("HP ")]

    assert hero(shots[3]) == hero(shots[1])
    assert choices(shots[3]) == choices(shots[1])
    assert shots[4] == shots[0]
    assert "There is nothing to undo." in shots[5]
    assert shots[6] == shots[1]


def test_hint_is_a_number_of_the_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = played(["h", "q"], capsys, monkeypatch)
    found = re.search(r"Hint: (\d+) \(([\w ,]+)\): \S", screens(out)[1])
    assert found
    tower = mt_gym.load("simple")
    start = tower.step(tower.initial_state(), tower.action("collect 5,1"))
    assert tower.action(found[2]) in tower.legal_actions(start)


def test_everything_that_is_known_can_be_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = played(["i", "q"], capsys, monkeypatch)
    assert "lookahead=" in screens(out)[1]


def test_wrong_number_is_asked_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = played(["99", "q"], capsys, monkeypatch)
    assert "'99' is none of 1 to 4, and no command." in out


def numbers_to_the_end() -> tuple[list[str], str]:
    """The first enabled number of each list until the episode ends, and its outcome."""
    env = gym.make("MagicTower-simple-v0", overrides=[])
    _, info = env.reset(seed=0)
    numbers = []
    while "outcome" not in info:
        entry = next(entry for entry in info["actions"] if entry["enabled"])
        numbers.append(str(entry["number"]))
        _, _, _, _, info = env.step(entry["action"])
    env.close()
    return numbers, info["outcome"]


def test_end_says_the_outcome_and_can_be_undone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, outcome = numbers_to_the_end()
    words = OUTCOMES[outcome][0].upper() + OUTCOMES[outcome][1:]
    code, out, err = played(numbers, capsys, monkeypatch)
    assert (code, err) == (0, "")
    told = rf"^{words}: \d+ HP after \d+ turns \(the best win leaves 13\)$"
    assert re.search(told, screens(out)[-2], re.M)
    code, out, _ = played([*numbers, "u", "q"], capsys, monkeypatch)
    assert code == 0
    assert screens(out)[-2] == screens(out)[len(numbers) - 1]
    _, out, _ = played([*numbers, "1", "q"], capsys, monkeypatch)
    assert screens(out)[-2] == "'1' is no command.\n"


def test_a_win_above_a_proved_optimum_is_not_reported(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    tower = mt_gym.load("hand01")
    text = tower.to_toml().replace("optimum = 35", "optimum = 20")
    file = tmp_path / "lying.toml"
    file.write_text(text, encoding="utf-8")
    assert tower.certificate is not None
    env = gym.make("MagicTower-hand01-v0", overrides=[])
    _, info = env.reset()
    numbers = []
    for action in map(tower.action, tower.certificate.route):
        found = [e for e in info["actions"] if e["action"] == action.index]
        if found:  # else an assist has done it
            numbers.append(str(found[0]["number"]))
            _, _, _, _, info = env.step(action.index)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*numbers, "q"])))
    assert call(["play", str(file)]) == 1
    told = capsys.readouterr()
    assert "calls 20 HP the optimum, and an episode ended with 35" in told.err
    assert "35 HP after" not in told.out


def test_end_of_input_in_the_middle_is_no_success(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = played(["3"], capsys, monkeypatch)
    assert code == 130
    assert err == "mt-gym: the input is over\n"
