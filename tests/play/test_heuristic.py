"""The heuristic: its rules, its result on the simple floor, and that it is total."""

from __future__ import annotations

import numpy as np
import pytest

from mt_gym.analysis.listing import entries
from mt_gym.analysis.options import Options
from mt_gym.engine.load import load, loads, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.rewards import goal_score
from mt_gym.errors import MtGymError
from mt_gym.play.episode import Moment, advance, begin
from mt_gym.play.heuristic import choose
from mt_gym.play.masks import action_mask, row_table
from mt_gym.play.settings import PlaySettings
from tests.engine.towers import NAMES, play, states, tower
from tests.oracles import brute_force

DECISIONS = (
    "fight 6,4",
    "fight 5,6",
    "open 4,7",
    "fight 3,7",
    "open 7,0",
    "open 7,5",
    "fight 9,5",
    "fight 10,6",
    "fight 8,9",
    "fight 1,8",
    "fight 4,2",
    "fight 2,1",
    "open 8,0",
    "fight 3,5",
    "fight 5,9",
    "fight 5,10",
)


def chosen(game: Tower, state: State) -> str:
    return str(choose(game, state, Options.of(game)).action)


def episode(game: Tower, state: State | None = None) -> tuple[Moment, list[str]]:
    """An episode of the heuristic under the default settings."""
    rules = PlaySettings(Options.of(game))
    state = game.initial_state() if state is None else state
    moment, _ = begin(game, state, rules)
    texts = []
    while moment.outcome is None:
        action = choose(game, moment.state, rules.options).action
        texts.append(str(action))
        moment, played = advance(game, moment, action, rules)
        assert played[0].source == "policy", "an override replaced the heuristic"
    return moment, texts


def test_its_result_on_the_simple_floor() -> None:
    moment, texts = episode(load("simple"))
    assert tuple(texts) == DECISIONS
    assert (moment.outcome, moment.state.hero.hp, moment.turn) == ("won", 10, 36)


def test_what_each_of_its_decisions_on_the_simple_floor_gives_up() -> None:
    counter = brute_force.WinCounter()
    floor = brute_force.start()
    best = [counter.best(floor)]
    for text in DECISIONS[:-1]:
        verb, cell = text.split()
        x, y = (int(part) for part in cell.split(","))
        action = next(a for a in brute_force.decisions(floor) if a[1:] == (x, y))
        assert action[0].startswith(verb[:4])
        floor = brute_force.after(floor, action)
        best.append(counter.best(floor))
    lost = {
        text: before - after
        for text, before, after in zip(DECISIONS, best, best[1:], strict=False)
        if before is not None and after is not None and before != after
    }
    assert None not in best
    assert lost == {"open 7,5": 3}


def random_score(game: Tower, seed: int) -> float:
    rules = PlaySettings(Options.of(game))
    rng = np.random.default_rng(seed)
    moment, _ = begin(game, game.initial_state(), rules)
    table = row_table(game, len(game.actions))
    while moment.outcome is None:
        legal = np.flatnonzero(action_mask(table, moment.state, rules))
        action = game.actions[int(rng.choice(legal))]
        moment, _ = advance(game, moment, action, rules)
    return goal_score(game, moment.state, None, moment.state, moment.outcome)


@pytest.mark.parametrize("name", shipped())
def test_it_beats_the_random_policy_on_every_shipped_map(name: str) -> None:
    game = load(name)
    moment, _ = episode(game)
    own = goal_score(game, moment.state, None, moment.state, moment.outcome)
    assert own > np.mean([random_score(game, seed) for seed in range(20)])


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_on_every_state_that_has_not_ended(name: str) -> None:
    game = tower(name)
    options = Options.of(game)
    for state in states(game, 250):
        if game.outcome(state) is not None:
            with pytest.raises(MtGymError, match="nothing can be chosen"):
                choose(game, state, options)
            continue
        choice = choose(game, state, options)
        assert game.game.is_legal(state, choice.action)
        assert not game.game.is_lethal(state, choice.action)
        assert choice.reason.endswith(".")
        assert len(choice.reason.split()) > 3
        assert choose(tower(name), state, options) == choice


@pytest.mark.parametrize("name", NAMES)
def test_it_never_plays_for_ever(name: str) -> None:
    moment, _ = episode(tower(name))
    assert moment.outcome in ("won", "stuck")


def test_it_wins_every_small_tower_in_which_shops_and_keys_decide() -> None:
    for name in ("shop_constant", "shop_exp", "shop_growing", "key_trader", "tokens"):
        assert episode(tower(name))[0].outcome == "won", name


