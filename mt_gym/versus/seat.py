"""A player's side of a duel as policies know it: an environment that they look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from mt_gym.analysis.listing import Entry
from mt_gym.engine.board import BUY, SELL
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.env import RECENT
from mt_gym.envs.keywords import Config
from mt_gym.envs.rewards import ReferenceHP, reference_hp
from mt_gym.errors import MtGymError
from mt_gym.play.choices import choices
from mt_gym.play.episode import Moment, Played
from mt_gym.play.record import Executed
from mt_gym.play.settings import PlaySettings

if TYPE_CHECKING:
    from mt_gym.versus.duel import DuelEnv


class Seat(gym.Env[Any, int]):
    """One hero's view of a duel that others step.

    It has what policies read of a single environment (`tower`, `state`, `settings`,
    `action_masks`, ...).  In his own turn the state is that after the assists
    before his action.
    """

    def __init__(self, duel: DuelEnv, player: int) -> None:
        self._duel, self._player = duel, player
        self.observation_space = duel.views[player].text_view.space
        self.action_space = duel.action_space(duel.possible_agents[player])
        self.played: list[Played] = []
        self.entry_hp: int | None = None
        self.used_shops = 0
        self._listed: tuple[Entry, ...] | None = None

    def begin(self, state: State) -> None:
        """Forget the game before."""
        self.played = []
        self.used_shops = 0
        self.entry_hp = state.hero.hp if len(self.tower.floors) > 1 else None
        self.refresh()

    def note(self, turns: tuple[Played, ...]) -> None:
        """Remember the turns of the own hero."""
        self.played += turns
        if self.entry_hp is None:
            return
        for turn in turns:
            if turn.action is not None and turn.action.code in (BUY, SELL):
                self.used_shops |= 1 << turn.action.object
            before, after = turn.before.world.visited, turn.after.world.visited
            if after.bit_length() > before.bit_length():
                self.entry_hp = turn.after.hero.hp

    def refresh(self) -> None:
        """Look again: the duel has gone on."""
        self._listed = None

    @property
    def tower(self) -> Tower:
        """The tower that is played."""
        return self._duel.tower

    @property
    def config(self) -> Config:
        """The game's keywords, with the player's own observation."""
        return self._duel.configs[self._player]

    @property
    def settings(self) -> PlaySettings:
        """Assists, overrides and limits."""
        return self.config.settings

    @property
    def moment(self) -> Moment:
        """State, completed turns, and how the duel ended for this player."""
        return self._duel.moment_of(self._player)

    @property
    def state(self) -> State:
        """The world with the own hero."""
        return self.moment.state

    @property
    def turn(self) -> int:
        """Completed turns of the own hero."""
        return self.moment.turn

    @property
    def listed(self) -> tuple[Entry, ...]:
        """The numbered list without `pass`; () in the other's turn."""
        if self._listed is None:
            self._listed = ()
            if self._duel.is_to_move(self._player):
                self._listed = choices(self.tower, self.state, self.settings)
        return self._listed

    @property
    def recent(self) -> tuple[Executed, ...]:
        """The last own turns, for the text."""
        turns = [*self.played, *self._duel.assisted(self._player)]
        first = max(0, len(turns) - RECENT)
        return tuple(t.executed(n) for n, t in enumerate(turns[first:], first + 1))

    @property
    def reference_hp(self) -> ReferenceHP:
        """The HP that the goal score divides by."""
        return reference_hp(self.tower)

    def action_masks(self) -> NDArray[np.bool_]:
        """True for every index that may be chosen, `pass` included."""
        return self._duel.mask_of(self._player).astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Refused: a duel is begun by its environment."""
        raise MtGymError("a seat is looked at; reset and step the duel itself")

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Refused: a duel is stepped by its environment."""
        raise MtGymError("a seat is looked at; reset and step the duel itself")
