"""The Gymnasium environment: it holds a moment of an episode and calls the rooms.

Transitions, assists and overrides are those of `mt_gym.play`; texts and arrays those
of `mt_gym.observation`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from mt_gym.analysis.listing import Entry
from mt_gym.engine.board import BUY, SELL, Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.envs.info import action_infos, executed_info
from mt_gym.envs.keywords import (
    KEYWORDS,
    RENDER_MODES,
    configure,
    named_tower,
    one_of,
    refuse_unknown,
    render_modes,
    state_option,
)
from mt_gym.envs.own_map import OwnMap
from mt_gym.envs.rewards import ILLEGAL, REWARDS, ReferenceHP, reference_hp
from mt_gym.envs.view import TextView, view_of
from mt_gym.errors import IllegalAction, MtGymError
from mt_gym.play.choices import choices
from mt_gym.play.episode import Moment, Played, Turns, advance, begin, known_turns
from mt_gym.play.masks import action_mask, row_table
from mt_gym.play.record import Executed
from mt_gym.play.settings import PlaySettings

RECENT: Final = 6
"""Turns that the text recalls."""


class MagicTowerEnv(OwnMap, gym.Env[Any, int]):
    """One hero on one tower.

    Args:
        tower: a shipped map's name, or the path of a map file.
        shipped: the map of an id that stands for one map, in place of `tower`.
        observation: `annotated`, `bare`, `features`; on several floors
            `tower-final`, `tower-2`, `tower-1` in place of `annotated`.
        annotations: names or groups; None for all.
        lookahead_depth: gateways on a path of the lookahead; `rule4_share`: share of
            HP as [numerator, denominator]; `max_turns`: turns until truncation; None
            for what the map says.
        assists: True, False, or a list out of `play.settings.ASSISTS`; None for the
            observation's default.
        overrides: a list out of `play.settings.OVERRIDES`; None likewise.
        reward: `goal_score`, `hp_difference`, `sparse`.
        on_illegal: `penalise` (one turn, reward -0.01, nothing happens) or `raise`.
        info_level: `full`, or `mask` for the mask, the turn and the outcome alone.
        num_actions: size of the action space, to pad it.
        render_mode: None, `ansi`, `rgb_array`, `human`.

    Raises:
        MtGymError: an unknown keyword or value, with those allowed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        *,
        tower: str | None = None,
        shipped: str | None = None,
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        allowed = KEYWORDS if shipped is None else KEYWORDS[1:]
        refuse_unknown((k for k in keywords if k not in allowed), allowed)
        self._begin(named_tower(tower, shipped), keywords, render_mode)

    def _begin(
        self, tower: Tower, keywords: dict[str, Any], render_mode: str | None
    ) -> None:
        """Check what is left of the keywords and take the first tower."""
        self._keywords = keywords
        self._take(tower)
        self.observation_space = self._view.space
        self.action_space = spaces.Discrete(self.config.rows)  # type: ignore[assignment]
        self.reward = REWARDS[self.config.reward]
        modes = render_modes()
        self.metadata = {**self.metadata, "render_modes": list(modes)}
        if render_mode == "human" and "human" not in modes:
            raise MtGymError(
                "render_mode='human' needs pygame: pip install 'mt-gym[render]'"
            )
        if render_mode is not None:
            one_of("render_mode", render_mode, modes)
        self.render_mode = render_mode
        self._window: Any = None

    def _take(self, tower: Tower) -> None:
        """Make everything that belongs to one tower."""
        self._tower = tower
        self.config = configure(tower, **self._keywords)
        self.settings: PlaySettings = self.config.settings
        self._table = row_table(tower, self.config.rows)
        self._view: TextView = view_of(tower, self.config)
        self._known = known_turns(tower, self.settings)
        self._moment: Moment | None = None
        self._history: list[Played] = []
        self._listed: tuple[Entry, ...] | None = None
        self._entry_hp: int | None = None
        self._used_shops = 0

    # -- what can be asked -----------------------------------------------------------

    @property
    def tower(self) -> Tower:
        """The tower that is played."""
        return self._tower

    @property
    def moment(self) -> Moment:
        """State, completed turns and outcome; `ResetNeeded` before the first reset."""
        if self._moment is None:
            raise ResetNeeded("reset() the environment before it is asked or stepped")
        return self._moment

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.moment.state

    @property
    def turn(self) -> int:
        """Completed turns."""
        return self.moment.turn

    @property
    def history(self) -> tuple[Executed, ...]:
        """Every turn since the reset."""
        return tuple(t.executed(n) for n, t in enumerate(self._history, 1))

    @property
    def reference_hp(self) -> ReferenceHP:
        """The HP that the goal score divides by, and what it is."""
        return reference_hp(self._tower)

    def action_masks(self) -> NDArray[np.bool_]:
        """True for every index that is executed if it is chosen; fresh."""
        moment = self.moment
        ended = moment.outcome is not None
        mask = action_mask(self._table, moment.state, self.settings, ended)
        return mask.astype(np.bool_)

    @property
    def listed(self) -> tuple[Entry, ...]:
        """The numbered list of this moment; () after the end."""
        if self._listed is None:
            moment = self.moment
            self._listed = ()
            if moment.outcome is None:
                self._listed = choices(self._tower, moment.state, self.settings)
        return self._listed

    @property
    def played(self) -> Sequence[Played]:
        """Every turn since the reset, with the states around it."""
        return self._history

    @property
    def recent(self) -> tuple[Executed, ...]:
        """The last turns, for the text."""
        history = self._history[-RECENT:]
        first = len(self._history) - len(history) + 1
        return tuple(turn.executed(n) for n, turn in enumerate(history, first))

    @property
    def entry_hp(self) -> int | None:
        """HP of which the text tells the hero's share; None for those at the start.

        On several floors those with which the newest floor was entered.
        """
        return self._entry_hp

    @property
    def used_shops(self) -> int:
        """Mask of the shops at which something has been bought or sold."""
        return self._used_shops

    # -- for wrappers --------------------------------------------------------------

    def text_space(self, view: TextView) -> spaces.Space[Any]:
        """The space of a view's texts, whatever tower an episode is played on."""
        return view.space

    def take_next(self, seed: int | None) -> None:
        """Take the tower of the coming reset, for who wants to begin it in a state.

        Here it is always the same one.
        """

    # -- episodes ------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, at the map's start or in `options={"state": state}`.

        Raises:
            MtGymError: an unknown option, or a state that has ended.
            StateMismatch: a state of another tower.
        """
        super().reset(seed=seed)
        state = state_option(options)
        if state is None:
            state = self._tower.initial_state()
        self._moment, played = begin(self._tower, state, self.settings)
        self._history = list(played)
        self._used_shops = 0
        self._entry_hp = state.hero.hp if len(self._tower.floors) > 1 else None
        return self._answer(played)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Execute a choice, and every turn until the policy has a real choice again.

        Raises:
            ResetNeeded: the episode has ended, or none has begun.
            IllegalAction: no action index; with `on_illegal="raise"` also one that
                is not legal now.
        """
        before = self.moment
        if before.outcome is not None:
            raise ResetNeeded(
                f"the episode has ended ({before.outcome}): reset() the environment"
            )
        chosen = self._action(action)
        after, played = advance(self._tower, before, chosen, self.settings, self._known)
        if played[0].action is None and self.config.on_illegal == "raise":
            raise IllegalAction(played[0].reason)
        self._moment = after
        self._history += played
        reward = self._reward_of(played, after.outcome)
        observation, info = self._answer(played)
        truncated = after.outcome == "turn_limit"
        ended = after.outcome is not None and not truncated
        return observation, reward, ended, truncated, info

    def _action(self, index: Any) -> Action | None:
        """The action of an index; None for one that only pads the space."""
        try:
            number = operator.index(index)
        except TypeError:
            number = -1
        if not 0 <= number < self.config.rows:
            raise IllegalAction(
                f"{index!r} is no action index: an integer from 0 to "
                f"{self.config.rows - 1} is expected"
            )
        actions = self._tower.actions
        return actions[number] if number < len(actions) else None

    def _reward_of(self, played: Turns, outcome: str | None) -> float:
        """The sum over the turns; only the last one has an outcome."""
        total = 0.0
        tower, reward = self._tower, self.reward
        for action, _, _, _, before, after in played[:-1]:
            total += reward(tower, before, action, after, None)
        action, _, _, _, before, after = played[-1]
        total += reward(tower, before, action, after, outcome)
        if played[0].action is None:
            total += ILLEGAL
        return total

    def _note_floors(self, played: Turns) -> None:
        """Keep the HP with which the newest floor was entered, and the shops used."""
        for turn in played:
            if turn.action is not None and turn.action.code in (BUY, SELL):
                self._used_shops |= 1 << turn.action.object
            before, after = turn.before.world.visited, turn.after.world.visited
            if after.bit_length() > before.bit_length():
                self._entry_hp = turn.after.hero.hp

    def _answer(self, played: Turns) -> tuple[Any, dict[str, Any]]:
        """Observation and info of the present moment, both fresh."""
        self._listed = None
        if self._entry_hp is not None:
            self._note_floors(played)
        moment = self.moment
        observation, mask = self._view.observe(self)
        if mask is None:
            ended = moment.outcome is not None
            mask = action_mask(self._table, moment.state, self.settings, ended)
        info: dict[str, Any] = {"action_mask": mask}
        if self.config.info_level == "full":
            tags = self._view.tags(self)
            info["actions"] = action_infos(self._tower, moment.state, self.listed, tags)
            info["turn"] = moment.turn
            first = moment.turn - len(played) + 1
            info["executed"] = tuple(
                executed_info(turn.executed(n)) for n, turn in enumerate(played, first)
            )
        else:
            info["turn"] = moment.turn
        if moment.outcome is not None:
            info["outcome"] = moment.outcome
        return observation, info

    # -- pictures --------------------------------------------------------------------

    def render(self) -> Any:
        """The moment in the mode of `render_mode`: a text, an RGB array, a window."""
        if self.render_mode is None:
            gym.logger.warn(
                "render() needs a render_mode: gym.make(id, render_mode='ansi')"
            )
            return None
        if self.render_mode == "ansi":
            return self._view.text(self)
        from mt_gym.envs.scene import Window, picture

        image = picture(self._tower, self.moment)
        if self.render_mode == "rgb_array":
            return image
        if self._window is None:
            self._window = Window(self._tower.name, self.metadata["render_fps"])
        self._window.show(image)
        return None

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None, "_known": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._known = known_turns(self._tower, self.settings)

    def __str__(self) -> str:
        return f"<MagicTowerEnv {self._tower.name!r}, {self.config.observation}>"


__all__ = ["KEYWORDS", "MagicTowerEnv"]