HEAD = """
name = "rules"
[hero]
hp = 200
atk = 10
def = 5
yellow = 1
[goal]
defeat = "Boss"
[monsters]
Bear = { hp = 60, atk = 15, def = 0 }
Rat = { hp = 40, atk = 10, def = 0 }
Wolf = { hp = 40, atk = 7, def = 0 }
Boss = { hp = 8, atk = 5, def = 11 }
[items]
Gem = { atk = 1 }
Potion = { hp = 10 }
[[floors]]
id = "rules"
map = """
LETTERS = {
    "B": "Bear",
    "R": "Rat",
    "W": "Wolf",
    "Z": "Boss",
    "Y": "Yellow Door",
    "g": "Gem",
    "p": "Potion",
}


def room(*rows: str) -> Tower:
    """A floor drawn with `LETTERS`; the Bear costs 50 HP, Rat 15, Wolf 6."""
    used = "".join(rows)
    legend = "\n".join(f'{k} = "{v}"' for k, v in LETTERS.items() if k in used)
    drawn = "\n".join(rows)
    return loads(f"{HEAD}'''\n{drawn}\n'''\n[floors.legend]\n{legend}\n")


def test_what_costs_nothing_comes_first() -> None:
    game = room("#######", "#pR@g.#", "#.###.#", "#.Z.g.#", "#######")
    assert chosen(game, game.initial_state()) == "collect 4,1"


def test_stat_items_come_before_the_fight_they_make_cheaper() -> None:
    game = room("#########", "#gW.@.Bg#", "####.####", "#...Z..##", "#########")
    # The Bear's gem is worth as much, but two gems make the Bear cheaper.
    assert chosen(game, game.initial_state()) == "fight 2,1"


def test_the_lowest_effective_cost_comes_first() -> None:
    game = room("#########", "#gB.@.Wp#", "####.####", "#..gZ..##", "#########")
    # Bear: 50 - 70 for the gem; Wolf: 6 for a potion, which has no price.
    assert chosen(game, game.initial_state()) == "fight 2,1"


def test_nothing_above_the_share_unless_nothing_else_makes_progress() -> None:
    game = room("#########", "#gB.@.Wp#", "####.####", "#..gZ..##", "#########")
    start = game.initial_state()
    weak = State(start.world, start.hero._replace(hp=124))
    assert chosen(game, weak) == "fight 6,1"
    alone = room("#########", "#gB.@..##", "####.####", "#..gZ..##", "#########")
    start = alone.initial_state()
    weak = State(start.world, start.hero._replace(hp=124))
    assert chosen(alone, weak) == "fight 2,1"


def test_nothing_is_spent_on_what_unlocks_nothing() -> None:
    game = room("#########", "#gB.@.W.#", "####Z####", "#########")
    # The Wolf costs 6 HP and the Bear 50, but nothing stands behind the Wolf.
    assert chosen(game, game.initial_state()) == "fight 2,1"


def test_a_scarce_key_has_its_price() -> None:
    rows = ("#########", "#gY.@.Rg#", "####Y####", "#..gZ...#", "#########")
    game = room(*rows)
    start = game.initial_state()
    # One key for two doors: 60 - 70 for the door, 15 - 70 for the Rat.
    assert chosen(game, start) == "fight 6,1"
    plenty = State(start.world, start.hero._replace(yellow=2))
    assert chosen(game, plenty) in ("open 2,1", "open 4,2")


def test_the_goal_waits_while_something_still_pays_for_itself() -> None:
    game = room("#########", "#pW.@.Z.#", "#p#######", "#########")
    start = game.initial_state()
    strong = State(start.world, start.hero._replace(atk=12))
    assert chosen(game, strong) == "fight 2,1"
    before = play(game, "fight 2,1", state=strong)
    assert chosen(game, before).startswith("collect")


def test_the_goal_is_taken_when_nothing_pays_any_more() -> None:
    game = room("#########", "#gB.@.Z.#", "#########")
    start = game.initial_state()
    strong = State(start.world, start.hero._replace(atk=12))
    assert chosen(game, strong) == "fight 6,1"


def test_holy_water_is_kept_until_the_potion_is_taken() -> None:
    game = tower("holy_water")
    _, texts = episode(game)
    state = game.initial_state()
    assert str(choose(game, state, Options.of(game)).action) == "collect 3,1"
    assert texts[0] == "collect 1,1"


def test_only_what_is_offered_is_chosen() -> None:
    game = load("simple")
    state = play(game, "collect 5,1")
    listed = [e for e in entries(game, state) if str(e.action) != "fight 6,4"]
    choice = choose(game, state, Options.of(game), listed)
    assert str(choice.action) != "fight 6,4"
