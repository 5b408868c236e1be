"""The race as a PettingZoo environment (Parallel): a copy of one floor for each.

Each player has a single environment of his own; what joins them is what they see of
each other, and on request the reward.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo.utils.env import ParallelEnv

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.envs.keywords import ON_ILLEGAL, one_of
from mt_gym.envs.rewards import REWARDS as SINGLE_REWARDS
from mt_gym.envs.rewards import goal_score
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.episode import advance
from mt_gym.versus.keywords import SHARED, action_index, race_configs
from mt_gym.versus.rules import PASS, name
from mt_gym.versus.screen import RENDER_FPS, Screen
from mt_gym.versus.view import Other, SeatView

MAX_PLAYERS: Final = 8
RANK: Final = "rank"
REWARDS: Final = (*SINGLE_REWARDS, RANK)
"""Those of the single environment, or zero-sum by rank of the goal scores."""

KEYWORDS: Final = ("tower", "players", *SHARED, "reward", "on_illegal", "render_mode")

Step = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
]


class RaceEnv(ParallelEnv):  # type: ignore[misc]
    """One to eight heroes, each on his own copy of a floor.

    Args:
        tower: a shipped map's name, or the path of a map file.
        players: how many, 1 to `MAX_PLAYERS`.
        reward: one of `REWARDS`.  With `rank` all are paid when the last game has
            ended: players beaten less players lost to, over the number of others.
            Who has ended before waits, and can only pass.
        on_illegal: `raise`, or `penalise` as in the single environment.
        render_mode: None, `ansi`, `rgb_array`, `human`.
        keywords: those of `versus.keywords.SHARED`, as in the single environment;
            `observation` may be a list, one name a player.

    Attributes:
        tower: what is played; configs: the checked keywords, one set a player.
        views: make the observations; `views[0].sections` says where what lies.
        envs: the players' own environments.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """

    def __init__(
        self,
        tower: str | Path,
        players: int = 2,
        *,
        reward: str = "goal_score",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        if isinstance(players, bool) or not isinstance(players, int):
            raise MtGymError(f"players must be an integer, got {players!r}")
        if not 1 <= players <= MAX_PLAYERS:
            raise MtGymError(
                f"a race has 1 to {MAX_PLAYERS} players, got players={players}"
            )
        self.tower: Tower = load(tower)
        self.configs = race_configs(self.tower, keywords, players)
        self.reward = one_of("reward", reward, REWARDS)
        self.on_illegal = one_of("on_illegal", on_illegal, ON_ILLEGAL)
        self._screen = Screen(render_mode, self.tower.name)
        self.metadata = {
            "name": "magic_tower_race_v0",
            "render_modes": list(self._screen.modes),
            "render_fps": RENDER_FPS,
        }
        self.render_mode = render_mode
        self.possible_agents = [name(player) for player in range(players)]
        self.agents: list[str] = []
        own = {"info_level": "full", **keywords, "on_illegal": on_illegal}
        if reward != RANK:
            own["reward"] = reward
        self.envs = tuple(
            MagicTowerEnv(
                tower=str(tower), **{**own, "observation": config.observation}
            )
            for config in self.configs
        )
        self.views = tuple(
            SeatView(self.tower, config, players - 1, False, passes=reward == RANK)
            for config in self.configs
        )
        self._spaces = {
            agent: (view.space, spaces.Discrete(view.rows))
            for agent, view in zip(self.possible_agents, self.views, strict=True)
        }
        self._texts: list[str] = []
        self._infos: list[dict[str, Any]] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Dict of `observation`, `action_mask` and `text`; one object per player."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The tower's action indices; with the reward `rank`, `pass` above them."""
        return self._spaces[agent][1]

    @property
    def pass_index(self) -> int | None:
        """The index of `pass`, which those who wait choose; None if nobody waits."""
        return len(self.tower.actions) if self.reward == RANK else None

    def score_of(self, player: int) -> float:
        """A player's goal score, as if his game ended now if it goes on."""
        moment = self.envs[player].moment
        outcome = moment.outcome or "turn_limit"
        return goal_score(self.tower, moment.state, None, moment.state, outcome)

    def rank_of(self, player: int) -> float:
        """Players beaten less players lost to, over the number of others."""
        own = self.score_of(player)
        others = [self.score_of(p) for p in range(len(self.envs)) if p != player]
        balance = sum((own > other) - (own < other) for other in others)
        return balance / max(1, len(others))

    # -- games ---------------------------------------------------------------------

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game at the map's start; nothing is random, `options` are ignored."""
        self.agents = list(self.possible_agents)
        found = [env.reset(seed=seed) for env in self.envs]
        self._texts = [text for text, _ in found]
        self._infos = [info for _, info in found]
        return self._seen(self.agents), self._told(self.agents)

    def step(self, actions: Mapping[str, Any]) -> Step:
        """One choice of every player who has not ended, executed at once.

        Raises:
            ResetNeeded: the game is over, or none has begun.
            IllegalAction: a player is missing, unknown or has ended; or an index that
                is none, or is not legal (with `on_illegal="raise"`).  Nobody moves.
        """
        if not self.agents:
            raise ResetNeeded("no player is left in the race: reset() it")
        chosen = self._checked(actions)
        agents = list(self.agents)
        rewards = dict.fromkeys(agents, 0.0)
        for agent, action in chosen.items():
            player = self.possible_agents.index(agent)
            text, reward, _, _, info = self.envs[player].step(action)
            self._texts[player], self._infos[player] = text, info
            rewards[agent] = reward
        ended = {agent: self._outcome(agent) for agent in agents}
        if self.reward == RANK:
            rewards = dict.fromkeys(agents, 0.0)
            if all(ended.values()):
                for agent in agents:
                    player = self.possible_agents.index(agent)
                    rewards[agent] = self.rank_of(player)
            else:
                ended = dict.fromkeys(agents)
        terminated = {a: ended[a] not in (None, "turn_limit") for a in agents}
        truncated = {a: ended[a] == "turn_limit" for a in agents}
        self.agents = [agent for agent in agents if ended[agent] is None]
        return self._seen(agents), rewards, terminated, truncated, self._told(agents)

    def _outcome(self, agent: str) -> str | None:
        return self.envs[self.possible_agents.index(agent)].moment.outcome

    def _checked(self, actions: Mapping[str, Any]) -> dict[str, int]:
        """The actions of those who play, none of them executed yet."""
        for agent in actions:
            if agent not in self.possible_agents:
                raise IllegalAction(
                    f"there is no player {agent!r} (there are "
                    f"{', '.join(self.possible_agents)})"
                )
            if agent not in self.agents:
                raise IllegalAction(
                    f"{agent} cannot act: his game has ended ({self._outcome(agent)})"
                )
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise IllegalAction(f"all move at once: {', '.join(missing)} did not act")
        chosen = {}
        rows = self.views[0].rows
        for agent in self.agents:
            number = action_index(agent, actions[agent], rows)
            if self._outcome(agent) is None:
                chosen[agent] = number
                self._check_legal(agent, number)
            elif number != self.pass_index:
                raise IllegalAction(
                    f"{agent} cannot act: his game has ended "
                    f"({self._outcome(agent)}); until the others have he can only "
                    f"pass ({self.pass_index})"
                )
        return chosen

    def _check_legal(self, agent: str, number: int) -> None:
        if number == self.pass_index:
            raise IllegalAction(f"{agent} cannot pass: his game goes on")
        if self.on_illegal == "penalise":
            return
        env = self.envs[self.possible_agents.index(agent)]
        action = self.tower.actions[number]
        _, played = advance(env.tower, env.moment, action, env.settings)
        if played[0].action is None:
            raise IllegalAction(f"{agent}: {played[0].reason}")

    # -- what is seen ----------------------------------------------------------------

    def _others(self, player: int) -> list[Other]:
        """The other players, in the order of their seats after this one."""
        count = len(self.envs)
        order = [(player + step) % count for step in range(1, count)]
        return [self._other(number) for number in order]

    def _other(self, number: int) -> Other:
        moment = self.envs[number].moment
        done = self._infos[number].get("executed", ())
        return Other(
            player=name(number),
            state=moment.state,
            turn=moment.turn,
            score=self.score_of(number),
            ended=moment.outcome,
            shares_world=False,
            executed=tuple(turn["text"] or "nothing" for turn in done),
        )

    def _seen(self, agents: list[str]) -> dict[str, Any]:
        return {agent: self._observation(agent) for agent in agents}

    def _observation(self, agent: str) -> dict[str, Any]:
        player = self.possible_agents.index(agent)
        moment = self.envs[player].moment
        others = self._others(player)
        numbers = self.views[player].numbers(
            moment.state,
            moment.turn,
            self.score_of(player),
            moment.outcome is not None,
            others,
        )
        return {
            "observation": numbers,
            "action_mask": self._mask(player),
            "text": self._text(player, others),
        }

    def _text(self, player: int, others: list[Other]) -> str:
        heading = []
        if others:
            heading.append(
                f"Race: you are {name(player)}. Each has a copy of the floor; the "
                "highest goal score wins."
            )
        return self.views[player].around(self._texts[player], others, heading)

    def _mask(self, player: int) -> Any:
        waits = (
            self.reward == RANK
            and self.envs[player].moment.outcome is not None
            and any(env.moment.outcome is None for env in self.envs)
        )
        return self.views[player].mask(
            self._infos[player]["action_mask"], may_pass=waits
        )

    def _told(self, agents: list[str]) -> dict[str, Any]:
        """The infos: the single environment's, and the others' heroes."""
        full = self.configs[0].info_level == "full"
        found = {}
        for agent in agents:
            player = self.possible_agents.index(agent)
            info = {**self._infos[player], "action_mask": self._mask(player)}
            if full:
                others = self._others(player)
                info["others"] = tuple(other.info(self.tower) for other in others)
            found[agent] = info
        return found

    # -- pictures --------------------------------------------------------------------

    def render(self) -> Any:
        """The game in the mode of `render_mode`: a text, an RGB array, a window."""
        from mt_gym.envs.scene import picture
        from mt_gym.versus.picture import tiled

        players = range(len(self.envs))
        return self._screen.render(
            lambda: "\n\n".join(self._text(p, self._others(p)) for p in players),
            lambda: tiled([picture(self.tower, env.moment) for env in self.envs]),
        )

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        self._screen.close()


def parallel_env(tower: str | Path, players: int = 2, **keywords: Any) -> RaceEnv:
    """A race on a floor; the keywords are those of `RaceEnv`.

    >>> from mt_gym.versus import race
    >>> game = race.parallel_env("simple", players=3)
    >>> observations, infos = game.reset(seed=0)
    >>> game.agents
    ['player_0', 'player_1', 'player_2']
    """
    return RaceEnv(tower, players, **keywords)


__all__ = ["MAX_PLAYERS", "PASS", "REWARDS", "RaceEnv", "parallel_env"]
