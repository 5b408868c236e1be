"""What the players see of each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra marl")

from mt_gym.engine.kinds import RESOURCES
from mt_gym.observation.features import resource_scales
from mt_gym.versus import duel, race
from mt_gym.versus.picture import COLOURS, duel_picture
from mt_gym.versus.wrappers import text_only
from tests.versus.tiny import floor


def started(*texts: str, **keywords: Any) -> Any:
    """A duel on `simple` after some moves; `pass` passes."""
    game = duel.env("simple", **keywords)
    game.reset()
    for text in texts:
        index = game.unwrapped.pass_index
        if text != "pass":
            index = game.unwrapped.tower.action(text).index
        game.step(index)
    return game


def part(game: Any, agent: str, name: str) -> Any:
    found = game.observe(agent)["observation"]
    return found[game.unwrapped.views[0].sections[name]]


def test_both_texts_name_the_other_heros_attributes_and_reach() -> None:
    game = started("fight 5,3")
    for agent in game.agents:
        other = game.agents[1 - game.agents.index(agent)]
        (line,) = (
            line
            for line in game.observe(agent)["text"].splitlines()
            if line.startswith(f"{other}: ")
        )
        hero = game.unwrapped.duel.sides[game.agents.index(other)].hero
        assert f"HP={hero.hp} ATK={hero.atk} DEF={hero.defense} MDEF=0" in line
    text = game.observe("player_1")["text"]
    assert "  last did: collect 5,1, fight 5,3" in text
    assert "  reaches: yellowDoor@(7,0), Slime Lord@(4,2), Black Slime@(6,4)," in text


def test_the_mover_sees_the_other_in_the_world_after_his_own_assists() -> None:
    game = started()
    assert "Yellow Key@(5,1)" not in game.observe("player_0")["text"].split("===")[0]
    # Nothing is taken before he acts.
    assert "  reaches: yellowDoor@(7,0), Yellow Key@(5,1)" in game.observe("player_1")[
        "text"
    ].replace("you are player_1", "")
    key = game.unwrapped.tower.action("collect 5,1").index
    assert part(game, "player_0", "reach")[key] == 0
    assert part(game, "player_1", "reach")[key] == 1


def test_arrays_hold_the_other_hero_and_his_reach() -> None:
    game = started("fight 5,3")
    raw = game.unwrapped
    scales = resource_scales(raw.tower)
    others = part(game, "player_1", "others")
    hero = raw.duel.sides[0].hero
    for slot in range(len(RESOURCES)):
        assert others[slot] == pytest.approx(hero[slot] / scales[slot], rel=1e-6)
    ended = others[-1]
    assert ended == 0
    reach = part(game, "player_1", "reach")
    there = raw.tower.game.candidates(raw.duel.state(0))
    expected = [there >> action.object & 1 for action in raw.tower.actions]
    assert reach.tolist() == expected
    assert part(game, "player_1", "turn").tolist() == [1, 0]
    assert part(game, "player_0", "turn").tolist() == [0, 0]
    game.step(raw.pass_index)
    assert part(game, "player_0", "turn").tolist() == [1, 1]


def test_pass_is_the_last_entry_and_says_when_it_would_end_the_duel() -> None:
    game = started()
    lines = game.observe("player_0")["text"].splitlines()
    assert "  5. [pass] do nothing; player_1 is next" in lines
    assert game.infos["player_0"]["actions"][-1]["number"] == 5
    game.step(game.unwrapped.pass_index)
    text = game.observe("player_1")["text"]
    assert "passed after a pass, the duel ends by goal score" in text


def test_who_is_not_to_move_has_nothing_to_choose() -> None:
    game = started()
    text = game.observe("player_1")["text"]
    assert "It is player_0's turn." in text
    assert "FINAL_CHOICE" not in text
    assert game.infos["player_1"]["actions"] == ()
    assert not game.infos["player_1"]["action_mask"].any()


def test_the_end_is_told_to_both() -> None:
    game = started("pass", "pass")
    for agent in ("player_0", "player_1"):
        text = game.observe(agent)["text"]
        assert "The duel is over: both heroes passed" in text
        assert game.infos[agent]["outcome"] == "draw"
    assert game.rewards == {"player_0": 0.0, "player_1": 0.0}


def test_players_of_a_race_see_the_others_in_the_order_of_the_seats() -> None:
    game = race.parallel_env("simple", players=3)
    seen, infos = game.reset()
    text = seen["player_1"]["text"]
    assert text.index("player_2: HP=") < text.index("player_0: HP=")
    assert [o["player"] for o in infos["player_1"]["others"]] == [
        "player_2",
        "player_0",
    ]
    assert infos["player_1"]["others"][0]["reach"] is None


def test_a_race_tells_how_the_others_ended(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(floor(["a@p", "#Z#"], hp=15).to_toml(), encoding="utf-8")
    game = race.parallel_env(path, overrides=[], assists=False)
    game.reset()
    lethal, potion = (game.tower.action(t).index for t in ("fight 0,0", "collect 2,0"))
    seen, _, _, _, infos = game.step({"player_0": lethal, "player_1": potion})
    assert "player_0: HP=0" in seen["player_1"]["text"]
    assert "| died" in seen["player_1"]["text"].splitlines()[1]
    assert infos["player_1"]["others"][0]["ended"] == "died"


def test_each_player_may_have_an_observation_of_his_own() -> None:
    game = duel.env("simple", observation=["annotated", "bare"])
    game.reset()
    assert "effCost" in game.observe("player_0")["text"]
    game.step(game.unwrapped.pass_index)
    assert "effCost" not in game.observe("player_1")["text"]
    assert "[fight] Red Slime at (5,3)" in game.observe("player_1")["text"]


def test_texts_alone_keep_the_mask_in_the_infos() -> None:
    game = text_only(duel.env("simple"))
    game.reset()
    text, _, _, _, info = game.last()
    assert text in game.observation_space("player_0")
    assert info["action_mask"].sum() == len(info["actions"])


def test_both_heroes_are_drawn_where_they_stand() -> None:
    game = started("fight 5,3", "fight 6,4", render_mode="rgb_array").unwrapped
    now = game.render()
    assert now.dtype == np.uint8
    for player in (0, 1):
        away = game.duel.sides[1 - player].hero.position
        sides = list(game.duel.sides)
        hero = sides[player].hero._replace(position=away)
        sides[player] = sides[player]._replace(hero=hero)
        moved = duel_picture(game.tower, game.duel._replace(sides=tuple(sides)))
        y, x = divmod(game.duel.sides[player].hero.position, 11)
        cell = np.s_[28 + 32 * y : 60 + 32 * y, 32 * x : 32 * x + 32]
        assert (now[cell] != moved[cell]).any(), COLOURS[player]


def test_ansi_shows_both_heroes() -> None:
    game = started("fight 5,3", render_mode="ansi")
    text = game.render()
    assert "player_0: HP=414" in text
    assert "Hero: HP=470" in text
