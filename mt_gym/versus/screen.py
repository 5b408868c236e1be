"""Shows a game in one of the render modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import gymnasium as gym

from mt_gym.envs.drawing import Image
from mt_gym.envs.keywords import one_of, render_modes
from mt_gym.errors import MtGymError

RENDER_FPS: Final = 4


class Screen:
    """Where a game is rendered.

    Args:
        render_mode: None, `ansi`, `rgb_array`, `human`.
        title: of the window.

    Attributes:
        modes: those of this installation.

    Raises:
        MtGymError: an unknown mode, or `human` without pygame.
    """

    def __init__(self, render_mode: str | None, title: str) -> None:
        self.modes = render_modes()
        if render_mode == "human" and "human" not in self.modes:
            raise MtGymError(
                "render_mode='human' needs pygame: pip install 'mt-gym[render]'"
            )
        if render_mode is not None:
            one_of("render_mode", render_mode, self.modes)
        self.mode = render_mode
        self._title = title
        self._window: Any = None

    def render(self, text: Callable[[], str], image: Callable[[], Image]) -> Any:
        """A text, an RGB array, or None after a window has shown the array."""
        if self.mode is None:
            gym.logger.warn("render() needs a render_mode, such as 'ansi'")
            return None
        if self.mode == "ansi":
            return text()
        found = image()
        if self.mode == "rgb_array":
            return found
        if self._window is None:
            from mt_gym.envs.scene import Window

            self._window = Window(self._title, RENDER_FPS)
        self._window.show(found)
        return None

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        if self._window is not None:
            self._window.close()
            self._window = None
