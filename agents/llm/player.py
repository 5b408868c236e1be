"""One episode of the language-model policy: from an observation to a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mt_gym.agents.heuristic import HeuristicPolicy
from mt_gym.agents.llm.inquiry import Inquiry, Message, Verdict
from mt_gym.agents.llm.memory import History, PlanMemory, plan_line
from mt_gym.agents.llm.parse import visible_part
from mt_gym.agents.llm.planning import Plan, instruction, parse_plan
from mt_gym.agents.llm.prompts import request_text, system_text
from mt_gym.agents.llm.wire import game_of
from mt_gym.agents.policy import REPEATED, Decision, Env
from mt_gym.agents.question import Option, Question, ask, repair_of, select
from mt_gym.engine.describe import describe
from mt_gym.engine.state import State, bits
from mt_gym.engine.tower import Tower
from mt_gym.errors import BudgetReached, EndpointError, NoAnswer, PolicyError

if TYPE_CHECKING:
    from mt_gym.agents.llm.policy import LLMPolicy

ONE_AT_A_TIME: Final = ("tower-1", "tower-2")
"""Observations in which a purchase is made once a decision."""

_NOT_ASKED: Final = {"attempts": [], "requests": 0, "repairs": 0, "fallbacks": 0}


class LLMPlayer:
    """Answers the decisions of one episode.

    Args:
        policy: whose configuration and connection it uses.
        env: the environment, before or after its reset.
        seed: sent with the requests; draws where the selection is `sample`.
    """

    def __init__(self, policy: LLMPolicy, env: Env, seed: int) -> None:
        self._policy, self._env, self._seed = policy, env, seed
        self._config = config = policy.config
        self._tower: Tower = env.get_wrapper_attr("tower")
        observed = str(env.get_wrapper_attr("config").observation)
        if observed == "features":
            raise PolicyError('the policy "llm" reads text, not observation="features"')
        wanted = config.plan_memory
        remembers = observed == "tower-final" if wanted is None else wanted
        self._memory = PlanMemory() if remembers else None
        self._history = History(config.history)
        share = env.get_wrapper_attr("settings").options.rule4_share
        prompt = policy.prompt_for(observed)
        self._system = system_text(prompt, self._tower, share)
        self._repeats = observed not in ONE_AT_A_TIME
        self._instruction = instruction(config, self._tower)
        self._heuristic = HeuristicPolicy().new_episode(env, seed)
        self._rng = np.random.default_rng(seed)
        self._floors: list[str] = []
        self._opened: Message | None = None
        self._planned: list[str] = []
        self._calls = 0

    def act(self, observation: Any, info: dict[str, Any]) -> Decision:
        """As `act_async`, for callers without an event loop."""
        return self._policy.run(self, observation, info)

    async def act_async(self, observation: Any, info: dict[str, Any]) -> Decision:
        """The model's choice, or what stands in for it.

        Raises:
            EndpointError: the endpoint gives no answer.
            BudgetReached: a limit of the run forbids the next request.
            NoAnswer: no valid choice, and the fallback is off.
            PolicyError: the observation is no text.
        """
        if not isinstance(observation, str):
            raise PolicyError(
                f'the policy "llm" reads text; the observation is a '
                f"{type(observation).__name__}"
            )
        question = ask(self._env, info)
        floor = str(question.context["floor"])
        if self._memory is not None:
            self._memory.note(self._tower, info["executed"])
        if self._config.planning == "single-call":
            if floor in self._planned:
                return self._stand_in(observation, info, "heuristic", _NOT_ASKED)
            self._planned.append(floor)
        client, model, ours = await self._policy.reach()
        request = self._request(observation, question)
        inquiry = Inquiry(
            client,
            self._config,
            model,
            [*self._opening(), *self._history.messages(), request],
            question,
            lambda: repair_of(question, self._tower, self._state),
            self._seed,
            self._place,
            send_again=not self._several,
            extra=self._game(question) if ours else {},
        )
        try:
            verdict = await inquiry.run()
        except (EndpointError, BudgetReached) as error:
            if inquiry.attempts:  # answers that were paid for are in the log
                error.trace = _trace(question, inquiry.attempts, failed=False)
            raise
        return self._decide(observation, info, question, verdict, inquiry.attempts)

    def _decide(
        self,
        observation: str,
        info: dict[str, Any],
        question: Question,
        verdict: Verdict,
        attempts: list[dict[str, Any]],
    ) -> Decision:
        """The decision of a verdict, with its trace; the memory is kept."""
        failed = verdict.number is None
        trace = _trace(question, attempts, failed)
        self._remember(question, verdict, trace)
        option = None if verdict.number is None else question.find(verdict.number)
        if option is None:
            return self._stand_in(observation, info, "fallback", trace)
        answer, repaired = verdict.answer, verdict.source == "repair"
        said = "" if answer is None else visible_part(answer.content).text
        choice = f"\nFINAL_CHOICE: {option.number}" if repaired else ""
        self._history.add(observation, (said + choice).strip())
        shares = verdict.shares
        action = option.action
        if shares is not None:
            trace["covered"] = round(shares.covered, 6)
            if self._config.selection != "answer":
                how = self._config.selection
                action = select(question, shares.by_action, how, self._rng)
        plan: tuple[int, ...] = ()
        if verdict.source == "policy" and action == option.action:
            plan = self._plan(question, option, verdict, trace)
        trace["reason"] = _reason(said)
        if repaired:
            trace["reason"] = f"repaired, the answer was: {attempts[-2]['outcome']}"
        return Decision(
            action,
            plan,
            None if shares is None else shares.by_action,
            verdict.source,
            trace,
        )

    def _plan(
        self,
        question: Question,
        option: Option,
        verdict: Verdict,
        trace: dict[str, Any],
    ) -> tuple[int, ...]:
        """Repetitions of the choice, then the entries of `NEXT:`."""
        assert verdict.parsed is not None and verdict.answer is not None
        note, quantity = verdict.parsed.note, verdict.parsed.quantity or 1
        if quantity > 1 and not (self._repeats and option.verb in REPEATED):
            note, quantity = f"quantity {quantity} is ignored: {option.verb}", 1
        if quantity > 1:
            trace["quantity"] = quantity
        if note:
            trace["note"] = note
        plan = Plan()
        if self._config.commitment > 1:
            plan = parse_plan(
                verdict.answer.content,
                self._tower,
                str(question.context["floor"]),
                option.action,
                self._config.commitment - 1,
            )
            trace["next"] = plan.to_json()
        return (option.action,) * (quantity - 1) + plan.actions

    def _remember(
        self, question: Question, verdict: Verdict, trace: dict[str, Any]
    ) -> None:
        if self._memory is None or verdict.answer is None:
            return
        plan = plan_line(verdict.answer.content, verdict.answer.reasoning)
        trace["plan_line"] = plan
        context = question.context
        self._memory.keep(plan, int(context["turn"]) - 1, str(context["floor"]))

    def _stand_in(
        self,
        observation: str,
        info: dict[str, Any],
        source: str,
        trace: Mapping[str, Any],
    ) -> Decision:
        """The heuristic's action, said to be so; or none, with the fallback off."""
        if source == "fallback" and not self._config.fallback:
            outcomes = ", ".join(str(one["outcome"]) for one in trace["attempts"])
            raise NoAnswer(
                f"turn {info['turn'] + 1}: no valid choice after "
                f"{trace['requests']} request(s) and {trace['repairs']} repair(s) "
                f"({outcomes})",
                trace,
            )
        chosen = self._heuristic.act(observation, info)
        reason = f"the heuristic's action: {chosen.trace['reason']}"
        return Decision(chosen.action, source=source, trace={**trace, "reason": reason})

    def _opening(self) -> list[Message]:
        """The system prompt with the static map of the visited floors."""
        floors = [one.id for one in self._tower.floors]
        visited = [floors[number] for number in bits(self._state.world.visited)]
        new = [floor for floor in visited if floor not in self._floors]
        if new or self._opened is None:
            self._floors += new
            known = self._floors if self._several else None
            drawn = request_text("map", map=describe(self._tower, known).rstrip())
            content = f"{self._system}\n\n{drawn}"
            self._opened = {"role": "system", "content": content}
        return [self._opened]

    def _request(self, observation: str, question: Question) -> Message:
        """The user's message: plan, observation, and what is asked besides."""
        parts = [observation]
        if self._memory is not None:
            parts.insert(0, self._memory.text())
            parts.append(request_text("plan_memory"))
        parts.append(self._instruction)
        offers = any(option.verb in REPEATED for option in question.options)
        if offers and self._repeats:
            parts.append(request_text("quantity"))
        return {"role": "user", "content": "\n\n".join(p for p in parts if p)}

    def _game(self, question: Question) -> dict[str, Any]:
        settings = self._env.get_wrapper_attr("settings")
        return game_of(
            self._tower,
            self._state,
            question,
            settings,
            seed=self._seed,
            ahead=self._config.commitment - 1,
            memory=self._memory is not None,
        )

    def _place(self) -> str:
        """A name for the next request: its episode's seed and its rank there."""
        self._calls += 1
        return f"{self._seed}/{self._calls}"

    @property
    def _state(self) -> State:
        state: State = self._env.get_wrapper_attr("state")
        return state

    @property
    def _several(self) -> bool:
        return len(self._tower.floors) > 1


def _trace(
    question: Question, attempts: list[dict[str, Any]], failed: bool
) -> dict[str, Any]:
    """What the log says about a decision: its context, every request, the counts."""
    return {
        "context": dict(question.context),
        "attempts": attempts,
        "requests": sum(one["kind"] != "repair" for one in attempts),
        "repairs": sum(one["kind"] == "repair" for one in attempts),
        "fallbacks": int(failed),
    }


def _reason(said: str) -> str:
    """The last sentence line before the choice, for people."""
    lines = [line.strip(" *_`#>-") for line in said.splitlines()]
    tokens = ("FINAL_CHOICE", "FINAL CHOICE", "NEXT:", "PLAN:", "QUANTITY:")
    told = [line for line in lines if line and not line.upper().startswith(tokens)]
    text = told[-1] if told else ""
    return text if len(text) <= 160 else text[:157] + "..."
