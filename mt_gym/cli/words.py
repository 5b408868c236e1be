"""What the commands share: arguments, environments, and how things are said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console

from mt_gym.engine.board import Action
from mt_gym.engine.kinds import RESOURCES
from mt_gym.engine.load import load, shipped
from mt_gym.engine.state import N_RESOURCES, Hero
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError

FloorName = Annotated[
    str, typer.Argument(metavar="FLOOR", help="A shipped floor or the path of a map.")
]

LONG_NAMES = {
    "hp": "HP",
    "atk": "ATK",
    "def": "DEF",
    "mdef": "MDEF",
    "gold": "gold",
    "exp": "EXP",
    "level": "level",
    "yellow": "yellow keys",
    "blue": "blue keys",
    "red": "red keys",
    "green": "green keys",
    "pickaxe": "pickaxes",
    "bomb": "bombs",
    "token": "tokens",
}
"""How the hero's numbers are called; the first four are always shown."""

COUNTED_FROM = RESOURCES.index("yellow")
"""From here on they are things, with a plural."""


PLAIN_WIDTH = 160
"""Columns where the output is no terminal."""


class Interrupted(typer.TyperException):
    """A command that a person stopped."""

    exit_code = 130


def console() -> Console:
    """Where results go: plain text if the output is no terminal."""
    terminal = Console(highlight=False)
    if terminal.is_terminal:
        return terminal
    return Console(highlight=False, width=PLAIN_WIDTH, soft_wrap=True)


def playable(floor: str) -> Tower:
    """The map of a name or path; one with defects is refused with all of them."""
    tower = load(floor)
    tower.initial_state()
    return tower


def environment_id(floor: str, settings: dict[str, Any]) -> str:
    """The environment's id for a floor; a path is put into the settings."""
    if floor in shipped():
        return f"MagicTower-{floor}-v0"
    settings["tower"] = floor
    return "MagicTower-v0"


def parse_settings(
    pairs: Sequence[str],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keywords of the environment and of the policy in `KEY=VALUE` texts.

    A key that begins with `policy.` is an option of the policy.  A value is JSON, or
    else the text itself.

    Raises:
        MtGymError: a text without `=`, or a key given twice.
    """
    ours: dict[str, Any] = {}
    policys: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise MtGymError(
                f"--set {pair!r}: KEY=VALUE is expected, such as observation=bare or "
                "lookahead_depth=2"
            )
        try:
            value: Any = json.loads(text)
        except json.JSONDecodeError:
            value = text
        except (ValueError, RecursionError) as error:  # 5,000 digits, or brackets
            raise MtGymError(f"--set {key}=...: no JSON value: {error}") from error
        target = policys if key.startswith("policy.") else ours
        key = key.removeprefix("policy.")
        if key in target:
            raise MtGymError(f"--set {pair!r}: the key is given twice")
        target[key] = value
    return ours, policys


def action_words(tower: Tower, action: Action) -> str:
    """An action's text with the name of its object."""
    if action.object < 0:
        return str(action)
    return f"{action} ({tower.board.objects[action.object].name})"


def hero_words(hero: Hero) -> str:
    """The hero's numbers; those that are seldom used only if he has some."""
    return "  ".join(
        f"{LONG_NAMES[name]} {amount}"
        for i, (name, amount) in enumerate(
            zip(RESOURCES, hero[:N_RESOURCES], strict=True)
        )
        if amount or i < 4
    )


def gain_words(name: str, amount: int) -> str:
    """What one of the hero's numbers gains: `DEF +1`, `2 yellow keys`."""
    if RESOURCES.index(name) < COUNTED_FROM:
        return f"{LONG_NAMES[name]} {amount:+d}"
    return cost_words(name, amount)


def cost_words(name: str, amount: int) -> str:
    """An amount of one of the hero's numbers: `20 gold`, `1 yellow key`."""
    words = LONG_NAMES[name]
    if amount == 1 and RESOURCES.index(name) >= COUNTED_FROM:
        words = words.removesuffix("s")
    return f"{amount} {words}"


def counted(amount: int, thing: str) -> str:
    """A number of things: `1 turn`, `2 turns`."""
    return f"{amount} {thing}" + ("" if amount == 1 else "s")


def goal_words(tower: Tower) -> str:
    """What wins, in the map's own words if it has some."""
    goal = tower.data.goal
    return goal.text or " ".join(part for part in (goal.type, goal.name) if part)


def optimum_words(tower: Tower, reached: int = 0) -> str:
    """What the map's certificate says, in a few words; `?` if it has none.

    Args:
        tower: whose certificate.
        reached: final HP of a win, which may beat a bounded certificate's play.
    """
    certificate = tower.certificate
    if certificate is None:
        return "?"
    if certificate.status == "optimal":
        return str(certificate.optimum)
    bound = "?" if certificate.bound is None else certificate.bound
    return f"{max(certificate.optimum, reached)} to {bound}"
