"""A policy in the place of a model: its choice, as the text of an answer."""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from mt_gym.agents.llm.listed import answered, listed
from mt_gym.agents.llm.wire import FIELD, Game, read_game
from mt_gym.agents.policy import Decision, Policy
from mt_gym.envs.env import MagicTowerEnv
from mt_gym.errors import MtGymError

IMPOSSIBLE: Final = -9999.0
"""Log-probability of what the policy never does."""

MOST_TOWERS: Final = 16

_TOKEN = re.compile(r"\d+|\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model is said to have answered.

    Attributes:
        content: the visible answer; reasoning: apart from it.
        finish_reason: `stop` or `length`.
        shares: probability by number of the list.
        numbers: of the list.
    """

    content: str | None
    reasoning: str | None
    finish_reason: str
    shares: Mapping[int, float]
    numbers: tuple[int, ...]


class StandIn:
    """Answers chat requests by a policy.

    Args:
        policy: plays; it needs no network and no waiting.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._folder = tempfile.TemporaryDirectory(prefix="mt-gym-")
        self._envs: OrderedDict[str, MagicTowerEnv] = OrderedDict()

    def close(self) -> None:
        """Remove the maps that clients have sent."""
        self._folder.cleanup()

    def answer(self, body: Mapping[str, Any]) -> Reply:
        """The answer to a request.

        Args:
            body: its fields; the game is in the field `mt_gym`, or there is a list of
                actions in the messages, which is enough for some policies.

        Raises:
            MtGymError: the request has neither, a game that does not fit its map, or
                no game for a policy that needs it.
        """
        if body.get(FIELD) is None:
            return self._by_text(body)
        game = read_game(body.get(FIELD))
        env = self._env(game)
        observation, info = env.reset(options={"state": game.state})
        if env.state != game.state:
            raise MtGymError("the state is none in which a policy has to choose")
        seed = int(np.random.SeedSequence([game.seed, game.turn]).generate_state(1)[0])
        player = self.policy.new_episode(env, seed)
        decision = player.act(observation, info)
        number = _number(game, decision.action)
        numbers = tuple(game.numbers.values())
        if (short := _constrained(body, number, numbers)) is not None:
            return short
        ahead = self._ahead(env, player, decision, game.ahead)
        reason = self._reason(decision)
        lines = [reason]
        if game.memory:
            lines.append(f"PLAN: {'; '.join(ahead) or reason}")
        lines.append(f"FINAL_CHOICE: {number}")
        if game.ahead:
            lines.append(f"NEXT: {'; '.join(ahead) or 'none'}")
        shares = decision.distribution or {decision.action: 1.0}
        thought = f"{len(game.numbers)} options; {reason}"
        return Reply(
            "\n".join(lines),
            thought,
            "stop",
            {_number(game, index): share for index, share in shares.items()},
            numbers,
        )

    def _by_text(self, body: Mapping[str, Any]) -> Reply:
        """The answer to a client that sends messages alone."""
        text, lines = listed(body["messages"])
        seed = body.get("seed")
        seed = seed if isinstance(seed, int) and seed >= 0 else 0
        decision, number = answered(self.policy, text, lines, seed)
        shares = decision.distribution or {decision.action: 1.0}
        chances = {index + 1: share for index, share in shares.items()}
        numbers = tuple(line.number for line in lines)
        if (short := _constrained(body, number, numbers)) is not None:
            return short
        reason = self._reason(decision)
        content = f"{reason}\nFINAL_CHOICE: {number}"
        thought = f"{len(lines)} options; {reason}"
        return Reply(content, thought, "stop", chances, numbers)

    def _reason(self, decision: Decision) -> str:
        return str(decision.trace.get("reason") or f"{self.policy.name} chooses so.")

    def _ahead(
        self, env: MagicTowerEnv, player: Any, decision: Decision, count: int
    ) -> list[str]:
        """Texts of the choices that would follow, by playing them."""
        found: list[str] = []
        for _ in range(count):
            observation, _, ended, cut, info = env.step(decision.action)
            if ended or cut:
                break
            decision = player.act(observation, info)
            found.append(str(env.tower.actions[decision.action]))
        return found

    def _env(self, game: Game) -> MagicTowerEnv:
        """An environment of the game's tower and keywords."""
        keywords: dict[str, Any] = {"observation": self.policy.observation or "bare"}
        keywords |= game.keywords
        key = json.dumps([game.tower.digest, keywords], sort_keys=True)
        found = self._envs.pop(key, None)
        if found is None:
            path = Path(self._folder.name) / f"{game.tower.digest}.toml"
            if not path.is_file():
                path.write_text(game.tower.to_toml(), encoding="utf-8")
            found = MagicTowerEnv(tower=str(path), **keywords)
        self._envs[key] = found
        if len(self._envs) > MOST_TOWERS:
            self._envs.popitem(last=False)
        return found


def _constrained(
    body: Mapping[str, Any], number: int, numbers: tuple[int, ...]
) -> Reply | None:
    """The answer where the request allows only JSON with one of some numbers."""
    allowed = _allowed(body)
    if allowed is None:
        return None
    if number not in allowed:
        number = min(allowed)
    return Reply(json.dumps({"choice": number}), None, "stop", {number: 1.0}, numbers)


def spoiled(reply: Reply, kind: str) -> Reply:
    """A reply as a misbehaviour of the answer makes it.

    Args:
        reply: the policy's own.
        kind: a name of `MISBEHAVIOURS`; those that are none of the answer leave it.
    """
    content = reply.content or ""
    choice = _choice(content)
    if kind == "truncate":
        cut = content.split("FINAL_CHOICE")[0].rstrip()
        return replace(
            reply, content=cut[: max(1, len(cut) // 2)], finish_reason="length"
        )
    if kind == "no_number":
        return replace(reply, content="I would rather not say.\nFINAL_CHOICE: none")
    if kind == "wrong_number":
        wrong = max(reply.numbers) + 7
        return replace(reply, content=f"FINAL_CHOICE: {wrong}")
    if kind == "two_numbers":
        other = next((n for n in reply.numbers if n != choice), choice + 1)
        return replace(reply, content=f"FINAL_CHOICE: {choice} or {other}")
    if kind == "prose":
        first = min(reply.numbers)
        return replace(
            reply,
            content=(
                f"At first sight FINAL_CHOICE: {first} looks right, at (3,4).\n\n"
                f"On reflection, in {len(reply.numbers)} steps:\n"
                f"**FINAL_CHOICE: {choice}**\n"
                "That leaves me with some HP."
            ),
        )
    if kind == "empty":
        return replace(reply, content="")
    if kind == "null":
        return replace(reply, content=None)
    if kind == "reasoning_only":
        return replace(reply, content=None, reasoning=content)
    return reply


def completion(reply: Reply, body: Mapping[str, Any], name: str, number: int) -> Any:
    """A reply as the JSON object of a chat completion.

    Tokens are words, numbers and signs: enough to count by.
    """
    said, thought = reply.content or "", reply.reasoning or ""
    prompt = sum(
        len(_TOKEN.findall(str(one.get("content", "")))) for one in body["messages"]
    )
    hidden, shown = len(_TOKEN.findall(thought)), len(_TOKEN.findall(said))
    choice: dict[str, Any] = {
        "index": 0,
        "message": {
            "role": "assistant",
            "content": reply.content,
            "reasoning_content": reply.reasoning,
        },
        "finish_reason": reply.finish_reason,
        "logprobs": None,
    }
    if body.get("logprobs"):
        top = int(body.get("top_logprobs") or 0)
        choice["logprobs"] = {"content": _logprobs(said, reply.shares, top)}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "choices": [choice],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": hidden + shown,
            "total_tokens": prompt + hidden + shown,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": hidden},
        },
    }


def _logprobs(text: str, shares: Mapping[int, float], top: int) -> list[dict[str, Any]]:
    """Tokens of an answer; the last choice's number has the policy's distribution."""
    mark = text.rfind("FINAL_CHOICE:")
    found, open_ = [], mark >= 0
    for token in _TOKEN.finditer(text):
        ranked = [(token[0], 0.0)]
        if open_ and token.start() > mark and token[0].isdigit():
            open_ = False
            ranked = [(str(n), _log(share)) for n, share in shares.items()]
            ranked.sort(key=lambda pair: (-pair[1], int(pair[0])))
        own = dict(ranked).get(token[0], IMPOSSIBLE)
        listed = [{"token": t, "logprob": share} for t, share in ranked[:top]]
        found.append({"token": token[0], "logprob": own, "top_logprobs": listed})
    return found


def _log(share: float) -> float:
    return math.log(share) if share > 0 else IMPOSSIBLE


def _allowed(body: Mapping[str, Any]) -> list[int] | None:
    """Numbers that a `response_format` with a schema allows; None without one."""
    wanted = body.get("response_format")
    if not isinstance(wanted, dict) or wanted.get("type") not in (
        "json_schema",
        "json_object",
    ):
        return None
    if wanted["type"] == "json_object":
        text = str(body["messages"][-1].get("content", ""))
        listed = re.findall(r"\d+", text.rsplit("numbers of the list:", 1)[-1])
        return [int(number) for number in listed]
    try:
        choice = wanted["json_schema"]["schema"]["properties"]["choice"]
        return [int(number) for number in choice["enum"]]
    except (KeyError, TypeError, ValueError) as error:
        raise MtGymError(
            "response_format: a schema with properties.choice.enum is expected"
        ) from error


def _number(game: Game, index: int) -> int:
    found = game.numbers.get(index)
    if found is None:
        raise MtGymError(f"the policy chose action {index}, which the list lacks")
    return found


def _choice(content: str) -> int:
    found = re.findall(r"FINAL_CHOICE: (\d+)", content) or re.findall(r"\d+", content)
    return int(found[-1]) if found else 1
