"""Floors of a few objects, small enough to search every duel on them."""

from __future__ import annotations

import numpy as np

from mt_gym.engine.load import loads
from mt_gym.engine.tower import Tower

WORDS = {
    "a": "a = { hp = 20, atk = 12, def = 2 }",
    "b": "b = { hp = 24, atk = 6, def = 3, magic = true }",
    "c": "c = { hp = 30, atk = 15, def = 9 }",
    "Z": "Z = { hp = 30, atk = 16, def = 7, boss = true }",
}
LEGEND = {
    "r": "Red Gem",
    "u": "Blue Gem",
    "y": "Yellow Key",
    "p": "Potion",
    "Y": "Yellow Door",
    "G": "Gate",
}
ITEMS = """
"Red Gem" = { atk = 2 }
"Blue Gem" = { def = 3 }
"Yellow Key" = { yellow = 1 }
"Potion" = { hp = 30 }
"""


def floor(rows: list[str], hp: int = 100, yellow: int = 0, turns: int = 300) -> Tower:
    """A floor of these rows; hero with ATK 9 and DEF 4."""
    used = "".join(rows)
    monsters = "\n".join(text for letter, text in WORDS.items() if letter in used)
    legend = "\n".join(f'{k} = "{v}"' for k, v in LEGEND.items() if k in used)
    names = "\n".join(f'{letter} = "{letter}"' for letter in WORDS if letter in used)
    drawing = "\n".join(rows)
    return loads(
        f'name = "tiny"\n[hero]\nhp = {hp}\natk = 9\ndef = 4\nyellow = {yellow}\n'
        f'[goal]\ndefeat = "Z"\n[settings]\nmax_turns = {turns}\n'
        f"[monsters]\n{monsters}\n[items]{ITEMS}\n"
        f'[[floors]]\nid = "tiny"\nmap = """\n{drawing}\n"""\n'
        f"[floors.legend]\n{legend}\n{names}\n"
    )


def random_tiny(rng: np.random.Generator, objects: int = 6) -> Tower:
    """A 3 x 4 floor with the boss and at most so many other objects."""
    while True:
        cells = list(rng.permutation(12))
        grid = np.full((3, 4), ".", "<U1")
        for cell, letter in zip(cells, "@Z##", strict=False):
            grid[divmod(int(cell), 4)] = letter
        letters = rng.choice(list("aabbcruyppYG"), size=objects)
        for cell, letter in zip(cells[4:], letters, strict=False):
            grid[divmod(int(cell), 4)] = letter
        tower = floor(
            ["".join(row) for row in grid],
            hp=int(rng.integers(20, 90)),
            yellow=int(rng.integers(0, 2)),
        )
        if not tower.problems() and tower.outcome(tower.initial_state()) is None:
            return tower
