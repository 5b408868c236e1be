"""The field `mt_gym` of a request: the game itself, for a server that plays it.

Sent only to a server whose list of models says that the model belongs to `mt-gym`.
A server's policy then sees the state and not a text; every other server sees messages
alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from mt_gym.agents.question import Question
from mt_gym.engine.load import load, loads, shipped
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import MtGymError, StateMismatch
from mt_gym.play.settings import PlaySettings

OWNER: Final = "mt-gym"
"""`owned_by` of the models of our own server."""

FIELD: Final = "mt_gym"
"""Name of the field in the request's body."""


@dataclass(frozen=True, slots=True)
class Game:
    """What the field says.

    Attributes:
        tower, state: what is played, and where it stands.
        numbers: number in the list by action index.
        keywords: of the environment: turn limit, lookahead, assists, overrides.
        turn: completed turns.
        seed: of the episode.
        ahead: actions that are to be planned after the choice.
        memory: whether a `PLAN:` line is asked for.
    """

    tower: Tower
    state: State
    numbers: Mapping[int, int]
    keywords: Mapping[str, Any]
    turn: int
    seed: int
    ahead: int
    memory: bool


def game_of(
    tower: Tower,
    state: State,
    question: Question,
    settings: PlaySettings,
    *,
    seed: int,
    ahead: int,
    memory: bool,
) -> dict[str, Any]:
    """The field for a question: a map that is not shipped is sent along."""
    options = settings.options
    game: dict[str, Any] = {
        "tower": tower.name,
        "digest": tower.digest,
        "state": state.to_json(),
        "numbers": {str(one.action): one.number for one in question.options},
        "keywords": {
            "lookahead_depth": options.lookahead_depth,
            "rule4_share": list(options.rule4_share),
            "max_turns": options.max_turns,
            "assists": sorted(settings.assists),
            "overrides": list(settings.overrides),
        },
        "turn": int(question.context["turn"]) - 1,
        "seed": seed,
        "ahead": ahead,
        "memory": memory,
    }
    if settings.one_floor:
        game["keywords"]["observation"] = "tower-1"
    if tower.name not in shipped():
        game["map"] = tower.to_toml()
    return {FIELD: game}


def read_game(value: Any) -> Game:
    """The game in a request's field.

    Raises:
        MtGymError: a part is missing, wrong, or belongs to another tower.
    """
    if not isinstance(value, dict):
        raise MtGymError(
            f"the request has no field {FIELD!r} with the game: this server answers "
            "with a policy's choice and needs the state (mt-gym's own client sends it)"
        )
    try:
        tower = _tower(str(value["tower"]), value.get("map"))
        if value["digest"] != tower.digest:
            raise StateMismatch(
                f"{tower.name!r} has hash {tower.digest} here and {value['digest']} "
                "at the client"
            )
        state = State.from_json(str(value["state"]))
        tower.check(state)
        return Game(
            tower,
            state,
            {int(index): int(number) for index, number in value["numbers"].items()},
            dict(value["keywords"]),
            int(value["turn"]),
            int(value["seed"]),
            int(value["ahead"]),
            bool(value["memory"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise MtGymError(f"the field {FIELD!r} is incomplete: {error}") from error


def _tower(name: str, drawn: Any) -> Tower:
    if drawn is not None:
        return _drawn(str(drawn))
    if name not in shipped():
        raise MtGymError(f"the map {name!r} is not shipped: send it as {FIELD}.map")
    return _shipped(name)


@lru_cache(maxsize=32)
def _shipped(name: str) -> Tower:
    return load(name)


@lru_cache(maxsize=32)
def _drawn(text: str) -> Tower:
    return loads(text, format="toml")
