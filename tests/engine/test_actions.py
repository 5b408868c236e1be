"""Actions: their texts, ranks and order."""

from __future__ import annotations

import pytest

from mt_gym.engine.kinds import VERBS
from mt_gym.errors import IllegalAction
from tests.engine.towers import NAMES, tower


@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_found_by_its_text(name: str) -> None:
    game = tower(name)
    assert game.actions
    for rank, action in enumerate(game.actions):
        assert action.index == rank
        assert action.verb in VERBS
        assert game.action(str(action)) is action
    assert len({str(action) for action in game.actions}) == len(game.actions)


def test_text_names_the_floor_only_where_there_are_several() -> None:
    assert str(tower("shop_constant").actions[0]) == "buy 3,1 #1"
    texts = [str(action) for action in tower("stairs").actions]
    assert texts == [
        "F1:climb 3,1",
        "F1:open 2,3",
        "F1:fight 2,4",
        "F2:collect 1,1",
        "F2:fight 2,2",
        "F2:climb 3,3",
        "F1:travel",
        "F2:travel",
    ]


def test_offer_without_a_cell_has_no_position() -> None:
    action = tower("tokens").action("buy #2")
    assert action.position is None
    assert action.choice == 2


def test_hidden_objects_have_actions_from_the_start() -> None:
    game = tower("hidden_stairs")
    assert game.action("F1:climb 4,1") in game.actions


def test_verbs_of_one_object_are_numbered_only_if_repeated() -> None:
    texts = [str(action) for action in tower("tools").actions]
    assert "fight 3,3" in texts
    assert "bomb 3,3" in texts
    assert "bomb 3,5" not in texts  # the boss


def test_unknown_text_is_refused_with_examples() -> None:
    with pytest.raises(IllegalAction, match=r"has no action 'fight 9,9'; there are"):
        tower("seal").action("fight 9,9")
