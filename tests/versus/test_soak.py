"""A thousand random games: every mask is right, every game ends."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.engine.load import shipped
from mt_gym.errors import IllegalAction
from mt_gym.versus import duel, race
from tests.engine.towers import DATA, NAMES

FLOORS = [*shipped(), *(str(DATA / f"{name}.toml") for name in NAMES)]
GAMES = 1000
RACES = 300


def test_a_thousand_random_duels_have_right_masks_and_end() -> None:
    rng = np.random.default_rng(11)
    games = [
        duel.raw_env(floor, info_level="mask", overrides=[], max_turns=100)
        for floor in FLOORS
    ]
    reasons = Counter[str]()
    for number in range(GAMES):
        game = games[number % len(games)]
        game.reset(seed=number)
        steps = 0
        while game.agents:
            agent = game.agent_selection
            _, _, ended, cut, info = game.last(observe=False)
            if ended or cut:
                game.step(None)
                continue
            mask = info["action_mask"]
            assert mask[game.pass_index] == 1
            assert not game.infos[game.possible_agents[1 - game.duel.mover]][
                "action_mask"
            ].any()
            forbidden = np.flatnonzero(mask == 0)
            if len(forbidden):
                with pytest.raises(IllegalAction):
                    game.step(int(rng.choice(forbidden)))
                assert game.agent_selection == agent
            legal = np.flatnonzero(mask[:-1])
            idle = not len(legal) or rng.random() < 0.05
            game.step(game.pass_index if idle else int(rng.choice(legal)))
            steps += 1
            assert steps <= 4 * 100
        assert game.duel.result is not None
        reasons[game.duel.result.reason] += 1
    assert sum(reasons.values()) == GAMES
    assert {"goal", "died", "stuck", "both_stuck", "passes"} <= set(reasons)


def test_hundreds_of_random_races_have_right_masks_and_end() -> None:
    rng = np.random.default_rng(12)
    games = [
        race.parallel_env(
            floor,
            players=1 + number % 3,
            reward="rank" if number % 2 else "goal_score",
            observation="bare",
            info_level="mask",
            overrides=[],
            max_turns=40,
        )
        for number, floor in enumerate(FLOORS)
    ]
    endings = Counter[str]()
    for number in range(RACES):
        game = games[number % len(games)]
        seen, _ = game.reset(seed=number)
        steps = 0
        while game.agents:
            masks = {agent: seen[agent]["action_mask"] for agent in game.agents}
            actions = {
                agent: int(rng.choice(np.flatnonzero(mask)))
                for agent, mask in masks.items()
            }
            someone = game.agents[int(rng.integers(len(game.agents)))]
            forbidden = np.flatnonzero(masks[someone] == 0)
            turns = [env.turn for env in game.envs]
            if len(forbidden):
                bad = int(rng.choice(forbidden))
                with pytest.raises(IllegalAction):
                    game.step({**actions, someone: bad})
            assert [env.turn for env in game.envs] == turns
            seen = game.step(actions)[0]
            steps += 1
            assert steps <= 40
        endings.update(str(env.moment.outcome) for env in game.envs)
    assert {"won", "died", "stuck"} <= set(endings)
    assert "None" not in endings
