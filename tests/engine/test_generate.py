"""Random maps are sound, repeatable and of the class that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from mt_gym.engine.generate import SHAPES, SPECIALS, Recipe, random_tower
from mt_gym.errors import MtGymError


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("gateways", [1, 5, 20, 40, 60, 70])
def test_map_has_no_defects_and_the_gateways_asked_for(
    shape: str, gateways: int
) -> None:
    for seed in range(4):
        tower = random_tower(np.random.default_rng(seed), Recipe(gateways, shape))
        assert tower.problems() == []
        board = tower.board
        placed = board.monster_mask | board.door_mask | board.gate_mask
        assert placed.bit_count() == gateways


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(12, floors=3, goal="reach", gates=20),
        Recipe(12, "open", shop=True, growth=2, holy_water=2),
        Recipe(12, goal="take", specials=SPECIALS, plain=0),
        Recipe(2, specials=()),
    ],
)
def test_recipes_are_followed(recipe: Recipe) -> None:
    for seed in range(6):
        tower = random_tower(np.random.default_rng(seed), recipe)
        assert tower.problems() == []
        assert len(tower.floors) == recipe.floors
        names = [thing.name for thing in tower.board.objects]
        assert names.count("Holy Water") <= recipe.holy_water
        assert tower.data.goal.type == recipe.goal


def test_equal_generators_give_equal_towers() -> None:
    recipe = Recipe(30, "open", specials=SPECIALS)
    one = random_tower(np.random.default_rng(3), recipe)
    two = random_tower(np.random.default_rng(3), recipe)
    other = random_tower(np.random.default_rng(4), recipe)
    assert one == two and one != other


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"shape": "round"}, "unknown shape 'round'; allowed are maze"),
        ({"goal": "flee"}, "unknown goal 'flee'"),
        ({"specials": ("fire",)}, "unknown specials 'fire'"),
        ({"gateways": 0}, "at least one gateway"),
        ({"floors": 0}, "one floor"),
    ],
)
def test_bad_recipes_are_refused(keywords: dict[str, object], message: str) -> None:
    with pytest.raises(MtGymError, match=message):
        Recipe(**keywords)  # type: ignore[arg-type]
