"""The engine and a separate simulator of the `.mt` game agree on random floors."""

import numpy as np
import pytest

from mt_gym.engine.formats import mt
from mt_gym.engine.formats.keys import replay_keys
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from tests.formats.random_mt import random_floor, random_route
from tests.oracles.mtsim import NAMES, Sim

FLOORS = 120
KEYS = 250


def numbers(state: State) -> dict[str, int]:
    hero = dict(zip(RESOURCES, state.hero, strict=False))
    return {name: hero[name] for name in NAMES}


def offers(tower: Tower, state: State) -> set[tuple[str, tuple[int, int, int] | None]]:
    """Legal actions as the simulator names them."""
    return {
        (
            action.verb,
            action.position and (int(action.floor[2:]), *action.position),
        )
        for action in tower.legal_actions(state)
    }


def sound_game(seed: int) -> tuple[Tower, Sim, str]:
    """A random map without defects, for both games, and a random route."""
    rng = np.random.default_rng(seed)
    while True:
        text = random_floor(rng)
        tower = Tower(mt.loads(text, play_on=True))
        if not tower.problems():
            return tower, Sim.read(text), random_route(rng, KEYS)


@pytest.mark.parametrize("seed", range(FLOORS))
def test_every_attribute_agrees_after_every_key(seed: int) -> None:
    tower, sim, route = sound_game(seed)
    replay = replay_keys(tower, route)
    assert replay.used == KEYS
    done = 0
    for number, key in enumerate(route):
        sim.press(key)
        while done < len(replay.keys) and replay.keys[done] <= number:
            done += 1
        assert sim.bag == numbers(replay.states[done]), f"key {number}: {key}"
    spot = tower.board.spots[replay.cell]
    assert sim.at == (int(spot.floor[2:]), spot.x, spot.y)
    assert (replay.flag is not None) == bool(sim.flags)


@pytest.mark.parametrize("seed", range(FLOORS))
def test_legal_actions_are_what_the_simulator_can_touch(seed: int) -> None:
    tower, sim, route = sound_game(seed)
    replay = replay_keys(tower, route)
    done = 0
    for number, key in enumerate(route):
        before = done
        sim.press(key)
        while done < len(replay.keys) and replay.keys[done] <= number:
            done += 1
        if number == 0 or done > before:
            found = {offer for offer in sim.offers() if offer[0] != "finish"}
            legal = {
                offer
                for offer in offers(tower, replay.states[done])
                if offer[0] != "finish"
            }
            assert legal == found, f"after key {number}: {key}"


def test_the_random_routes_use_everything() -> None:
    """The two tests above would prove little if their walks did nothing."""
    verbs: dict[str, int] = {}
    flags = crossings = 0
    for seed in range(FLOORS):
        tower, _, route = sound_game(seed)
        replay = replay_keys(tower, route)
        for action in replay.actions:
            verbs[action.verb] = verbs.get(action.verb, 0) + 1
        flags += replay.flag is not None
        crossings += len({action.floor for action in replay.actions}) > 1
    wanted = ("fight", "open", "collect", "choose", "buy", "break", "bomb")
    assert all(verbs.get(verb, 0) >= 30 for verb in wanted), verbs
    assert flags >= 30
    assert crossings >= 20
