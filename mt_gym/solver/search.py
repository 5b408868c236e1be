"""The public face of the solver: solutions, values, regret."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from mt_gym.engine.actions import Action
from mt_gym.engine.board import Board
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.solver.extent import is_too_big
from mt_gym.solver.limits import Budget
from mt_gym.solver.solution import (
    BOUNDED,
    INFEASIBLE,
    OPTIMAL,
    Report,
    Solution,
    Value,
)

REDUCTIONS: Final = (
    "items",
    "free",
    "chains",
    "doors",
    "profit",
    "bounds",
    "useless",
    "purchases",
)
"""Names of the reductions: `items` collects what harms nobody, `free` fights what
costs nothing, `chains` follows gateways without items at once, `doors` opens doors
that no other door competes with, `profit` fights what repays itself, `bounds` drops
states that cannot beat the best, `useless` skips gateways that open nothing,
`purchases` spends money at once where waiting cannot help.  The last one is for the
general search, `free` to `useless` are for plain towers, `items` for both."""

if TYPE_CHECKING:
    from mt_gym.solver.fast import Outcome
    from mt_gym.solver.general import General

    Shared = dict[tuple[int, ...], Outcome]

_KEPT: Final = 4096
_proved: WeakKeyDictionary[Board, OrderedDict[object, Value]] = WeakKeyDictionary()


def solve(
    tower: Tower,
    state: State | None = None,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
    progress: Report | None = None,
    reductions: Collection[str] | None = None,
) -> Solution:
    """The best play of the free game from a state.

    A tower that no exact search can take (scripts or prices, several floors, more
    than 128 monsters, doors and gates) is played by a portfolio of beams: the answer
    is then `bounded`, with the best route found and an upper bound.

    Args:
        tower: any tower without defects.
        state: where to start; the initial state by default.
        node_limit: states to expand at the most.
        time_limit: seconds.
        memory_limit: bytes of the search's tables, or a text such as `"4GiB"`.
        progress: called some times a second on long searches.
        reductions: which of `REDUCTIONS` may be used; all that are safe by default.
            The optimum does not depend on it.

    >>> import mt_gym
    >>> solve(mt_gym.load("simple")).hp
    13

    Raises:
        StateMismatch: the state belongs to another tower.
        MtGymError: a limit that is not above 0, an unknown reduction, or a tower
            with defects.
    """
    budget = Budget.of(node_limit, time_limit, memory_limit, progress)
    allowed = _checked(reductions)
    return _solve(tower, _start(tower, state), budget, allowed)


def values(
    tower: Tower,
    state: State,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
) -> dict[Action, Value]:
    """The value of every legal action: the best final HP once it is taken.

    On a tower too big for a proof (see `solve`) every value is `bounded`: from a search
    if there is a limit, which is shared out evenly, else by the upper bound alone.
    Actions that lead to the same choices share one search; the limits are those of
    all searches together.  Raises like `solve`.
    """
    budget = Budget.of(node_limit, time_limit, memory_limit)
    start = _start(tower, state)
    found: dict[Action, Value] = {}
    shared: Shared = {}
    legal = tower.legal_actions(start)
    alone = is_too_big(tower)  # nothing is shared: each gets its part of the limits
    for place, action in enumerate(legal):
        part = budget.part(len(legal) - place) if alone else budget
        found[action] = _value(tower, tower.step(start, action), part, shared)
        if alone:
            budget.expanded += part.expanded
    return found


def state_value(
    tower: Tower,
    state: State,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
) -> int | None:
    """The best final HP that can still be reached; None if the goal is lost.

    A tower too big for a proof (see `solve`) has no such number: `solve` bounds it.

    Raises:
        LimitReached: a limit ended the search before the value was proved.
        StateMismatch: the state belongs to another tower.
        MtGymError: a limit that is not above 0.
    """
    budget = Budget.of(node_limit, time_limit, memory_limit)
    return _exact(_value(tower, _start(tower, state), budget))


def regret(
    tower: Tower,
    state: State,
    action: Action,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
) -> int:
    """Final HP that an action gives up.

    All of the state's value if the action loses the goal; 0 if the goal is lost
    already, and for an action that the state does not allow, which does nothing.
    Raises like `state_value`, and `IllegalAction` for an action of another tower.
    """
    budget = Budget.of(node_limit, time_limit, memory_limit)
    start = _start(tower, state)
    if not isinstance(action, Action):
        raise MtGymError(
            f"action must be an Action, as tower.action(text) gives, not {action!r}"
        )
    action = tower.game.own(action)
    if not tower.game.is_legal(start, action):
        return 0
    before = _exact(_value(tower, start, budget))
    if before is None:
        return 0
    after = _exact(_value(tower, tower.step(start, action), budget))
    return before if after is None else before - after


def _start(tower: Tower, state: State | None) -> State:
    if not isinstance(tower, Tower):
        raise MtGymError(
            f"tower must be a Tower, such as mt_gym.load(name) gives, not {tower!r}"
        )
    if state is None:
        return tower.initial_state()
    tower.check(state)
    return state


def _checked(reductions: Collection[str] | None) -> frozenset[str] | None:
    if reductions is None:
        return None
    listed = isinstance(reductions, Collection) and not isinstance(reductions, str)
    unknown = [name for name in reductions if name not in REDUCTIONS] if listed else []
    if not listed or unknown:
        raise MtGymError(
            f"unknown reduction {unknown or reductions!r}; allowed are a collection "
            f"out of {', '.join(REDUCTIONS)}"
        )
    return frozenset(reductions)


def _exact(value: Value) -> int | None:
    if value.status == BOUNDED:
        least = "no win was found" if value.hp is None else f"at least {value.hp}"
        most = "no upper bound" if value.bound is None else f"at most {value.bound}"
        raise LimitReached(
            f"the value was not proved within the limits: {least}, {most}"
        )
    return value.hp


def _value(
    tower: Tower, state: State, budget: Budget, shared: Shared | None = None
) -> Value:
    """The value of a state, from the memory of proved values if it is there.

    Args:
        shared: outcomes of settled states, to be used and added to.
    """
    known = _proved.setdefault(tower.board, OrderedDict())
    value = known.get(state.key)
    if value is None:
        solution = _solve(tower, state, budget, None, {} if shared is None else shared)
        value = Value(solution.status, solution.hp, solution.bound)
        if value.status != BOUNDED:
            known[state.key] = value
            if len(known) > _KEPT:
                known.popitem(last=False)
    return value


def _solve(
    tower: Tower,
    state: State,
    budget: Budget,
    allowed: frozenset[str] | None,
    shared: Shared | None = None,
) -> Solution:
    """Search a state; with `shared` (see `_value`), without its route."""
    expanded, elapsed = budget.expanded, budget.elapsed
    if state.won or state.hero.hp <= 0:
        hp = state.hero.hp if state.won else None
        status = OPTIMAL if state.won else INFEASIBLE
        return Solution(status, hp, hp, (), 0, 0.0, ())
    # numba is loaded by the first search, not by the package.
    from mt_gym.solver import fast
    from mt_gym.solver.instance import NotPlain

    bound: int | None
    try:
        plain = fast.run(tower, state, budget, allowed, known=shared)
        proved, best = plain.proved, plain.best
        bound = plain.bound
        route = fast.route_of(tower, state, plain) if shared is None else ()
        stored, memory, used = plain.stored, plain.memory, plain.reductions
    except NotPlain:
        found = _without_plan(tower, state, budget, allowed, shared is not None)
        proved, best, bound, route = found.proved, found.best, found.bound, found.route
        stored, used, memory = found.stored, found.reductions, found.memory
    hp = best if best > 0 else None
    if proved:
        status = OPTIMAL if hp is not None else INFEASIBLE
        bound = hp
    else:
        status = BOUNDED
    return Solution(
        status=status,
        hp=hp,
        bound=bound,
        route=route,
        expanded=budget.expanded - expanded,
        seconds=budget.elapsed - elapsed,
        reductions=used,
        stored=stored,
        memory=memory,
    )


def _without_plan(
    tower: Tower,
    state: State,
    budget: Budget,
    allowed: frozenset[str] | None,
    value_only: bool,
) -> General:
    """Search a state of a tower that is not plain.

    The compiled search applies all of its reductions, so that it is used only where
    all of them are allowed.  A tower too big for any exact search is played by beams.

    Args:
        value_only: no route is wanted; without limits beams are then left out.
    """
    from mt_gym.solver import anytime, general
    from mt_gym.solver.magnitude import is_large
    from mt_gym.solver.trade import run as trade
    from mt_gym.solver.trade.tables import NotTrade

    every = allowed is None or allowed >= trade.REDUCTIONS
    if every and not is_large(tower, state):
        try:
            return trade.run(tower, state, budget)
        except NotTrade:
            pass
    if allowed is None and is_too_big(tower):
        limited = budget.nodes is not None or budget.seconds is not None
        try:
            return anytime.run(tower, state, budget, limited or not value_only)
        except anytime.NotForBeams:
            pass
    return general.run(tower, state, budget, allowed)
