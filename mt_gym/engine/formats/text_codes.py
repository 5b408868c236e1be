"""Codes of the text format, shared by its reader and its writer."""

from __future__ import annotations

from typing import Final, NamedTuple

from mt_gym.engine.kinds import KEYS

FLOOR, SOLID_WALL, SHOP, UP, DOWN, FIRST_MONSTER, BOSS = 0, 1, 40, 87, 88, 201, 299
NO_SHOP: Final = 999999
"""Start price that says that there is no shop."""

KEY_CODES: Final = dict(zip((21, 22, 23, 24), KEYS, strict=True))
DOOR_CODES: Final = dict(zip((81, 82, 83, 84), KEYS, strict=True))


class ItemCode(NamedTuple):
    """An item of the format: its name, category, and the number it raises."""

    name: str
    category: str
    resource: str


ITEM_CODES: Final = {
    27: ItemCode("Red Gem", "gem", "atk"),
    28: ItemCode("Blue Gem", "gem", "def"),
    29: ItemCode("Green Gem", "gem", "mdef"),
    31: ItemCode("Red Potion", "potion", "hp"),
    32: ItemCode("Blue Potion", "potion", "hp"),
    34: ItemCode("Yellow Potion", "potion", "hp"),
    33: ItemCode("Green Potion", "potion", "hp"),
    35: ItemCode("Sword", "sword", "atk"),
    36: ItemCode("Shield", "shield", "def"),
}
"""Items with a value in the file, in the order of the values."""

ALLOWED_CELLS: Final = (
    "0 floor, 1 wall, 21-24 keys, 27-29 gems, 31-34 potions, 35 sword, 36 shield, "
    "40 shop, 81-84 doors, 87 up, 88 down, 201 or more monsters, 299 the boss"
)
