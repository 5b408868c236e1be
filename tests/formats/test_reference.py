"""Foreign maps and routes that nobody here drew, read from MT_GYM_REFERENCE."""

from pathlib import Path

import pytest

from mt_gym.engine.formats import mt, text
from mt_gym.engine.formats.keys import replay_keys
from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from tests.oracles.mtsim import Sim

pytestmark = pytest.mark.reference

FINALS = {
    "zj_xk1": (2, 14, 14, 0),
    "test1": (86720, 34, 16, 22),
    "hgc-xl": (1338, 8, 8, 20),
    "hr_xt1": (25, 18, 16, 50),
    "59-hut": (40, 18, 18, 20),
    "rubbish1": (11827, 49, 27, 20),
    "gen1": (5467, 42, 15, 10),
    "t2": (112, 19, 39, 4),
}
"""HP, ATK, DEF and MDEF at the end of each known route."""

AT_THE_FLAG = {"hgc-xl": 1038, "rubbish1": 9526, "gen1": 4567}
"""HP when the flag is taken, where the route goes on afterwards."""


@pytest.mark.parametrize("name", FINALS)
def test_a_known_route_ends_with_its_known_numbers(
    name: str, reference_folder: Path
) -> None:
    tower = Tower(mt.load(reference_folder / "mt" / f"{name}.mt", play_on=True))
    route = (reference_folder / "mt" / f"{name}.in").read_text()
    replay = replay_keys(tower, route)
    hero = replay.final.hero
    assert (hero.hp, hero.atk, hero.defense, hero.mdef) == FINALS[name]
    assert replay.used == len(route.strip())
    assert replay.flag is not None
    assert replay.flag.hero.hp == AT_THE_FLAG.get(name, FINALS[name][0])
    won = tower.step(replay.final, next(a for a in tower.actions if a.verb == "finish"))
    assert tower.outcome(won) == "won"
    assert won.hero.hp == FINALS[name][0]


@pytest.mark.parametrize("name", FINALS)
def test_in_our_game_the_flag_ends_the_route(name: str, reference_folder: Path) -> None:
    tower = load(reference_folder / "mt" / f"{name}.mt")
    route = (reference_folder / "mt" / f"{name}.in").read_text()
    replay = replay_keys(tower, route)
    assert tower.outcome(replay.final) == "won"
    assert replay.actions[-1].verb == "finish"
    assert replay.final.hero.hp == AT_THE_FLAG.get(name, FINALS[name][0])


@pytest.mark.parametrize("name", FINALS)
def test_the_simulator_knows_the_same_numbers(
    name: str, reference_folder: Path
) -> None:
    sim = Sim.read((reference_folder / "mt" / f"{name}.mt").read_text())
    sim.play((reference_folder / "mt" / f"{name}.in").read_text())
    found = tuple(sim.bag[stat] for stat in ("hp", "atk", "def", "mdef"))
    assert found == FINALS[name]
    assert sim.flags == 1


@pytest.mark.parametrize(
    ("name", "floors", "size"), [("fate", 3, (11, 11)), ("light", 4, (13, 13))]
)
def test_a_text_map_loads_and_its_own_file_gives_it_back(
    name: str, floors: int, size: tuple[int, int], reference_folder: Path
) -> None:
    tower = load(reference_folder / "text" / f"{name}.txt")
    assert tower.problems() == []
    assert {(f.width, f.height) for f in tower.floors} == {size}
    assert len(tower.floors) == floors
    assert tower.legal_actions(tower.initial_state())
    assert tower.describe()
    assert text.loads(text.dumps(tower.data), name=name) == tower.data


def test_the_shop_of_light_grows_and_is_open_once_reached(
    reference_folder: Path,
) -> None:
    tower = load(reference_folder / "text" / "light.txt")
    offers = [action for action in tower.actions if action.verb == "buy"]
    assert [action.row.source.gain for action in offers] == [
        (("hp", 100),),
        (("atk", 2),),
        (("def", 2),),
    ]
    assert {a.row.source.cost for a in offers} == {(("gold", 20),)}
    assert {a.row.growth for a in offers} == {5}
