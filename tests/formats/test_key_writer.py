"""Actions written as key routes: the replayer and the simulator do the same."""

from pathlib import Path

import numpy as np
import pytest

from mt_gym.engine.actions import Action
from mt_gym.engine.formats import mt
from mt_gym.engine.formats.key_writer import write_keys
from mt_gym.engine.formats.keys import replay_keys
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.load import load
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, MtGymError
from tests.formats.mt_text import mt_text
from tests.formats.random_mt import random_floor
from tests.oracles.mtsim import NAMES, Sim

DATA = Path(__file__).parent.parent / "data"


def random_play(tower: Tower, rng: np.random.Generator) -> tuple[list[Action], State]:
    """Random legal actions that do not kill, the flag only when nothing else is."""
    state = tower.initial_state()
    actions: list[Action] = []
    while tower.outcome(state) is None and len(actions) < 80:
        safe = [
            action
            for action in tower.legal_actions(state)
            if not tower.game.is_lethal(state, action)
        ]
        rest = [action for action in safe if action.verb != "finish"] or safe
        actions.append(rest[int(rng.integers(len(rest)))])
        state = tower.step(state, actions[-1])
    return actions, state


@pytest.mark.parametrize("seed", range(80))
def test_a_random_game_is_written_as_keys_that_both_games_replay(seed: int) -> None:
    rng = np.random.default_rng(seed)
    while True:
        text = random_floor(rng)
        tower = Tower(mt.loads(text))
        if not tower.problems():
            break
    actions, state = random_play(tower, rng)
    route = write_keys(tower, actions)
    assert list(replay_keys(tower, route).actions) == actions
    sim = Sim.read(text)
    sim.play(route)
    hero = dict(zip(RESOURCES, state.hero, strict=False))
    assert sim.bag == {name: hero[name] for name in NAMES}
    assert bool(sim.flags) == (tower.outcome(state) == "won")


@pytest.mark.parametrize(
    ("drawing", "bag", "texts", "route"),
    [
        ("0 32 63", "100 0 0 0", ("buy #1", "choose 1,0 #2"), "sald"),
        ("0 32 63", "300 0 0 0", ("buy #1", "buy #3", "finish 2,0"), "samll"),
        ("0 32 99 63", "0 0 1 0", ("break 2,0", "choose 1,0 #1"), "lplha"),
        ("0 128 63", "0 0 0 1", ("bomb 1,0", "finish 2,0"), "bll"),
    ],
)
def test_each_kind_of_action_has_its_keys(
    drawing: str, bag: str, texts: tuple[str, ...], route: str
) -> None:
    tower = Tower(mt.loads(mt_text(drawing, bag=bag, enemies="20 12 0 0 0")))
    assert write_keys(tower, [tower.action(text) for text in texts]) == route


def test_a_walk_takes_the_portal_where_it_is_shorter() -> None:
    tower = Tower(mt.loads(mt_text("0 0 0 0 0 0 8 63", portals="0 5")))
    assert write_keys(tower, [tower.action("collect 6,0")]) == "gl"


def test_an_illegal_action_is_refused() -> None:
    tower = Tower(mt.loads(mt_text("0 8 63")))
    with pytest.raises(IllegalAction, match="Flag cannot be reached"):
        write_keys(tower, [tower.action("finish 2,0")])


def test_a_fight_that_kills_has_no_key() -> None:
    tower = Tower(mt.loads(mt_text("0 128 63", enemies="100 60 0 0 0")))
    with pytest.raises(MtGymError, match="no key does 'fight 1,0'"):
        write_keys(tower, [tower.action("fight 1,0")])


def test_what_the_foreign_game_does_not_have_has_no_key() -> None:
    tower = load(DATA / "stairs.toml")
    state = tower.initial_state()
    actions: list[Action] = []
    while not actions or actions[-1].verb != "climb":
        legal = tower.legal_actions(state)
        climb = [action for action in legal if action.verb == "climb"]
        actions.append((climb or legal)[0])
        state = tower.step(state, actions[-1])
    with pytest.raises(MtGymError, match="no key does"):
        write_keys(tower, actions)
