"""Random small towers by class, with heroes of varied HP."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mt_gym.engine.generate import SPECIALS, Recipe, random_tower
from mt_gym.engine.kinds import amounts
from mt_gym.engine.tower import Tower

RISING = ("counter", "purify", "armour_break", "mimic")

RECIPES = {
    "tree": Recipe(7),
    "loops and doors": Recipe(8, "open", doors=40),
    "all specials": Recipe(7, specials=SPECIALS, plain=20),
    "all specials, loops": Recipe(7, "open", specials=SPECIALS, plain=10),
    "vampires": Recipe(7, specials=("vampire",), plain=40),
    "vampires, loops": Recipe(7, "open", specials=("vampire", "hits"), plain=30),
    "rising losses": Recipe(7, "loose", specials=RISING, plain=30),
    "rising losses, loops": Recipe(7, "open", specials=RISING, plain=20),
    "rising losses and vampires": Recipe(
        7, "open", specials=("vampire", *RISING), plain=20
    ),
    "holy water": Recipe(7, holy_water=1, gates=10),
    "holy water and vampires": Recipe(
        6, "open", holy_water=2, specials=("vampire",), plain=50
    ),
    "two floors": Recipe(8, floors=2, goal="reach"),
    "two floors, a boss": Recipe(8, floors=2, doors=40, specials=SPECIALS),
    "an item to take": Recipe(7, "open", goal="take", specials=SPECIALS, plain=40),
    "many doors": Recipe(9, "loose", doors=60),
    "shop": Recipe(4, shop=True),
    "shop, growing price": Recipe(4, "open", shop=True, growth=3),
    "shop and vampires": Recipe(4, "open", shop=True, specials=("vampire",), plain=40),
}


def small_tower(name: str, seed: int) -> Tower:
    """The tower of a class and a seed."""
    classes = list(RECIPES)
    rng = np.random.default_rng([classes.index(name), seed])
    tower = random_tower(rng, RECIPES[name], name.replace(" ", "_"))
    factor = int(rng.integers(1, 4))
    hero = dict(tower.data.hero)
    hero["hp"] = hero["hp"] * factor * int(rng.integers(80, 120)) // 100
    return Tower(replace(tower.data, hero=amounts(hero)))
