"""The arena: what helps a learner leaves the game, and the order of policies, alone."""

from __future__ import annotations

import numpy as np
import pytest

import mt_gym
from mt_gym.envs.batch.layout import S_SPARE
from mt_gym.errors import MtGymError
from mt_gym.lab.arena import PLAIN, Arena, Help
from mt_gym.lab.measure import play

SIMPLE = mt_gym.load("simple")
HP = SIMPLE.initial_state().hero.hp


def returns(aid: Help, seed: int = 0, episodes: int = 40) -> list[tuple[float, ...]]:
    """Return, potential at the start, spare HP, win and HP of random episodes."""
    rng = np.random.default_rng(seed)
    arena = Arena([SIMPLE], 4, np.random.default_rng(seed), aid)
    total = np.zeros(4)
    found: list[tuple[float, ...]] = []

    def begun() -> list[tuple[float, int]]:
        rows = arena.batch.rows
        start = arena._potential_of(np.arange(4))
        return [(float(start[i]), int(rows[i, S_SPARE])) for i in range(4)]

    starts = begun()
    while len(found) < episodes:
        noise = rng.random(arena.batch.mask.shape) + 0.01
        rewards, ended = arena.step((arena.batch.mask * noise).argmax(axis=1))
        total += rewards
        for i, copy in enumerate(ended.copies):
            won, hp = bool(ended.won[i]), int(ended.hp[i])
            found.append((float(total[copy]), *starts[copy], won, hp))
            total[copy] = 0
        now = begun()
        for copy in ended.copies:
            starts[copy] = now[copy]
    return found


def test_the_potential_adds_the_same_to_every_policy() -> None:
    aid = Help(weight=10, spare=400)
    some = returns(aid)
    assert any(won for _, _, _, won, _ in some)
    for total, start, spare, won, hp in some:
        left = hp + spare
        assert total == pytest.approx(won + 10 * left / HP - start, abs=1e-3)


def test_a_return_is_the_shifted_par_and_what_the_spare_hp_is_worth() -> None:
    aid = Help(weight=10, prices={}, spare=400)
    some = returns(aid)
    assert {won for _, _, _, won, _ in some} == {False, True}
    for total, _, spare, won, hp in some:
        shifted = won + 10 * hp / HP
        assert total == pytest.approx(shifted + 10 * spare / HP, abs=1e-3)
        if not won:
            assert hp == -spare
            assert total == pytest.approx(0, abs=1e-3)


def test_exploring_starts_are_states_of_the_game() -> None:
    rng = np.random.default_rng(1)
    arena = Arena([SIMPLE], 32, rng, Help(explore=0.5, starts=20))
    plain = SIMPLE.initial_state()
    states = [arena.batch.state(i) for i in range(32)]
    for state in states:
        SIMPLE.check(state)
        assert SIMPLE.outcome(state) is None
    midway = sum(state.world.gone.bit_count() > 1 for state in states)
    assert 6 <= midway <= 26
    assert all(state.hero.hp <= plain.hero.hp + 400 for state in states)


def test_copies_may_keep_their_floors() -> None:
    floors = [mt_gym.load("hand01"), mt_gym.load("hand02")]
    fixed = np.array([0, 1, 1])
    arena = Arena(floors, 3, np.random.default_rng(0), PLAIN, fixed=fixed)
    ended: set[int] = set()
    while ended != {0, 1, 2}:
        _, over = arena.step((arena.batch.mask != 0).argmax(axis=1))
        assert over.towers.tolist() == fixed[over.copies].tolist()
        ended |= set(over.copies.tolist())
    assert arena.batch.copies.tolist() == fixed.tolist()


def test_without_help_it_is_the_game() -> None:
    for total, _, spare, won, hp in returns(PLAIN, episodes=8):
        assert spare == 0
        assert total == pytest.approx(won + hp / HP, abs=1e-3)


def test_an_unknown_price_is_refused() -> None:
    with pytest.raises(MtGymError, match="silver"):
        Arena([SIMPLE], 1, np.random.default_rng(0), Help(prices={"silver": 1}))


def test_measuring_finds_the_optimum_of_the_teacher_and_no_win_by_chance() -> None:
    floors = [mt_gym.load("hand01"), mt_gym.load("hand02")]
    drawn = play(floors, None, episodes=20, rng=np.random.default_rng(0))
    assert drawn.won.shape == (2, 20)
    assert 0 <= drawn.score <= drawn.success <= drawn.best_success <= 1
    assert (drawn.hp <= drawn.optimum[:, None]).all()
