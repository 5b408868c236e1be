"""The texts that models read: system prompts and what requests add, as data files.

General prompts hold no knowledge of any map (`validator` proves it); `route` is
compiled knowledge and is labelled so.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from mt_gym.engine.kinds import Ratio
from mt_gym.engine.tower import Tower
from mt_gym.errors import PolicyError
from mt_gym.observation.names import action_name

GENERAL: Final = ("floor", "tower", "bare")
"""Shipped system prompts without knowledge of a map."""

COMPILED: Final = ("route",)
"""Shipped system prompts that carry a map's solution: results are reported apart."""

AUTO: Final = "auto"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt.

    Attributes:
        name: a shipped name, or the path of a file.
        text: as written, with the placeholder `$route` where it is compiled.
        compiled: whether it holds knowledge of a map.
    """

    name: str
    text: str
    compiled: bool

    @property
    def digest(self) -> str:
        """Hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def load_prompt(name: str) -> Prompt:
    """A system prompt by its shipped name or the path of a text file.

    Raises:
        PolicyError: neither.
    """
    if name in GENERAL or name in COMPILED:
        return Prompt(name, _read(f"{name}.md"), name in COMPILED)
    path = Path(name)
    if not path.is_file():
        shipped = ", ".join((*GENERAL, *COMPILED))
        raise PolicyError(
            f"there is no prompt {name!r}: {shipped}, {AUTO}, or a text file's path"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"the prompt {name!r} cannot be read: {error}") from error
    return Prompt(name, text, "$route" in text)


def system_text(prompt: Prompt, tower: Tower, share: Ratio | None = None) -> str:
    """A system prompt as it is sent for a tower, without its static map.

    Args:
        prompt: with the placeholders `$route` and `$share` where it has them.
        tower: whose route is meant.
        share: share of HP that rule 4 allows; None for the tower's own.

    Raises:
        PolicyError: a route is asked for and the map's certificate has none.
    """
    num, den = share or tower.data.settings.rule4_share
    values = {"share": str(100 * num // den)}
    if prompt.compiled:
        values["route"] = route_text(tower)
    return Template(prompt.text).safe_substitute(values).strip()


def route_text(tower: Tower) -> str:
    """The route of a map's certificate as numbered steps, without what is automatic.

    Raises:
        PolicyError: there is no route.
    """
    certificate = tower.certificate
    if certificate is None or not certificate.route:
        raise PolicyError(
            f"the prompt 'route' needs a route, and the map {tower.name!r} has no "
            "certificate with one"
        )
    steps = [tower.action(text) for text in certificate.route]
    automatic = tower.board.automatic_items
    left = [step for step in steps if not automatic >> step.object & 1]
    names = [action_name(tower, None, step) for step in left]
    return "\n".join(f"{number}. {name}" for number, name in enumerate(names, 1))


def request_text(name: str, **values: object) -> str:
    """A sentence or more that a request adds, by its name in `requests.toml`."""
    found = {key: str(value) for key, value in values.items()}
    return Template(_requests()[name]).substitute(found).strip()


@cache
def _requests() -> Mapping[str, str]:
    return tomllib.loads(_read("requests.toml"))


def _read(name: str) -> str:
    folder = files("mt_gym.agents.llm.prompts")
    return (folder / name).read_text(encoding="utf-8")
