"""What an environment shows: a text or arrays, and the tags of its choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from mt_gym.analysis.listing import Entry
from mt_gym.engine.tower import Tower
from mt_gym.envs.keywords import Config
from mt_gym.envs.spaces import TextSpace
from mt_gym.errors import MtGymError
from mt_gym.observation import max_length, render, tags
from mt_gym.observation.annotations import shown_in
from mt_gym.observation.columns import Column
from mt_gym.observation.features import (
    HERO_COLUMNS,
    NO_ANNOTATIONS,
    Features,
    FeatureTable,
    feature_columns,
    feature_table,
)
from mt_gym.play.episode import Moment
from mt_gym.play.masks import Mask
from mt_gym.play.record import Executed


class Decision(Protocol):
    """A moment of an episode with what has to be shown of it."""

    @property
    def moment(self) -> Moment:
        """State, completed turns, outcome."""
        ...

    @property
    def listed(self) -> tuple[Entry, ...]:
        """The numbered list."""
        ...

    @property
    def recent(self) -> tuple[Executed, ...]:
        """The last turns, oldest first."""
        ...

    @property
    def entry_hp(self) -> int | None:
        """HP of which the hero's share is told; None for those he starts with."""
        ...

    @property
    def used_shops(self) -> int:
        """Mask of the shops at which something has been bought or sold."""
        ...


class TextView:
    """The numbered list as text, annotated or bare.

    Attributes:
        space: of what `observe` returns.
    """

    space: spaces.Space[Any]

    def __init__(self, tower: Tower, config: Config) -> None:
        self.tower = tower
        self.options = config.settings.options
        self.kind = config.observation
        if self.kind == "features":
            self.kind = "tower-final" if len(tower.floors) > 1 else "annotated"
        self.annotations = shown_in(self.kind, config.annotations)
        self.space = self._make_space(config)

    def _make_space(self, config: Config) -> spaces.Space[Any]:
        kind, shown = self.kind, self.annotations
        return TextSpace(max_length(self.tower, kind, shown, self.options))

    def refuse_beyond(self, space: TextSpace) -> None:
        """Raise `MtGymError` if a text of this tower may not fit a space of texts."""
        own = self.space
        if isinstance(own, TextSpace) and own.max_length > space.max_length:
            raise MtGymError(
                f"texts of {self.tower.name!r} may need {own.max_length} characters, "
                f"the space of its size holds {space.max_length}"
            )

    def observe(self, scene: Decision) -> tuple[Any, Mask | None]:
        """The observation, with its action mask if it holds one anyway."""
        return self.text(scene), None

    def text(self, scene: Decision) -> str:
        """What a policy reads at a decision."""
        moment = scene.moment
        return render(
            self.tower,
            moment.state,
            options=self.options,
            kind=self.kind,
            annotations=self.annotations,
            turn=moment.turn,
            recent=scene.recent,
            entries=scene.listed,
            entry_hp=scene.entry_hp,
            used=scene.used_shops,
        )

    def tags(self, scene: Decision) -> tuple[tuple[str, ...], ...]:
        """The tags of each listed action, as the text prints them."""
        return tags(
            self.tower,
            scene.moment.state,
            options=self.options,
            kind=self.kind,
            annotations=self.annotations,
            entries=scene.listed,
            used=scene.used_shops,
        )


class FeaturesView(TextView):
    """Arrays for networks."""

    def __init__(self, tower: Tower, config: Config) -> None:
        super().__init__(tower, config)
        shown = config.annotations
        self.table = feature_table(tower, config.rows, shown, self.options)

    def _make_space(self, config: Config) -> spaces.Space[Any]:
        return features_space(config.rows, config.annotations)

    def observe(self, scene: Decision) -> tuple[Any, Mask | None]:
        """The arrays; the mask is a copy of theirs."""
        found = features_of(self.table, scene.moment, self.options.max_turns)
        return found, found["action_mask"].copy()


def features_of(table: FeatureTable, moment: Moment, max_turns: int) -> Features:
    """The arrays of a moment; all of them fresh."""
    ended = moment.outcome is not None
    return table.features(moment.state, moment.turn / max_turns, ended)


def features_space(
    rows: int, annotations: frozenset[str] = NO_ANNOTATIONS
) -> spaces.Dict:
    """The space of `features` with a number of action rows."""
    low, high = _bounds(feature_columns(annotations))
    return spaces.Dict(
        {
            "hero": spaces.Box(*_bounds(HERO_COLUMNS), dtype=np.float32),
            "objects": spaces.Box(
                np.tile(low, (rows, 1)), np.tile(high, (rows, 1)), dtype=np.float32
            ),
            "action_mask": spaces.Box(0, 1, (rows,), dtype=np.int8),
        }
    )


def _bounds(columns: Sequence[Column]) -> tuple[Any, Any]:
    low = np.array([column.low for column in columns], np.float32)
    high = np.array([column.high for column in columns], np.float32)
    return low, high


def view_of(tower: Tower, config: Config) -> TextView:
    """The view that an environment's keywords ask for."""
    if config.observation == "features":
        return FeaturesView(tower, config)
    return TextView(tower, config)
