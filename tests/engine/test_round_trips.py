"""States and actions as text and back, over random towers and random play."""

from __future__ import annotations

import json
import pickle

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mt_gym.engine.generate import GOALS, SHAPES, SPECIALS, Recipe, random_tower
from mt_gym.engine.load import load, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower

RECIPES = st.builds(
    Recipe,
    gateways=st.integers(4, 14),
    shape=st.sampled_from(sorted(SHAPES)),
    gates=st.integers(0, 20),
    specials=st.sampled_from(((), ("vampire",), tuple(SPECIALS))),
    floors=st.integers(1, 3),
    shop=st.booleans(),
    growth=st.integers(0, 3),
    holy_water=st.integers(0, 2),
    goal=st.sampled_from(sorted(GOALS)),
)
MAPS = st.sampled_from(shipped()).map(load)


def random_map(recipe: Recipe, seed: int) -> Tower:
    return random_tower(np.random.default_rng(seed), recipe)


TOWERS = st.one_of(MAPS, st.builds(random_map, RECIPES, st.integers(0, 2**32 - 1)))


def walk(tower: Tower, seed: int, most: int) -> list[State]:
    """States of random play, lethal fights included."""
    rng = np.random.default_rng(seed)
    states = [tower.initial_state()]
    while len(states) < most:
        legal = tower.legal_actions(states[-1])
        if not legal:
            break
        action = legal[int(rng.integers(len(legal)))]
        states.append(tower.step(states[-1], action))
    return states


@settings(max_examples=60)
@given(TOWERS, st.integers(0, 2**32 - 1))
def test_a_state_comes_back_from_its_text_and_from_a_pickle(
    tower: Tower, seed: int
) -> None:
    for state in walk(tower, seed, 25):
        text = state.to_json()
        read = State.from_json(text)
        kept = pickle.loads(pickle.dumps(state))
        for again in (read, kept):
            assert again == state and hash(again) == hash(state)
            assert tuple(again.world) == tuple(state.world)
            assert tuple(again.hero) == tuple(state.hero)  # position and reach too
            assert again.to_json() == text
            tower.check(again)
        shuffled = dict(reversed(json.loads(text).items()))
        assert State.from_json(json.dumps(shuffled)) == state
        assert tower.legal_actions(read) == tower.legal_actions(state)
        assert tower.outcome(read) == tower.outcome(state)


@settings(max_examples=60)
@given(TOWERS)
def test_an_action_comes_back_from_its_text(tower: Tower) -> None:
    texts = [str(action) for action in tower.actions]
    assert len(set(texts)) == len(texts)
    for index, (text, action) in enumerate(zip(texts, tower.actions, strict=True)):
        assert action.index == index
        assert tower.action(text) is action
        assert tower.action(f"  {text} ") is action
        assert "\n" not in text and text == text.strip()


@settings(max_examples=30)
@given(TOWERS, st.integers(0, 2**32 - 1))
def test_play_comes_back_from_the_texts_of_its_actions(tower: Tower, seed: int) -> None:
    rng = np.random.default_rng(seed)
    state = tower.initial_state()
    texts: list[str] = []
    while (legal := tower.legal_actions(state)) and len(texts) < 40:
        action = legal[int(rng.integers(len(legal)))]
        texts.append(str(action))
        state = tower.step(state, action)
    again = tower.initial_state()
    for text in texts:
        again = tower.step(again, tower.action(text))
    assert again.to_json() == state.to_json()
