"""What the assists may take by themselves is decided by the map's data."""

from __future__ import annotations

import mt_gym

MAP = """
name = "by_hand"

[hero]
hp = 10
atk = 5

[goal]
reach = true

[items]
"Potion" = { hp = 5 }
"Elixir" = { hp = 5, manual = true }
"Water" = { scale = { hp = [2, 1] } }
"Relic" = { carried = true }
"Seal" = { atk = 1, sets = ["broken"] }

[monsters]
"Dummy" = { hp = 1, atk = 0, def = 0 }
"Leech" = { hp = 1, atk = 0, def = 0, vampire = [1, 4] }

[[floors]]
id = "by_hand"
map = '''
pewrs
@....
dl..X
'''

[floors.legend]
p = "Potion"
e = "Elixir"
w = "Water"
r = "Relic"
s = "Seal"
d = "Dummy"
l = "Leech"
X = "Exit"
"""


def names(tower: mt_gym.Tower, mask: int) -> list[str]:
    return [thing.name for thing in tower.board.objects if mask >> thing.index & 1]


def test_automatic_items_are_those_without_script_conversion_or_manual_mark() -> None:
    tower = mt_gym.loads(MAP)
    assert names(tower, tower.board.automatic_items) == ["Potion", "Relic"]


def test_automatic_fights_are_never_with_vampires() -> None:
    tower = mt_gym.loads(MAP)
    assert names(tower, tower.board.automatic_fights) == ["Dummy"]
