"""What decides how a model is asked, validated, as JSON values.

The same values make the same requests; keys and secrets are no part of it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from mt_gym.errors import PolicyError

try:
    from pydantic import (
        BaseModel,
        ConfigDict,
        Field,
        ValidationError,
        field_validator,
    )
except ImportError as error:
    raise PolicyError(
        "the policy \"llm\" needs pydantic: pip install 'mt-gym[llm]'"
    ) from error

LONG_PLAN: Final = 60
"""Actions of a long plan: the choice and up to 59 more."""

_COMMIT = re.compile(r"commit-([1-9][0-9]{0,2})")
_MODES: Final = ("reactive", "commit-K", "long-plan:floor", "long-plan:steps")
MODES: Final = (*_MODES, "single-call")
"""The planning modes; K is the number of actions an answer decides."""


class Vendor(BaseModel):
    """The switches of a kind of server: a table of `vendors.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed: bool = True
    temperature: bool = True
    repair: Literal["json_schema", "json_object", "none"] = "json_schema"
    body: dict[str, Any] = Field(default_factory=dict)
    repair_body: dict[str, Any] = Field(default_factory=dict)


class LLMConfig(BaseModel):
    """How a model is asked.

    Attributes:
        model: its name at the endpoint; None where the endpoint has only one.
        base_url: the endpoint, up to and with `/v1`; None for the embedded model,
            or for the usual endpoint where the key's variable is set.
        api_key_env: the environment variable that holds the key.
        vendor: a table of `vendors.toml`; extra_body and repair_extra_body are laid
            over its fields.
        temperature: 0 for the likeliest answer.
        max_tokens: bound of an answer, reasoning included; None for 16384, and for
            256 with the embedded model.
        repair_tokens: bound of a repair's answer.
        top_logprobs: log-probabilities asked for with each token; 0 for none.
        selection: `answer` plays the number in the answer; `argmax` and `sample`
            play by the distribution where the answer has one.
        votes: how many answers vote on a choice; 1 for one answer.
        prompt: a shipped system prompt, `auto`, or the path of a text file.
        compiled: whether the prompt holds knowledge of a map, so that its results are
            reported apart; a text file that does and does not say so is refused.
        observation: the observation it wants; None for what the environment shows.
        planning: one of `MODES`.
        plan_memory: whether the model's `PLAN:` line is shown again; None for yes
            with the observation `tower-final` alone.
        history: how many earlier decisions a request repeats.
        fallback: whether the heuristic plays where the model gave no valid choice.
        requests: failed requests after which it does.
        attempts: how often a request is sent until the network lets it through.
        backoff: seconds before the second sending, doubled for each further one up
            to `max_backoff`, unless the server says how long.
        timeout: seconds that an answer may take.
        concurrency: requests that are under way at the same time; 8, and 1 with the
            embedded model, unless it is given.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None = Field(default=None, min_length=1)
    base_url: str | None = None
    api_key_env: str = Field(default="OPENAI_API_KEY", pattern=r"^[A-Za-z_]\w*$")
    vendor: str = "default"
    extra_body: dict[str, Any] = Field(default_factory=dict)
    repair_extra_body: dict[str, Any] = Field(default_factory=dict)
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1)
    repair_tokens: int = Field(default=64, ge=8)
    top_logprobs: int = Field(default=0, ge=0, le=20)
    selection: Literal["answer", "argmax", "sample"] = "answer"
    votes: int = Field(default=1, ge=1, le=100)
    prompt: str = "auto"
    compiled: bool = False
    observation: str | None = None
    planning: str = "reactive"
    plan_memory: bool | None = None
    history: int = Field(default=0, ge=0)
    fallback: bool = True
    requests: int = Field(default=3, ge=1)
    attempts: int = Field(default=6, ge=1)
    backoff: float = Field(default=1.0, ge=0)
    max_backoff: float = Field(default=60.0, ge=0)
    timeout: float = Field(default=600.0, gt=0)
    concurrency: int = Field(default=8, ge=1)

    @field_validator("planning")
    @classmethod
    def _known_mode(cls, value: str) -> str:
        if value not in MODES or value == "commit-K":
            if not _COMMIT.fullmatch(value):
                raise ValueError(f"it must be one of {', '.join(MODES)} (K from 1)")
        return value

    @field_validator("vendor")
    @classmethod
    def _known_vendor(cls, value: str) -> str:
        if value not in VENDORS:
            raise ValueError(f"it must be one of {', '.join(VENDORS)}")
        return value

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it must be a URL such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password or parts.query:
            raise ValueError("it must hold no name, password or query: it is logged")
        return value.rstrip("/")

    @property
    def commitment(self) -> int:
        """Actions that one answer decides: 1 if every decision is asked."""
        found = _COMMIT.fullmatch(self.planning)
        if found:
            return int(found[1])
        return 1 if self.planning == "reactive" else LONG_PLAN

    @property
    def switches(self) -> Vendor:
        """The vendor's switches."""
        return VENDORS[self.vendor]


def _vendors() -> dict[str, Vendor]:
    text = (files("mt_gym.agents.llm") / "vendors.toml").read_text(encoding="utf-8")
    return {name: Vendor(**table) for name, table in tomllib.loads(text).items()}


VENDORS: Final[Mapping[str, Vendor]] = _vendors()
"""Every kind of server that has switches."""


def make_config(options: Mapping[str, Any]) -> LLMConfig:
    """The configuration of keyword options.

    Raises:
        PolicyError: an unknown option or a wrong value, with what is allowed.
    """
    known = list(LLMConfig.model_fields)
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise PolicyError(
                f"the policy 'llm' has no option {name!r}{hint} "
                f"(there are {', '.join(known)})"
            )
    try:
        return LLMConfig(**options)
    except ValidationError as error:
        found = [
            f"{'.'.join(str(part) for part in one['loc'])}: "
            f"{one['msg'].removeprefix('Value error, ')}, got {one['input']!r}"
            for one in error.errors()
        ]
        raise PolicyError("the policy 'llm': " + "; ".join(found)) from None
