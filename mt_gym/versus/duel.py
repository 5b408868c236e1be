"""The duel as a PettingZoo environment (AEC): two heroes on one floor, in turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from gymnasium import spaces
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from mt_gym.engine.load import load
from mt_gym.engine.tower import Tower
from mt_gym.envs.info import ActionInfo, action_infos, executed_info
from mt_gym.envs.keywords import one_of
from mt_gym.errors import IllegalAction
from mt_gym.observation.text import REQUEST
from mt_gym.play.episode import Moment, Played, Turns, known_turns
from mt_gym.play.masks import Mask, action_mask
from mt_gym.versus.keywords import SHARED, action_index, duel_configs
from mt_gym.versus.rules import (
    PASS,
    Duel,
    Result,
    act,
    begin_duel,
    moved,
    name,
    ready,
    score,
    told,
)
from mt_gym.versus.screen import RENDER_FPS, Screen
from mt_gym.versus.seat import Seat
from mt_gym.versus.view import Other, SeatView, pass_line, place_of

REWARDS: Final = ("outcome", "goal_score")
"""What a duel pays at its end: 1, 0 or -1; or each hero's goal score."""

KEYWORDS: Final = ("tower", *SHARED, "reward", "render_mode")


class DuelEnv(AECEnv):  # type: ignore[misc]
    """Two heroes on one floor.

    Args:
        tower: a shipped map's name, or the path of a map file.
        reward: one of `REWARDS`.
        render_mode: None, `ansi`, `rgb_array`, `human`.
        keywords: those of `versus.keywords.SHARED`, as in the single environment;
            `observation` may be a list, one name a player, and None for `assists`
            means all that a duel has.

    Attributes:
        tower, settings: what is played, and by which assists, overrides and limits.
        configs: the checked keywords, one set a player.
        views: make the observations; `views[0].sections` says where what lies.
        duel: the state of the game (`versus.rules`).
        seats: per player, what a policy may look at.
        texts: False to leave `"text"` empty, for those who read only arrays.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """

    def __init__(
        self,
        tower: str | Path,
        *,
        reward: str = "outcome",
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__()
        self.tower: Tower = load(tower)
        self.configs = duel_configs(self.tower, keywords)
        self.settings = self.configs[0].settings
        self.reward = one_of("reward", reward, REWARDS)
        self._screen = Screen(render_mode, self.tower.name)
        self.metadata = {
            "name": "magic_tower_duel_v0",
            "render_modes": list(self._screen.modes),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.texts = True
        self.possible_agents = [name(0), name(1)]
        self.agents: list[str] = []
        self.views = tuple(
            SeatView(self.tower, config, 1, shares_world=True, passes=True)
            for config in self.configs
        )
        self._spaces = {
            agent: (view.space, spaces.Discrete(view.rows))
            for agent, view in zip(self.possible_agents, self.views, strict=True)
        }
        self.seats = (Seat(self, 0), Seat(self, 1))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Dict of `observation`, `action_mask` and `text`; one object per player."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The tower's action indices, and above them `pass`."""
        return self._spaces[agent][1]

    @property
    def pass_index(self) -> int:
        """The index of `pass`."""
        return len(self.tower.actions)

    # -- what can be asked -----------------------------------------------------------

    def is_to_move(self, player: int) -> bool:
        """Whether it is a player's turn."""
        return self.duel.result is None and self.duel.mover == player

    def moment_of(self, player: int) -> Moment:
        """A player's moment; in his turn that after the assists before his action."""
        if self.is_to_move(player):
            return self._ready[0]
        side, result = self.duel.sides[player], self.duel.result
        ended = None if result is None else outcome_of(result, player)
        return Moment(self.duel.state(player), side.turn, ended, side.memory)

    def assisted(self, player: int) -> Turns:
        """The assisted turns before a player's action, if it is his turn."""
        return self._ready[1] if self.is_to_move(player) else ()

    def mask_of(self, player: int) -> Mask:
        """A player's action mask: all zero unless it is his turn; fresh."""
        if not self.is_to_move(player):
            return self.views[player].mask(None, may_pass=False)
        state = self.moment_of(player).state
        own = action_mask(self.views[player].table.table, state, self.settings)
        return self.views[player].mask(own, may_pass=True)

    def observe(self, agent: str) -> dict[str, Any]:
        """A player's observation, whoever is to move; fresh."""
        player = self._number(agent)
        moment = self.moment_of(player)
        other = self._other(player)
        flags = (self.is_to_move(player), self.duel.passed)
        numbers = self.views[player].numbers(
            moment.state,
            moment.turn,
            score(self.tower, self._shown(player), player),
            not self.is_to_move(player),
            [other],
            flags,
        )
        return {
            "observation": numbers,
            "action_mask": self.mask_of(player),
            "text": self._text(player, other) if self.texts else "",
        }

    def _number(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise IllegalAction(
                f"there is no player {agent!r} (there are "
                f"{', '.join(self.possible_agents)})"
            )
        return self.possible_agents.index(agent)

    def _shown(self, player: int) -> Duel:
        """The duel as a player finds it: in his turn, after his first assists."""
        return self._after_assists if self.is_to_move(player) else self.duel

    def _other(self, player: int) -> Other:
        number = 1 - player
        duel, result = self._shown(player), self.duel.result
        return Other(
            player=name(number),
            state=duel.state(number),
            turn=duel.sides[number].turn,
            score=score(self.tower, duel, number),
            ended=None if result is None else outcome_of(result, number),
            shares_world=True,
            executed=self._last[number],
        )

    def _text(self, player: int, other: Other) -> str:
        duel = self.duel
        seat = self.seats[player]
        own = score(self.tower, self._shown(player), player)
        heading = [
            f"Duel: you are {name(player)}. What one takes, opens or defeats is gone "
            f"for the other. Your goal score so far {own:.3f}"
        ]
        after = []
        if duel.result is not None:
            heading.append(f"The duel is over: {told(duel.result)}.")
        elif duel.mover != player:
            heading.append(f"It is {other.player}'s turn.")
        else:
            after = [pass_line(len(seat.listed) + 1, other.player, duel.passed)]
        text = self.views[player].text_view.text(seat)
        if not after:
            text = text.removesuffix(REQUEST).rstrip("\n")
        return self.views[player].around(text, [other], heading, after)

    # -- games ---------------------------------------------------------------------

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Begin a game at the map's start; nothing is random, `options` are ignored."""
        self.agents = list(self.possible_agents)
        self.duel = begin_duel(self.tower)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._last: list[tuple[str, ...]] = [(), ()]
        self._done: list[Turns] = [(), ()]
        for player, seat in enumerate(self.seats):
            seat.begin(self.duel.state(player))
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._look()

    def step(self, action: int | None) -> None:
        """The turn of `agent_selection`; None alone, once the duel is over.

        Raises:
            IllegalAction: no index, or one that the mask forbids; nothing happens.
            ValueError: an action after the end.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = self._number(agent)
        number = action_index(agent, action, self.pass_index + 1)
        chosen = None if number == self.pass_index else self.tower.actions[number]
        known = known_turns(self.tower, self.settings)
        settings = self.settings
        acted = act(self.tower, self.duel, player, chosen, settings, known)
        before = len(self._ready[1]) if acted.played else 0
        self.duel = acted.duel
        self._last[player] = tuple(_words(turn) for turn in acted.played) or (PASS,)
        self._done[player] = acted.played[before:]
        self.seats[player].note(acted.played)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.agent_selection = self.possible_agents[self.duel.mover]
        if self.duel.result is not None:
            self._end(self.duel.result)
        self._accumulate_rewards()
        self._look()

    def _end(self, result: Result) -> None:
        cut = result.reason == "turn_limit"
        for player, agent in enumerate(self.possible_agents):
            self.terminations[agent] = not cut
            self.truncations[agent] = cut
            self.rewards[agent] = self._paid(result, player)

    def _paid(self, result: Result, player: int) -> float:
        if self.reward == "goal_score":
            return score(self.tower, self.duel, player)
        if result.winner is None:
            return 0.0
        return 1.0 if result.winner == player else -1.0

    def _look(self) -> None:
        """What the next mover finds, and the infos of both; all fresh."""
        self._ready: tuple[Moment, Turns] = (
            Moment(self.duel.state(0), 0, None, frozenset()),
            (),
        )
        self._after_assists = self.duel
        if self.duel.result is None:
            self._ready = ready(self.tower, self.duel, self.settings)
            self._after_assists = moved(self.tower, self.duel, self._ready[0])
        for seat in self.seats:
            seat.refresh()
        self.infos = {agent: self._info(agent) for agent in self.agents}

    def _info(self, agent: str) -> dict[str, Any]:
        player = self._number(agent)
        moment = self.moment_of(player)
        info: dict[str, Any] = {"action_mask": self.mask_of(player)}
        if self.configs[0].info_level == "full":
            info["actions"] = self._actions(player)
            info["turn"] = moment.turn
            turns = (*self._done[player], *self.assisted(player))
            first = moment.turn - len(turns) + 1
            info["executed"] = tuple(
                executed_info(turn.executed(n)) for n, turn in enumerate(turns, first)
            )
            info["others"] = (self._other(player).info(self.tower),)
        else:
            info["turn"] = moment.turn
        if self.duel.result is not None:
            info["outcome"] = outcome_of(self.duel.result, player)
            info["result"] = told(self.duel.result)
        return info

    def _actions(self, player: int) -> tuple[ActionInfo, ...]:
        """The numbered list with `pass` at its end; () in the other's turn."""
        if not self.is_to_move(player):
            return ()
        seat = self.seats[player]
        state = self.moment_of(player).state
        tags = self.views[player].text_view.tags(seat)
        found = action_infos(self.tower, state, seat.listed, tags)
        floor, _ = place_of(self.tower, state.hero)
        own: ActionInfo = {
            "number": len(found) + 1,
            "action": self.pass_index,
            "text": PASS,
            "verb": PASS,
            "name": None,
            "floor": floor,
            "position": None,
            "enabled": True,
            "damage": None,
            "hp_after": None,
            "tags": (),
        }
        return (*found, own)

    # -- pictures --------------------------------------------------------------------

    def render(self) -> Any:
        """The game in the mode of `render_mode`: a text, an RGB array, a window."""
        from mt_gym.versus.picture import duel_picture

        mover = self.duel.mover
        return self._screen.render(
            lambda: self._text(mover, self._other(mover)),
            lambda: duel_picture(self.tower, self.duel),
        )

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        self._screen.close()


def _words(turn: Played) -> str:
    """An executed turn as the other player is told."""
    assert turn.action is not None
    return turn.action.text


def outcome_of(result: Result, player: int) -> str:
    """How a duel ended for a player: `won`, `lost` or `draw`."""
    if result.winner is None:
        return "draw"
    return "won" if result.winner == player else "lost"


def raw_env(tower: str | Path, **keywords: Any) -> DuelEnv:
    """A duel without PettingZoo's check of the order of calls."""
    return DuelEnv(tower, **keywords)


def env(tower: str | Path, **keywords: Any) -> Any:
    """A duel on a floor; the keywords are those of `DuelEnv`.

    >>> from mt_gym.versus import duel
    >>> game = duel.env("simple")
    >>> game.reset(seed=0)
    >>> game.agent_selection
    'player_0'
    """
    return OrderEnforcingWrapper(DuelEnv(tower, **keywords))
