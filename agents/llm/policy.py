"""The language-model policy: it asks a model at every decision.

The model names a number of the list; the number is checked; the environment executes.
Every request, repair and fallback is in the decision's trace.
"""

from __future__ import annotations

import asyncio
import importlib.util
import weakref
from collections.abc import Coroutine, Mapping
from importlib.metadata import version
from typing import Any

from mt_gym.agents.llm.client import Client
from mt_gym.agents.llm.config import LLMConfig, make_config
from mt_gym.agents.llm.endpoint import EMBEDDED, address, endpoint
from mt_gym.agents.llm.models import MAX_TOKENS, find_gguf, serve_model
from mt_gym.agents.llm.player import LLMPlayer
from mt_gym.agents.llm.prompts import AUTO, GENERAL, Prompt, load_prompt
from mt_gym.agents.llm.seams import CallStore, Meter
from mt_gym.agents.llm.validator import prompt_problems
from mt_gym.agents.llm.wire import OWNER
from mt_gym.agents.policy import Decision, Env
from mt_gym.errors import EndpointError, PolicyError

ANSWER_TOKENS = 16384
"""Bound of an answer, reasoning included, where the configuration names none."""


class LLMPolicy:
    """Plays by a model behind an OpenAI-compatible endpoint.

    One policy serves any number of episodes at a time.  What a loop uses: `attach`
    for a store of calls and a budget, `environment` and `commitment` for how it
    is played, `describe` for the record, and `aclose` at the end of its event loop
    (`close` after plain `act`).

    Args:
        options: fields of `LLMConfig`.

    Raises:
        PolicyError: an option that does not exist or is wrong, no endpoint, no
            prompt of that name, or one with knowledge of a map that is not labelled.
    """

    def __init__(self, **options: Any) -> None:
        config = make_config(options)
        for module in ("openai", "tenacity"):
            if importlib.util.find_spec(module) is None:
                raise PolicyError(
                    f"the policy \"llm\" needs {module}: pip install 'mt-gym[llm]'"
                )
        self._address = address(config)
        embedded = self._address == EMBEDDED
        own: dict[str, Any] = {}
        if config.max_tokens is None:
            own["max_tokens"] = MAX_TOKENS if embedded else ANSWER_TOKENS
        if embedded and "concurrency" not in config.model_fields_set:
            own["concurrency"] = 1  # it answers one request at a time
        config = config.model_copy(update=own)
        self._config = config
        _check_prompt(config)
        self._client: Client | None = None
        self._store: CallStore | None = None
        self._meter: Meter | None = None
        self._model: str | None = config.model
        self._ours: bool | None = False if embedded else None
        self._loop = _OwnLoop()
        weakref.finalize(self, self._loop.close)

    @property
    def config(self) -> LLMConfig:
        """How the model is asked; equal to what `describe` says."""
        return self._config

    @property
    def name(self) -> str:
        """`llm:MODEL`, for tables."""
        if self._address == EMBEDDED:
            gguf = find_gguf()
            return f"llm:{gguf.stem}" if gguf is not None else "llm"
        return f"llm:{self._model}" if self._model else "llm"

    @property
    def observation(self) -> str | None:
        """The observation it wants; None for the environment's own text."""
        if self._config.observation is None and self._config.prompt == "bare":
            return "bare"
        return self._config.observation

    @property
    def environment(self) -> Mapping[str, Any]:
        """Keywords of the environment that belong to its prompt's condition."""
        return CONDITIONS.get(self._config.prompt, {})

    @property
    def commitment(self) -> int:
        """Actions that one answer decides; repetitions of a purchase come on top."""
        return self._config.commitment

    @property
    def compiled(self) -> bool:
        """Whether its prompt holds knowledge of a map: reported apart."""
        name = self._config.prompt
        return self._config.compiled or (name != AUTO and load_prompt(name).compiled)

    def attach(
        self, *, store: CallStore | None = None, meter: Meter | None = None
    ) -> None:
        """Plug in a store of calls and a meter, for all later requests."""
        self._store, self._meter = store, meter
        if self._client is not None:
            self._client.store, self._client.meter = store, meter

    def describe(self) -> dict[str, Any]:
        """Everything that its answers depend on, as JSON values, without secrets."""
        prompts = list(GENERAL) if self._config.prompt == AUTO else []
        used = [load_prompt(name) for name in prompts or [self._config.prompt]]
        return {
            "policy": self.name,
            "config": self._config.model_dump(mode="json"),
            "endpoint": self._address,
            "prompts": {prompt.name: prompt.digest for prompt in used},
            "compiled": self.compiled,
            "versions": {name: version(name) for name in ("openai", "pydantic")},
        }

    def prompt_for(self, observation: str) -> Prompt:
        """The system prompt that goes with an observation."""
        name = self._config.prompt
        if name == AUTO:
            name = "bare" if observation == "bare" else "floor"
            if observation.startswith("tower-"):
                name = "tower"
        return load_prompt(name)

    def new_episode(self, env: Env, seed: int) -> LLMPlayer:
        """A player of one episode.

        Raises:
            PolicyError: the environment shows no text.
        """
        return LLMPlayer(self, env, seed)

    async def reach(self) -> tuple[Client, str, bool]:
        """The client, the model's name, and whether the server is our own.

        Our own server is told the state of the game, so that its policies see it.

        Raises:
            EndpointError: the endpoint cannot be reached or does not say which
                model is meant.
            PolicyError: the embedded model cannot be served.
        """
        if self._client is None:
            url = self._address
            if url == EMBEDDED:
                served = serve_model()
                url, self._model = served.base_url, served.name
            self._client = Client(endpoint(self._config, url), self._store, self._meter)
            self._loop.client = self._client
        if self._model is None or self._ours is None:
            await self._introduce(self._client)
        assert self._model is not None
        return self._client, self._model, bool(self._ours)

    async def _introduce(self, client: Client) -> None:
        """Learn from the endpoint which models it has and whose they are."""
        try:
            listed = await client.models()
        except EndpointError as error:
            # Some servers have no list; then the model must be named.
            if error.status not in (404, 405) or self._model is None:
                raise
            listed = []
        names = [str(one["id"]) for one in listed]
        if self._model is None:
            if len(names) != 1:
                raise PolicyError(
                    f"{client.endpoint.base_url} has {len(names)} models; name one: "
                    f"--model NAME, one of {', '.join(names) or 'none'}"
                )
            self._model = names[0]
        self._ours = any(
            one.get("owned_by") == OWNER and one["id"] == self._model for one in listed
        )

    def run(
        self, player: LLMPlayer, observation: Any, info: dict[str, Any]
    ) -> Decision:
        """`act_async` of a player, on the policy's own event loop.

        Raises:
            PolicyError: an event loop is running already.
        """
        return self._loop.run(player.act_async(observation, info))

    def close(self) -> None:
        """Close what plain `act` opened; may be called again."""
        self._loop.close()

    async def aclose(self) -> None:
        """Close the connections of the running event loop; may be called again."""
        if self._client is not None:
            await self._client.close()


