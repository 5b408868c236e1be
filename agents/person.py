"""The policy that asks a person in the terminal.

`ask` turns what is typed into an answer; the player and the command `play` share it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mt_gym.agents.heuristic import HeuristicPolicy
from mt_gym.agents.policy import Decision, Env, Player

COMMANDS: Final[Mapping[str, str]] = {
    "h": "hint",
    "i": "all that is known",
    "u": "undo",
    "q": "quit",
}
"""Letters that are answers, and what they mean."""

Reader = Callable[[], str]
Writer = Callable[[str], None]


class Quit(KeyboardInterrupt):
    """The person stops; whoever handles Ctrl-C handles it."""


def ask(
    info: Mapping[str, Any], commands: str, read: Reader, write: Writer
) -> int | str:
    """Ask until the answer is a number of the list or a command.

    Args:
        info: of the last step; `info["actions"]` is the list.
        commands: the letters of `COMMANDS` that are allowed here.
        read: returns the next line, without its end; raises `EOFError` at the end.
        write: shows a line.

    Returns:
        The action index behind the number, or the command's letter.

    Raises:
        Quit: the input is over.
    """
    entries = {str(entry["number"]): entry for entry in info["actions"]}
    words = ", ".join(f"{letter} {COMMANDS[letter]}" for letter in commands)
    while True:
        write(f"Number ({words}):")
        try:
            answer = read().strip().lower()
        except EOFError:
            raise Quit("the input is over") from None
        if len(answer) == 1 and answer in commands:
            return answer
        entry = entries.get(answer)
        if entry is None:
            numbers = f"none of 1 to {len(entries)}, and " if entries else ""
            write(f"{answer!r} is {numbers}no command.")
        elif not entry["enabled"]:
            write(f"{entry['text']} cannot be done: the hero's ATK is too low.")
        else:
            return int(entry["action"])


class PersonPolicy:
    """Shows the observation and takes a number; `h` gives the heuristic's choice.

    Args:
        read: returns the next line of input; by default from the terminal.
        write: shows a text; by default on the standard output.
    """

    name = "person"
    observation = None

    def __init__(
        self, *, read: Reader | None = None, write: Writer | None = None
    ) -> None:
        self._read = input if read is None else read
        self._write = _print if write is None else write

    def new_episode(self, env: Env, seed: int) -> PersonPlayer:
        """A player at this terminal."""
        hints = HeuristicPolicy().new_episode(env, seed)
        return PersonPlayer(hints, self._read, self._write)


@dataclass(frozen=True, slots=True)
class PersonPlayer:
    """One episode of a person.

    Attributes:
        hints: the player whose choice is the hint.
    """

    hints: Player
    read: Reader
    write: Writer

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The person's choice.

        Raises:
            Quit: the person stops, or the input is over.
        """
        self.write(as_text(observation, info))
        while True:
            answer = ask(info, "hq", self.read, self.write)
            if isinstance(answer, int):
                return Decision(answer)
            if answer == "q":
                raise Quit("the person stopped")
            self.write(hint(self.hints, observation, info))


def hint(player: Player, observation: Any, info: dict[str, Any]) -> str:
    """What another player would do, as a sentence with its number in the list."""
    decision = player.act(observation, info)
    for entry in info["actions"]:
        if entry["action"] == decision.action:
            reason = decision.trace.get("reason")
            because = f": {reason}" if reason else ""
            return f"Hint: {entry['number']} ({entry['text']}){because}"
    raise AssertionError("the hint is an action that is not listed")


def as_text(observation: Any, info: Mapping[str, Any]) -> str:
    """The observation if it is a text, else the list of actions."""
    if isinstance(observation, str):
        return observation
    return "\n".join(
        f"{entry['number']}. {entry['text']} ({entry['name'] or 'another floor'})"
        for entry in info["actions"]
    )


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
