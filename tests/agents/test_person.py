"""A person's answers: numbers of the list, commands, and everything else."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mt_gym.agents import Decision
from mt_gym.agents.person import PersonPlayer, Quit, ask, hint

INFO: dict[str, Any] = {
    "turn": 0,
    "action_mask": np.array([1, 0, 0, 0, 0, 1], np.int8),
    "actions": (
        {
            "number": 1,
            "action": 5,
            "text": "fight 1,1",
            "name": "Bat",
            "enabled": True,
        },
        {
            "number": 2,
            "action": 3,
            "text": "fight 2,1",
            "name": "Boss",
            "enabled": False,
        },
        {
            "number": 3,
            "action": 0,
            "text": "open 3,1",
            "name": "Yellow Door",
            "enabled": True,
        },
    ),
}


class Advisor:
    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        return Decision(0, trace={"reason": "it is cheap"})


class Terminal:
    """Gives lines and keeps what is written."""

    def __init__(self, *lines: str) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.written: list[str] = []

    def read(self) -> str:
        for line in self._lines:
            return line
        raise EOFError

    def write(self, text: str) -> None:
        self.written.append(text)


def test_number_of_the_list_becomes_the_action_index() -> None:
    terminal = Terminal(" 1 ")
    assert ask(INFO, "hq", terminal.read, terminal.write) == 5


def test_prompt_names_the_commands_that_are_allowed() -> None:
    terminal = Terminal("q")
    assert ask(INFO, "hq", terminal.read, terminal.write) == "q"
    assert terminal.written == ["Number (h hint, q quit):"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0", "'0' is none of 1 to 3, and no command."),
        ("4", "'4' is none of 1 to 3, and no command."),
        ("", "'' is none of 1 to 3, and no command."),
        ("u", "'u' is none of 1 to 3, and no command."),
        ("hq", "'hq' is none of 1 to 3, and no command."),
        ("2", "fight 2,1 cannot be done: the hero's ATK is too low."),
    ],
)
def test_anything_else_is_explained_and_asked_again(line: str, message: str) -> None:
    terminal = Terminal(line, "3")
    assert ask(INFO, "hq", terminal.read, terminal.write) == 0
    assert message in terminal.written


def test_end_of_input_leaves_the_game() -> None:
    terminal = Terminal()
    with pytest.raises(Quit, match="the input is over"):
        ask(INFO, "hq", terminal.read, terminal.write)


def test_hint_names_number_text_and_reason() -> None:
    assert hint(Advisor(), "", INFO) == "Hint: 3 (open 3,1): it is cheap"


def test_player_shows_the_observation_gives_a_hint_and_takes_the_number() -> None:
    terminal = Terminal("h", "1")
    player = PersonPlayer(Advisor(), terminal.read, terminal.write)
    assert player.act("the floor", INFO) == Decision(5)
    assert terminal.written[0] == "the floor"
    assert "Hint: 3 (open 3,1): it is cheap" in terminal.written


def test_player_lists_the_actions_where_the_observation_is_no_text() -> None:
    terminal = Terminal("1")
    PersonPlayer(Advisor(), terminal.read, terminal.write).act({}, INFO)
    assert terminal.written[0].splitlines()[1] == "2. fight 2,1 (Boss)"


def test_player_leaves_when_told_to() -> None:
    terminal = Terminal("q")
    with pytest.raises(Quit):
        PersonPlayer(Advisor(), terminal.read, terminal.write).act("", INFO)
