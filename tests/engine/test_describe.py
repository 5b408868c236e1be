"""The static map as text."""

from __future__ import annotations

import pytest

from tests.engine.towers import NAMES, tower


@pytest.mark.parametrize("name", NAMES)
def test_every_visible_object_and_every_row_is_told(name: str) -> None:
    game = tower(name)
    text = game.describe()
    assert text == tower(name).describe()
    for thing in game.board.objects:
        if thing.spot is not None and not thing.hidden:
            assert f"({thing.spot.x},{thing.spot.y})" in text
            assert thing.name in text
    for floor in game.floors:
        assert "\n".join(floor.rows) in text


def test_hidden_objects_are_not_told() -> None:
    assert "Sword" not in tower("stacked").describe()
    assert "Stairs Up" not in tower("hidden_stairs").describe()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("seal", "- Guard at (1,1), (3,1), (5,1): HP 20, ATK 8, DEF 2, gold 1"),
        ("specials", "- Bat at (4,1): HP 40, ATK 12, DEF 0; 2 hits a round"),
        ("doors_keys", "- Yellow Door at (2,1): costs yellow key 1"),
        ("gates_bars", "- Iron Bars at (2,3): no key opens it"),
        (
            "shop_growing",
            "- Smith at (1,1), (4,1): (1) costs gold 10, 5 more each time",
        ),
        ("tokens", "doubled by each token"),
        ("holy_water", "- Holy Water at (1,1): multiplies HP by 3/2"),
        (
            "one_way",
            "- Stairs Up at (3,1): to floor F2, arriving at (1,1) (no way back)",
        ),
        ("portals", "Portals join F1 (3,1) and F1 (5,1); F1 (5,3) and F2 (1,1)."),
        ("goal_script", "Goal: Free the princess."),
        ("seal", "Goal: defeat Warden at (3,5)."),
        ("seal", "## Floor seal (7 columns, 7 rows)"),
    ],
)
def test_lines(name: str, line: str) -> None:
    assert line in tower(name).describe()
