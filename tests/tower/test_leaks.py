"""What a player reads names nothing of a floor that nobody has visited."""

from __future__ import annotations

from mt_gym.analysis.options import Options
from mt_gym.engine.describe import describe
from mt_gym.engine.load import loads
from mt_gym.engine.state import bits
from mt_gym.observation import render
from tests.tower.fixtures import states, tower

TOLD_BY_SCRIPTS = {"Ice Wall", "Iron Bars", "Cross", "Ice Pickaxe"}
"""What a character's own words may name: what he opens, and what he asks for."""

TWO_FLOORS = """
name = "two"
[hero]
hp = 100
atk = 10
[goal]
defeat = "Boss"
[monsters]
Boss = { hp = 30, atk = 14, def = 9 }
[things]
Curtain = { type = "bars" }
[characters.Sage]
[[characters.Sage.talks]]
text = "speaks"
removes = ["F2:3,1"]
[[floors]]
id = "F1"
map = '''
#####
#@.>#
##S##
#####
'''
[floors.legend]
S = "Sage"
">" = { stairs = "up", to = "F2" }
[[floors]]
id = "F2"
map = '''
######
#<.CB#
######
'''
[floors.legend]
"<" = { stairs = "down", to = "F1" }
C = "Curtain"
B = "Boss"
"""


def test_a_map_of_some_floors_tells_no_cell_of_the_others() -> None:
    two = loads(TWO_FLOORS)
    first = describe(two, ["F1"])
    assert "Goal: defeat Boss, on a floor not shown here." in first
    assert "to floor F2\n" in first and "clears the way on F2" in first
    assert "F2 (" not in first and "arriving" not in first and "Curtain" not in first
    both = describe(two, ["F1", "F2"])
    assert "Goal: defeat Boss at F2 (4,1)." in both
    assert "arriving at (1,1)" in both and "opens Curtain at F2 (3,1)" in both


def test_no_text_names_an_object_that_stands_only_on_unvisited_floors() -> None:
    board = tower().board
    options = Options.of(tower())
    goal = tower().data.goal
    for state in states()[:-1:150]:
        seen = state.world.visited
        known = {o.name for o in board.objects if seen >> o.floor & 1}
        secret = {o.name for o in board.objects} - known - TOLD_BY_SCRIPTS
        floors = [board.floor_ids[i] for i in bits(seen)]
        texts = (
            render(tower(), state, options=options, kind="tower-final"),
            describe(tower(), floors),
        )
        for text in texts:
            text = text.replace(goal.text, "")
            for name in secret - _strengthened_by(known):
                assert f"{name} " not in text and f"{name}@" not in text, name
            for unseen in set(board.floor_ids) - set(floors):
                assert f"{unseen}(" not in text and f"{unseen} (" not in text, unseen


def _strengthened_by(known: set[str]) -> set[str]:
    """Kinds that the event of a known monster names: its line tells of them."""
    found = set()
    board = tower().board
    for script in tower().data.scripts:
        holder = None if script.at is None else board.object_at(script.at)
        if holder is not None and board.placed[holder].kind.name in known:
            found |= {effect.name for effect in script.row.effects}
    return found
