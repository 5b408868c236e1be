"""Rule 4 as an override on a tower: its share, its exception and its memory."""

from __future__ import annotations

from mt_gym.analysis import Options
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.play.overrides import remembered, replaced_by
from mt_gym.play.settings import PlaySettings
from tests.analysis.tower import towers
from tests.analysis.tower.towers import start


def example(behind: str = "y") -> tuple[Tower, State, PlaySettings]:
    """Beastman and Junior Mage with something behind each, for the example's hero."""
    floors = {
        "MT6": f"#######\n#@...>#\n#B#j#R#\n#{behind}#y###\n#######",
        "MT8": "#####\n#<.Z#\n#####",
    }
    own = towers.tower(floors, "hp = 1000\natk = 60\ndef = 40")
    share = Options.of(own, rule4_share=[2, 5])
    settings = PlaySettings(share, overrides=("mechanical", "rule4"))
    return own, start(own, assists=False), settings


def test_a_fight_above_the_share_is_replaced_once_for_the_same_attributes() -> None:
    own, state, settings = example()
    beastman = own.action("MT6:fight 1,2")
    assert own.game.loss(state, beastman.object) == 665
    found = replaced_by(own, state, beastman, settings)
    assert found is not None
    assert (found.action.text, found.rule) == ("MT6:fight 3,2", "rule4")
    memory = frozenset({remembered(state, beastman)})
    assert replaced_by(own, state, beastman, settings, memory) is None
    stronger = State(state.world, state.hero._replace(atk=64))
    assert own.game.loss(stronger, beastman.object) == 525
    assert replaced_by(own, stronger, beastman, settings, memory) is not None


def test_a_fight_whose_items_open_another_fight_is_not_replaced() -> None:
    own, state, settings = example(behind="a")
    beastman = own.action("MT6:fight 1,2")
    near = State(state.world, state.hero._replace(atk=63))
    assert own.game.loss(near, beastman.object) > 400
    assert replaced_by(own, near, beastman, settings) is None
    far = State(state.world, state.hero._replace(atk=60))
    assert replaced_by(own, far, beastman, settings) is not None


def test_within_the_share_of_the_final_observation_nothing_is_replaced() -> None:
    own, state, _ = example()
    settings = PlaySettings(Options.of(own))
    assert settings.overrides == ("mechanical",)
    assert replaced_by(own, state, own.action("MT6:fight 1,2"), settings) is None