def _check_prompt(config: LLMConfig) -> None:
    """Refuse a prompt that does not exist, or hides knowledge of a map.

    Raises:
        PolicyError: with everything that was found.
    """
    if config.prompt == AUTO:
        return
    prompt = load_prompt(config.prompt)
    if prompt.name in GENERAL or prompt.compiled or config.compiled:
        return
    found = prompt_problems(prompt.text)
    if found:
        raise PolicyError(
            f"the prompt {prompt.name!r} holds knowledge of a map: {'; '.join(found)}. "
            "Take it out, or say so with the option compiled=true: the results are "
            "then reported apart, as 'route'"
        )


class _OwnLoop:
    """An event loop for callers that have none, made when it is needed.

    Attributes:
        client: what is closed with it.
    """

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None
        self.client: Client | None = None

    def run(self, job: Coroutine[Any, Any, Decision]) -> Decision:
        """Run a coroutine to its end."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            job.close()
            raise PolicyError("an event loop is running: await act_async, not act")
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(job)

    def close(self) -> None:
        """Close it and the client's connections; may be called again."""
        if self._runner is not None:
            if self.client is not None:
                self._runner.run(self.client.close())
            self._runner.close()
            self._runner = None


def environment_of(condition: str) -> Mapping[str, Any]:
    """Keywords of the environment for a labelled condition.

    Raises:
        PolicyError: no such condition.

    >>> environment_of("route")["overrides"]
    []
    """
    if condition not in CONDITIONS:
        raise PolicyError(
            f"unknown condition {condition!r}; there is {', '.join(CONDITIONS)}"
        )
    return CONDITIONS[condition]


CONDITIONS: Mapping[str, Mapping[str, Any]] = {
    "route": {"assists": ["collect", "gates", "stairs", "only_choice"], "overrides": []}
}
"""Execution settings of a condition, by the name of its prompt: items are collected,
no free fight is taken, and a lethal fight that is chosen is executed."""
