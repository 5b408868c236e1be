"""Policies for the tests of the bench."""

from collections.abc import Callable
from typing import Any

from mt_gym.agents import Decision, make_policy
from mt_gym.errors import EndpointError, NoAnswer

ID = "MagicTower-simple-v0"


class Scripted:
    """Asks a function for each decision."""

    name = "scripted"
    observation = None

    def __init__(self, choose: Callable[[int, Any, dict[str, Any]], Decision]) -> None:
        self._choose = choose

    def new_episode(self, env: Any, seed: int) -> Any:
        choose = self._choose

        class Player:
            def act(self, observation: Any, info: dict[str, Any]) -> Decision:
                return choose(seed, env, info)

        return Player()


class Breaking:
    """Plays at random; some episodes end with an error at their third decision.

    Args:
        errors: what to raise, by seed.
    """

    name = "breaking"
    observation = None

    def __init__(self, errors: dict[int, Exception]) -> None:
        self.errors = errors

    def new_episode(self, env: Any, seed: int) -> Any:
        inner = make_policy("random").new_episode(env, seed)
        error = self.errors.get(seed)
        count = 0

        class Player:
            def act(self, observation: Any, info: dict[str, Any]) -> Decision:
                nonlocal count
                count += 1
                if error is not None and count == 3:
                    raise error
                return inner.act(observation, info)

        return Player()


def failure() -> EndpointError:
    return EndpointError("the server is down", 500)


def silence() -> NoAnswer:
    return NoAnswer("no valid choice", {"attempts": [{"outcome": "empty"}]})


def texts(env: Any, *names: str) -> tuple[int, ...]:
    """Indices of actions by their texts."""
    tower = env.get_wrapper_attr("tower")
    return tuple(tower.action(name).index for name in names)
