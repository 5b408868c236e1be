"""Overrides: reasons, rule 4 with its exception and its memory, and their order."""

from __future__ import annotations

import pytest

from mt_gym.analysis.options import Options
from mt_gym.engine.load import load, loads
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.episode import Moment, advance
from mt_gym.play.overrides import remembered, replaced_by
from mt_gym.play.settings import PlaySettings
from tests.engine.towers import NAMES, states, tower

HEAD = """
name = "rule4"
[hero]
hp = 99
atk = 10
def = 5
yellow = 1
[goal]
defeat = "Boss"
[monsters]
Beast = { hp = 60, atk = 13, def = 0 }
Mage = { hp = 40, atk = 12, def = 0 }
Rat = { hp = 40, atk = 10, def = 0 }
Ghost = { hp = 9, atk = 5, def = 10 }
Boss = { hp = 8, atk = 5, def = 9 }
[items]
Gem = { atk = 1 }
Potion = { hp = 10 }
[[floors]]
id = "rule4"
map = """
LETTERS = {
    "B": "Beast",
    "M": "Mage",
    "R": "Rat",
    "G": "Ghost",
    "Z": "Boss",
    "Y": "Yellow Door",
    "g": "Gem",
    "p": "Potion",
}


def room(*rows: str) -> Tower:
    """A floor drawn with `LETTERS`; the Beast costs 40 HP, Mage 21, Rat 15."""
    used = "".join(rows)
    legend = "\n".join(f'{k} = "{v}"' for k, v in LETTERS.items() if k in used)
    drawn = "\n".join(rows)
    return loads(f"{HEAD}'''\n{drawn}\n'''\n[floors.legend]\n{legend}\n")


PLAIN = ("#######", "#pR@Bp#", "###M###", "#p.p.Z#", "#######")


def settings(
    game: Tower, *overrides: str, share: tuple[int, int] = (2, 5)
) -> PlaySettings:
    options = Options.of(game, rule4_share=share)
    return PlaySettings(options, frozenset(), overrides)


def replaced(
    game: Tower, state: State, text: str, *overrides: str, **more: object
) -> str | None:
    found = replaced_by(
        game,
        state,
        game.action(text),
        settings(game, *overrides),
        **more,  # type: ignore[arg-type]
    )
    return None if found is None else str(found.action)


def test_rule4_replaces_a_fight_above_the_share_by_the_cheapest_that_leads_on() -> None:
    game = room(*PLAIN)
    state = game.initial_state()
    costs = [
        game.game.loss(state, game.action(text).object)
        for text in ("fight 4,1", "fight 3,2", "fight 2,1")
    ]
    assert costs == [40, 21, 15]
    assert replaced(game, state, "fight 4,1", "rule4") == "fight 2,1"
    assert replaced(game, state, "fight 3,2", "rule4") is None
    richer = State(state.world, state.hero._replace(hp=100))
    assert replaced(game, richer, "fight 4,1", "rule4") is None  # exactly 2/5


def test_rule4_prefers_a_door_which_costs_no_hp() -> None:
    game = room("#######", "#pY@Bp#", "###M###", "#p.p.Z#", "#######")
    assert replaced(game, game.initial_state(), "fight 4,1", "rule4") == "open 2,1"


@pytest.mark.parametrize("row", ["#.R@Bp#", "#.Y@Bp#"])
def test_rule4_offers_neither_optional_fights_nor_dead_ends(row: str) -> None:
    game = room("#######", row, "###M###", "#p.p.Z#", "#######")
    assert replaced(game, game.initial_state(), "fight 4,1", "rule4") == "fight 3,2"


def test_rule4_lets_a_fight_stand_when_there_is_no_alternative() -> None:
    game = room("#######", "#.R@B.#", "#####.#", "#p.p.Z#", "#######")
    assert replaced(game, game.initial_state(), "fight 4,1", "rule4") is None


def test_rule4_excepts_a_fight_whose_gems_make_a_listed_fight_winnable() -> None:
    for row, expected in (("#pR@Bg#", None), ("#pR@Bp#", "fight 2,1")):
        game = room("#######", row, "###M###", "#p.p.Z#", "#######")
        state = game.initial_state()
        assert replaced(game, state, "fight 4,1", "rule4") == "fight 2,1"
        game = room(
            "#######", "#.....#", "###G###", row, "###M###", "#p.p.Z#", "#######"
        )
        state = game.initial_state()
        assert replaced(game, state, "fight 4,3", "rule4") == (
            None if expected is None else "fight 2,3"
        )


class TestMemory:
    game = room(*PLAIN)
    weak = game.initial_state()

    def test_a_repeated_choice_at_the_same_attributes_is_executed(self) -> None:
        rules = settings(self.game, "rule4")
        beast = self.game.action("fight 4,1")
        moment = Moment(self.weak, 0, None, frozenset())
        moment, played = advance(self.game, moment, beast, rules)
        assert (str(played[0].action), played[0].source) == ("fight 2,1", "override")
        moment, played = advance(self.game, moment, beast, rules)
        assert (str(played[0].action), played[0].source) == ("fight 4,1", "policy")

    def test_it_is_replaced_again_at_other_attributes(self) -> None:
        beast = self.game.action("fight 4,1")
        memory = frozenset({remembered(self.weak, beast)})
        assert (
            replaced(self.game, self.weak, "fight 4,1", "rule4", memory=memory) is None
        )
        stronger = State(self.weak.world, self.weak.hero._replace(mdef=1, hp=90))
        found = replaced(self.game, stronger, "fight 4,1", "rule4", memory=memory)
        assert found == "fight 2,1"

    def test_the_mechanical_override_remembers_nothing(self) -> None:
        game = load("simple")
        rules = settings(game, "mechanical", "rule4")
        state = game.step(game.initial_state(), game.action("collect 5,1"))
        moment = Moment(state, 0, None, frozenset())
        moment, _ = advance(game, moment, game.action("open 7,0"), rules)
        assert moment.memory == frozenset()


@pytest.mark.parametrize(("hp", "expected"), [(41, None), (40, "fight 2,1")])
def test_a_fight_is_lethal_from_a_loss_of_all_hp_on(
    hp: int, expected: str | None
) -> None:
    game = room(*PLAIN)
    state = game.initial_state()
    left = State(state.world, state.hero._replace(hp=hp))
    assert replaced(game, left, "fight 4,1", "mechanical") == expected


def test_mechanical_is_asked_before_rule4() -> None:
    game = room(*PLAIN)
    state = game.initial_state()
    dying = State(state.world, state.hero._replace(hp=30))
    found = replaced_by(
        game, dying, game.action("fight 4,1"), settings(game, "mechanical", "rule4")
    )
    assert found is not None
    assert found.rule == "mechanical"
    assert "lethal" in found.reason


@pytest.mark.parametrize("name", NAMES)
def test_what_replaces_a_choice_is_legal_and_would_not_be_replaced(name: str) -> None:
    game = tower(name)
    for overrides in (("mechanical",), ("mechanical", "rule4")):
        rules = settings(game, *overrides)
        for state in states(game, 150):
            if game.outcome(state) is not None:
                continue
            for action in game.actions:
                found = replaced_by(game, state, action, rules)
                if found is None:
                    continue
                assert found.action != action
                assert game.game.is_legal(state, found.action)
                assert not game.game.is_lethal(state, found.action)
                rule = settings(game, "mechanical")
                again = replaced_by(game, state, found.action, rule)
                assert again is None or found.rule == "rule4"
