"""Bad input is one line on stderr that says what, where and what is allowed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mt_gym.cli import call

DEFECTIVE = """
name = "broken"
[hero]
hp = 0
atk = 1
def = 1
[goal]
defeat = "Nobody"
[monsters]
"Bat" = { hp = 1, atk = 1, def = 1 }
[[floors]]
id = "broken"
map = \"\"\"
.B@
\"\"\"
[floors.legend]
B = "Bat"
"""
"""Two defects: a hero without HP, and a goal that is not there."""


def fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a failing command leaves on stderr."""
    code = call(arguments)
    err = capsys.readouterr().err
    assert code != 0
    assert err.startswith("mt-gym: ")
    assert err.count("\n") == 1, err
    return err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Missing command"),
        ("fly", r"No such command 'fly'.* \(see 'mt-gym --help'\)"),
        ("show", "Missing argument 'FLOOR'"),
        ("show simple --ping x", r"No such option: --ping .*'mt-gym show --help'"),
        ("show smple", "no shipped floor and no file 'smple'; did you mean 'simple'"),
        ("show maps/none.toml", "no file 'maps/none.toml'"),
        ("show simple --floor MT3", "'simple' has no floor 'MT3' .floors: simple"),
        ("show simple --png no/such/folder.png", "No such file or directory.*no/such"),
        ("play smple", "no shipped floor and no file 'smple'"),
        ("play simple --set observation", "--set 'observation': KEY=VALUE is expected"),
        ("play simple --set policy.x=1", "you are the policy"),
        ("play simple --set info_level=mask", "info_level='mask'"),
        ("play simple --set hat=1", "unknown keyword 'hat'"),
        ("verify smple", "no shipped floor and no file 'smple'"),
        ("solve smple", "no shipped floor and no file 'smple'"),
        ("run simple", "Missing option '--policy'"),
        ("run smple --policy random", "no shipped floor and no file 'smple'"),
        ("run simple --policy rondom", "unknown policy 'rondom'; there are random"),
        ("run simple --policy no_such:Thing", "'no_such' cannot be imported"),
        ("run simple --policy random --episodes 0", "episodes must be .* >= 1, got 0"),
        ("run simple --policy random --seed -1", "seed must be .* >= 0, got -1"),
        ("run simple --policy random --set x", "--set 'x': KEY=VALUE is expected"),
        (
            "run simple --policy random --set reward=sparse --set reward=sparse",
            "--set 'reward=sparse': the key is given twice",
        ),
        ("run simple --policy random --set hat=1", "hat.*observation"),
        ("run simple --policy random --set reward=money", "'money'.*goal_score"),
        (
            "run simple --policy random --set info_level=mask",
            "policy needs the list of 'full'",
        ),
        ("run simple --policy random --set policy.x=1", "cannot be made with .'x'"),
        ("run simple --policy random --set render_mode=3", "render_mode=3 .*allowed: "),
        ("play simple --set render_mode=sky", "render_mode='sky' .*allowed: ansi"),
        ("run simple --policy random --set num_actions=" + "9" * 20, "at most 100000"),
        (
            "run simple --policy random --set annotations=[[]]",
            r"annotation \[\]; allow",
        ),
        ("run simple --policy random --set max_turns=" + "9" * 5000, "no JSON value"),
        ("verify simple --node-limit 3", "--node-limit goes with --prove"),
        ("run simple --policy random --label a/b", "--label 'a/b': a plain folder"),
        ("replay no/such/run", "there is no run folder 'no/such/run'"),
        ("bench", "Missing command"),
        (
            "bench engine --runs 0",
            "Invalid value for '--runs'.* 'mt-gym bench engine --help'",
        ),
    ],
)
def test_message_names_the_thing_and_what_is_allowed(
    arguments: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    line = fails(arguments.split(), capsys)
    assert re.search(message, line), line
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("command", ["show", "play", "verify", "solve", "run"])
def test_defective_map_is_refused_with_all_its_problems(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(DEFECTIVE, encoding="utf-8")
    extra = ["--policy", "random"] if command == "run" else []
    line = fails([command, str(file), *extra], capsys)
    assert "'broken' has" in line
    assert "Nobody" in line
    assert "hp" in line.lower()


def test_unreadable_map_names_file_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "torn.toml"
    file.write_text('name = "torn"\n[hero\n', encoding="utf-8")
    line = fails(["show", str(file)], capsys)
    assert "torn.toml" in line
    assert "line 2" in line


def test_closed_output_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert call(["show", "simple"]) == 0


def test_number_beyond_counting_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "huge.toml"
    text = DEFECTIVE.replace('"Bat" = { hp = 1,', f'"Bat" = {{ hp = {10**18},')
    file.write_text(text, encoding="utf-8")
    line = fails(["show", str(file)], capsys)
    assert "[monsters] 'Bat': 'hp' must be an integer of at most 18 digits" in line


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_value_that_cannot_be_read_is_no_traceback(
    value: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "huge.toml"
    file.write_text(f"name = {value}\n", encoding="utf-8")
    assert "huge.toml: a value that is no TOML" in fails(["show", str(file)], capsys)


def run_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from mt_gym.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True
    )


def test_process_ends_with_the_code_and_without_a_traceback() -> None:
    done = run_process("show", "smple")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert run_process("floors").returncode == 0
