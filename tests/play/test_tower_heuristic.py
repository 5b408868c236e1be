"""The heuristic on a tower: what it buys, and how far it comes."""

from __future__ import annotations

import pytest

from mt_gym.analysis import Options, facts
from mt_gym.engine.actions import BUY
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.choices import choices
from mt_gym.play.episode import Moment, advance, begin
from mt_gym.play.heuristic import choose
from mt_gym.play.settings import PlaySettings
from mt_gym.play.spending import tower_purchase
from tests.analysis.tower import towers
from tests.analysis.tower.towers import start


def bought(own: Tower, state: State) -> str | None:
    """What the rule for towers buys."""
    settings = PlaySettings(Options.of(own))
    listed = choices(own, state, settings)
    known = facts(own, state, settings.options, listed)
    able = [entry for entry in listed if entry.enabled and not entry.lethal]
    found = tower_purchase(known, able)
    return None if found is None else str(found)


def test_it_buys_for_the_first_fight_of_the_way_up_beyond_the_share() -> None:
    own = towers.hero_x()
    assert bought(own, start(own)) == "MT5:buy 3,2 #2"
    assert bought(own, start(own, {"exp": 0, "gold": 60})) == "MT3:buy 3,6 #2"


def test_it_keeps_its_coins_where_no_purchase_helps() -> None:
    own = towers.hero_x()
    strong = {"atk": 500, "defense": 500}
    assert bought(own, start(own, strong)) is None
    assert bought(own, start(own, {"gold": 24, "exp": 29})) is None


def test_it_prefers_def_and_exp_where_purchases_save_as_much() -> None:
    own = towers.hero_x()
    affordable = start(own, {"hp": 10_000, "gold": 30, "exp": 30})
    assert bought(own, affordable) == "MT5:buy 3,2 #2"


@pytest.fixture(scope="module")
def game() -> tuple[Moment, list[str]]:
    """The heuristic's game on the shipped tower, and the names of what it bought."""
    own = load("tower")
    settings = PlaySettings(Options.of(own))
    moment, _ = begin(own, own.initial_state(), settings)
    purchases = []
    while moment.outcome is None:
        listed = choices(own, moment.state, settings)
        chosen = choose(own, moment.state, settings.options, listed)
        if chosen.action.code == BUY:
            purchases.append(chosen.action.text)
        moment, _ = advance(own, moment, chosen.action, settings)
    return moment, purchases


def test_it_gets_well_past_the_first_shop_floor_and_stops_alive(
    game: tuple[Moment, list[str]],
) -> None:
    own, (moment, _) = load("tower"), game
    hero = moment.state.hero
    highest = own.board.floor_ids[moment.state.world.visited.bit_length() - 1]
    result = (moment.outcome, highest, hero.hp, hero.atk, hero.defense)
    assert result == ("stuck", "MT9", 429, 323, 227)


def test_it_never_buys_hp_or_levels(game: tuple[Moment, list[str]]) -> None:
    own, (_, purchases) = load("tower"), game
    assert len(purchases) > 20
    for text in purchases:
        gain = dict(own.action(text).row.gain)
        assert len(gain) == 1 and 0 not in gain
