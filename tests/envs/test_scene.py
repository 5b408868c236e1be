"""Scenes: what stands where, and that every small tower can be drawn."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import mt_gym
from mt_gym.engine.load import loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.drawing import draw_scene
from mt_gym.envs.scene import Window, picture, scene_of
from mt_gym.play.episode import Moment
from tests.engine.towers import NAMES, play, states, tower

SIMPLE = mt_gym.load("simple")


def moment(state: State, outcome: str | None = None) -> Moment:
    return Moment(state, 7, outcome, frozenset())


def test_the_simple_floor() -> None:
    state = play(SIMPLE, "collect 5,1")
    scene = scene_of(SIMPLE, moment(state))
    assert (len(scene.cells), len(scene.cells[0])) == (11, 11)
    (hero,) = scene.heroes
    assert (hero.x, hero.y) == (5, 1)
    assert scene.panel[:4] == ("TURN 7", "HP 470", "ATK 9", "DEF 4")
    assert "YELLOW 1" in scene.panel
    kinds = {
        (x, y): (cell.tile, cell.tint, cell.badge)
        for y, row in enumerate(scene.cells)
        for x, cell in enumerate(row)
    }
    assert kinds[2, 0] == ("wall", "", "")
    assert kinds[5, 1] == ("floor", "", "")  # the key is taken
    assert kinds[7, 0] == ("door", "yellow", "")
    assert kinds[1, 0] == ("gem", "red", "+1")
    assert kinds[9, 4] == ("gem", "blue", "+1")
    assert kinds[9, 2] == ("potion", "red", "+75")
    assert kinds[10, 2] == ("potion", "blue", "+200")
    assert kinds[0, 1] == ("key", "yellow", "")
    assert kinds[6, 4] == ("monster", "", "55")
    assert kinds[5, 10] == ("boss", "", "?")
    assert scene.cells[6][5].label == "Green Slime"


def test_a_thing_to_carry_looks_like_a_tool_only_if_its_name_says_so() -> None:
    def look(name: str) -> str:
        made = loads(mt_gym.load("hand10").to_toml().replace("Lantern", name))
        return scene_of(made, moment(made.initial_state())).cells[1][1].tile

    assert look("Lantern") == "treasure"
    assert look("Cross") == look("PickaxeOfIce") == "tool"


def test_the_title_says_how_it_ended() -> None:
    state = SIMPLE.initial_state()
    assert scene_of(SIMPLE, moment(state)).title == "simple"
    ended = scene_of(SIMPLE, moment(state, "turn_limit"))
    assert ended.title == "simple: turn limit"


def test_the_floor_is_that_of_the_hero_and_used_stairs_stay_visible() -> None:
    game = tower("stairs")
    below = scene_of(game, moment(game.initial_state()))
    above = scene_of(game, moment(play(game, "F1:climb 3,1")))
    assert below.title == "stairs F1"
    assert above.title == "stairs F2"
    assert above.cells[3][3].tile == "stairs_down"
    assert below.cells[1][3].tile == "stairs_up"


@pytest.mark.parametrize("name", NAMES)
def test_every_state_of_every_small_tower_can_be_drawn(name: str) -> None:
    game: Tower = tower(name)
    shapes: dict[str, set[tuple[int, ...]]] = {}
    for state in states(game, 12):
        scene = scene_of(game, moment(state))
        image = draw_scene(scene)
        assert image.dtype == np.uint8
        shapes.setdefault(scene.title, set()).add(image.shape)
    assert all(len(found) == 1 for found in shapes.values())


def test_a_window_shows_pictures_and_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def note(name: str) -> Any:
        return lambda *args: calls.append(name)

    screen = SimpleNamespace(get_size=lambda: (0, 0), blit=note("blit"))

    def set_mode(size: tuple[int, int]) -> Any:
        calls.append("set_mode")
        screen.get_size = lambda: size
        return screen

    pygame = SimpleNamespace(
        display=SimpleNamespace(
            init=note("init"),
            set_caption=note("caption"),
            set_mode=set_mode,
            flip=note("flip"),
            quit=note("quit"),
        ),
        time=SimpleNamespace(Clock=lambda: SimpleNamespace(tick=note("tick"))),
        surfarray=SimpleNamespace(make_surface=lambda image: image.shape),
        event=SimpleNamespace(pump=note("pump")),
    )
    monkeypatch.setitem(sys.modules, "pygame", pygame)
    window = Window("simple", 4)
    image = picture(SIMPLE, moment(SIMPLE.initial_state()))
    window.show(image)
    window.show(image)
    window.close()
    assert calls.count("set_mode") == 1
    assert calls.count("flip") == 2
    assert calls[-1] == "quit"
