"""A label names a folder: one plain word of it, on one line."""

from pathlib import Path

import pytest

from mt_gym.cli import call
from mt_gym.cli.run import run_folder
from mt_gym.errors import MtGymError

BAD = ["", " ", "  ", "a\n", "a\nb", "\t", "a\x1b[31m", " a", "a ", ".", "..", "a/b"]
BAD += ["a\\b", "a\x00b", "/", "a/", "\x7f", "\u2028"]


@pytest.mark.parametrize("label", BAD)
def test_what_is_no_plain_folder_name_is_refused(label: str) -> None:
    with pytest.raises(MtGymError, match="a plain folder name is expected"):
        run_folder(label, None)


@pytest.mark.parametrize("label", ["first", "two words", "GPT-4.1 (b)", "模型", "a..b"])
def test_plain_names_are_folders_below_runs(label: str) -> None:
    assert run_folder(label, None) == Path("runs") / label


def test_the_command_says_it_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["run", "simple", "--policy", "random", "--out", str(tmp_path)]
    assert call([*command, "--label", "a\nb"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "--label 'a\\nb'" in error
    assert not list(tmp_path.iterdir())
