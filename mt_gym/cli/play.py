"""`play`: a person against a floor, with a hint and undo."""

from __future__ import annotations

from typing import Annotated, Any

import gymnasium as gym
import typer

from mt_gym.agents.heuristic import HeuristicPolicy
from mt_gym.agents.person import PersonPolicy, Quit, ask, hint
from mt_gym.bench.loop import make_environment
from mt_gym.cli.picture import floor_picture
from mt_gym.cli.story import OUTCOMES
from mt_gym.cli.words import (
    FloorName,
    Interrupted,
    action_words,
    console,
    counted,
    environment_id,
    optimum_words,
    parse_settings,
    playable,
)
from mt_gym.generator.certify import refuse_beyond


def play(
    floor: FloorName,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A keyword of the environment."
        ),
    ] = None,
) -> None:
    """Play a floor yourself: your choices are executed, mistakes included."""
    keywords, options = parse_settings(settings or [])
    if options:
        raise typer.BadParameter("--set policy.KEY: you are the policy here")
    playable(floor)
    keywords.setdefault("overrides", [])  # a person's choice is what happens
    env = make_environment(environment_id(floor, keywords), PersonPolicy(), keywords)
    try:
        Game(env).run()
    finally:
        env.close()


class Game:
    """One person's game.

    Undo plays all choices but the last again: the game is deterministic, so turns,
    history and limits are those of the moment before.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self._env = env
        self._tower = env.get_wrapper_attr("tower")
        self._out = console()
        self._choices: list[int] = []
        self._begin()

    def _begin(self) -> None:
        self._observation, self._info = self._env.reset(seed=0)
        self._hints = HeuristicPolicy().new_episode(self._env, 0)
        self._over = False

    def _step(self, action: int) -> None:
        self._observation, reward, ended, cut, self._info = self._env.step(action)
        self._reward = float(reward)
        self._over = ended or cut

    def run(self) -> None:
        """Play until the person leaves."""
        self._show()
        while True:
            answer = self._ask()
            if answer == "q":
                return
            if isinstance(answer, int):
                self._choices.append(answer)
                self._step(answer)
                self._show()
            elif answer == "u":
                self._undo()
            elif answer == "h":
                self._say(hint(self._hints, self._observation, self._info))
            else:
                self._say(str(self._observation))

    def _ask(self) -> int | str:
        commands = "uq" if self._over else "hiuq"
        try:
            return ask(self._info, commands, input, self._say)
        except Quit as error:
            if self._over:
                return "q"
            raise Interrupted(str(error)) from None

    def _undo(self) -> None:
        if not self._choices:
            self._say("There is nothing to undo.")
            return
        self._choices.pop()
        self._begin()
        for action in self._choices:
            self._step(action)
        self._show()

    def _show(self) -> None:
        for done in self._info["executed"]:
            what = "nothing happens"
            if done["action"] is not None:
                what = action_words(self._tower, self._tower.actions[done["action"]])
            why = f" ({done['reason']})" if done["reason"] else ""
            if done["replaces"] is not None:
                yours = action_words(self._tower, self._tower.actions[done["replaces"]])
                what = f"{what} in place of {yours}"
            self._say(
                f"T{done['turn']} {what}: HP {done['hp_before']} → "
                f"{done['hp_after']}{why}"
            )
        state = self._env.get_wrapper_attr("state")
        floor = self._tower.board.cell_floor[state.hero.position]
        self._out.print()
        self._out.print(floor_picture(self._tower, state, floor))
        self._out.print()
        if self._over:
            refuse_beyond(self._tower, self._tower.initial_state(), state)
            words = OUTCOMES[self._info["outcome"]]
            reached = state.hero.hp if self._info["outcome"] == "won" else 0
            self._say(
                f"{words[0].upper()}{words[1:]}: {state.hero.hp} HP after "
                f"{counted(self._info['turn'], 'turn')} (the best win leaves "
                f"{optimum_words(self._tower, reached)})"
            )
            return
        for entry in self._info["actions"]:
            self._say(self._choice(entry))

    @staticmethod
    def _choice(entry: dict[str, Any]) -> str:
        text = f"{entry['number']:>3}  {entry['text']}"
        if entry["name"]:
            text += f" ({entry['name']})"
        if not entry["enabled"]:
            return f"{text}: cannot be beaten yet"
        if entry["damage"] is not None:
            text += f": costs {entry['damage']} HP, leaves {entry['hp_after']}"
        return text

    def _say(self, text: str) -> None:
        self._out.print(text, markup=False)
