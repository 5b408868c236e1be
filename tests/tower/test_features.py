"""The tower's dilemmas: who plays greedily loses, and leaving things out shows."""

from __future__ import annotations

from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import ATK, DEF
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.tower.fixtures import ROOT, tower

COMFORT = ("both trades of MT15 at once", "without the key seller of MT5")
"""Rows that the page says to be no more than comfort."""


def greedy_rank(tower: Tower, state: State, action: Action) -> tuple[int, int]:
    """How soon a greedy player does something; 9 for never.

    He takes whatever is free, spends gold and experience at once on the lower of
    ATK and DEF, then takes the cheapest fight he survives, then a door.
    """
    if action.verb == "fight":
        loss = tower.game.loss(state, action.object)
        return (9, 0) if loss >= state.hero.hp else (3 if loss else 1, loss)
    if action.verb == "open":
        return (3, 10) if action.row.cost else (0, 0)
    if action.verb == "sell":
        return (9, 0)
    if action.verb == "buy":
        wanted = ATK if state.hero.atk <= state.hero.defense else DEF
        gains = [resource for resource, _ in action.row.gain]
        return (2, 0) if gains == [wanted] else (9, 0)
    return (0, 0)


def test_a_greedy_player_gets_past_the_first_shops_and_no_further_than_mt12() -> None:
    state = tower().initial_state()
    while tower().outcome(state) is None:
        ranked = [
            (greedy_rank(tower(), state, action), action.index, action)
            for action in tower().legal_actions(state)
        ]
        best = min(ranked, key=lambda entry: entry[:2])
        if best[0][0] == 9:
            break
        state = tower().step(state, best[2])
    assert not state.won
    assert 5 <= state.world.visited.bit_length() - 1 <= 12


def test_a_hint_opens_no_door_that_cannot_be_reached() -> None:
    from mt_gym.solver.tower.net import build
    from mt_gym.solver.tower.route import Board

    start = tower().initial_state()
    rich = start._replace(hero=start.hero._replace(red=9, yellow=9))
    board = Board(build(tower()), rich)
    before = board.row.copy()
    names = {(o.name, o.floor): o.index for o in tower().board.objects}
    assert not board.do((names["Red Door", 18], -1, 0, 0, 0))
    assert (board.row == before).all()


def test_the_page_has_a_row_for_every_feature() -> None:
    from mt_gym.solver.tower.features import BEGIN, END, FEATURES

    page = (ROOT / "docs" / "tower.md").read_text("utf-8")
    table = page[page.index(BEGIN) : page.index(END)]
    for feature in FEATURES:
        assert f"| {feature.text} | " in table, feature.text


def test_two_strategies_win_and_every_mechanism_costs_5_percent_or_the_win() -> None:
    from mt_gym.solver.tower.features import BEGIN, END

    page = (ROOT / "docs" / "tower.md").read_text("utf-8")
    lines = page[page.index(BEGIN) : page.index(END)].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    strategies = 0
    for text, hp, equal, best, _ in rows[1:]:
        if text.startswith("strategy"):
            strategies += hp != "no win found"
        elif hp != "no win found" and text not in COMFORT:
            assert int(best.removesuffix(" %")) <= 95, text
            assert int(equal.removesuffix(" %")) <= 95, text
    assert strategies >= 2
    for text in COMFORT:
        assert f"- {text}" in page
