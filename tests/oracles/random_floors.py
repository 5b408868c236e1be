"""Small random floors, drawn from a generator that is handed in."""

from __future__ import annotations

import numpy as np

from mt_gym.engine.load import loads
from mt_gym.engine.tower import Tower

MONSTERS = """
a = { hp = 20, atk = 12, def = 2 }
b = { hp = 35, atk = 15, def = 4 }
c = { hp = 24, atk = 6, def = 3, magic = true }
e = { hp = 12, atk = 14, def = 1, hits = 2 }
f = { hp = 18, atk = 11, def = 11 }
g = { hp = 15, atk = 9, def = 3, mimic = true }
h = { hp = 10, atk = 13, def = 2, first_strike = true, fixed = 7 }
Z = { hp = 40, atk = 18, def = 10, boss = true }
"""

ITEMS = """
"Red Gem" = { atk = 1 }
"Blue Gem" = { def = 2 }
"Green Gem" = { mdef = 1 }
"Yellow Key" = { yellow = 1 }
"Blue Key" = { blue = 1 }
"Potion" = { hp = 30 }
"""

LEGEND = {
    "r": "Red Gem",
    "u": "Blue Gem",
    "m": "Green Gem",
    "y": "Yellow Key",
    "k": "Blue Key",
    "p": "Potion",
    "Y": "Yellow Door",
    "B": "Blue Door",
    "G": "Gate",
}

PIECES = "....####aabbceffghYYBG" + "rumykp" * 2


def random_floor(rng: np.random.Generator, side: int = 7) -> Tower:
    """A floor of random pieces with one boss; nothing says that it can be won."""
    while True:
        grid = rng.choice(list(PIECES), size=(side, side))
        places = rng.permutation(side * side)[:2]
        grid[divmod(int(places[0]), side)] = "@"
        grid[divmod(int(places[1]), side)] = "Z"
        drawing = "\n".join("".join(row) for row in grid)
        used = set(drawing)
        legend = "\n".join(f'{k} = "{v}"' for k, v in LEGEND.items() if k in used)
        monsters = "\n".join(
            line for line in MONSTERS.strip().splitlines() if line[0] in used
        )
        names = "\n".join(f'{c} = "{c}"' for c in "abcefghZ" if c in used)
        tower = loads(
            f'name = "random"\n[hero]\nhp = {int(rng.integers(60, 300))}\natk = 9\n'
            f"def = {int(rng.integers(3, 8))}\nyellow = {int(rng.integers(0, 3))}\n"
            f'[goal]\ndefeat = "Z"\n[monsters]\n{monsters}\n[items]{ITEMS}\n'
            f'[[floors]]\nid = "random"\nmap = """\n{drawing}\n"""\n'
            f"[floors.legend]\n{legend}\n{names}\n"
        )
        if not tower.problems():
            return tower
