"""`floors`, `show` and `verify` show what the map files say."""

import io
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import mt_gym
from mt_gym.cli import call
from mt_gym.cli.picture import floor_picture, letter_of, style_of
from mt_gym.cli.png import png_bytes


def shown(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert call(arguments) == 0
    return capsys.readouterr().out


def drawn(tower: mt_gym.Tower, state: mt_gym.State) -> list[str]:
    """The cells of the picture as rows of letters, without the margins."""
    out = Console(width=200, record=True, file=io.StringIO())
    out.print(floor_picture(tower, state, 0))
    rows = [
        line[3 : 3 + 2 * tower.floors[0].width : 2]
        for line in out.export_text().splitlines()
        if re.match(r" ?\d+ [^ ]", line)
    ]
    return rows[-tower.floors[0].height :]


def test_floors_lists_every_shipped_map_with_its_optimum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = shown(["floors"], capsys).splitlines()
    row = next(line for line in lines if line.startswith("simple"))
    assert re.search(r"11×11 +14 +4 +470 +13$", row.rstrip())


def test_show_draws_the_map_as_its_file_does() -> None:
    tower = mt_gym.load("simple")
    rows = drawn(tower, tower.initial_state())
    file = [row.replace("#", "█").replace(".", "·") for row in tower.floors[0].rows]
    assert rows == file


def test_picture_follows_the_state() -> None:
    tower = mt_gym.load("simple")
    state = tower.step(tower.initial_state(), tower.action("fight 4,2"))
    assert drawn(tower, state)[2][4] == "@"
    state = tower.step(state, tower.action("collect 5,1"))
    assert drawn(tower, state)[2][4] == "·"
    assert drawn(tower, state)[1][5] == "@"


def test_legend_names_every_kind_with_its_letter_and_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = shown(["show", "simple"], capsys)
    tower = mt_gym.load("simple")
    for letter, placement in tower.floors[0].legend:
        assert re.search(rf" {letter} +{placement.kind} ", text), placement.kind
    assert re.search(r"L +Slime Lord +×4 +HP 80 +ATK 10 +DEF 5 +costs 114\b", text)
    assert re.search(r"Z +Boss .*cannot be beaten yet", text)
    assert re.search(r"Y +Yellow Door +×4 +takes 1 yellow key\b", text)
    assert re.search(r"P +Blue Potion +×2 +HP \+200\b", text)
    assert "Goal: " in text
    assert "Best possible final HP: 13" in text


def test_kinds_of_one_letter_or_type_differ_in_letter_or_colour() -> None:
    tower = mt_gym.load("simple")
    looks = {
        thing.name: (letter_of(tower, thing), style_of(thing))
        for thing in tower.board.objects
    }
    assert len(set(looks.values())) == len(looks)
    assert "bright_yellow" in looks["Yellow Door"][1]
    assert "bright_red" in looks["Red Gem"][1]


def test_png_holds_the_picture() -> None:
    image = pytest.importorskip("PIL.Image", reason="needs pillow (extra render)")
    picture = np.arange(2 * 5 * 3, dtype=np.uint8).reshape(2, 5, 3) * 8
    with image.open(io.BytesIO(png_bytes(picture))) as read:
        assert np.array_equal(np.asarray(read), picture)


def test_show_writes_a_png(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "simple.png"
    assert "written to" in shown(["show", "simple", "--png", str(file)], capsys)
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert min(width, height) > 300


def test_verify_plays_the_route_to_the_optimum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = shown(["verify", "simple"], capsys).splitlines()
    assert re.match(r"T36 +fight 5,10 \(Boss\) +HP +601 → 13$", lines[-2].rstrip())
    assert "wins with 13 HP" in lines[-1]


def test_verify_without_a_certificate_says_what_finds_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = mt_gym.load("hand01").to_toml()
    file = tmp_path / "bare.toml"
    file.write_text(text[: text.index("[certificate]")], encoding="utf-8")
    assert call(["verify", str(file)]) == 1
    assert "has no certificate" in (told := capsys.readouterr().err)
    assert "'mt-gym solve'" in told


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("optimum = 13", "optimum = 14", "says 14 HP: the route ends with 13 HP"),
        ('"fight 5,10",', "", "the goal is not reached"),
        ('"open 4,7",', "", "step 4 of the route: 'fight 3,7' is not legal"),
    ],
)
def test_verify_rejects_a_wrong_certificate(
    old: str,
    new: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    text = mt_gym.load("simple").to_toml()
    file = tmp_path / "forged.toml"
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert call(["verify", str(file)]) == 1
    assert message in capsys.readouterr().err
