"""Certificates: what the solver proves about a tower, and the check of one."""

from __future__ import annotations

from dataclasses import dataclass

from mt_gym.analysis.options import Options
from mt_gym.engine.actions import Action
from mt_gym.engine.kinds import ATK, DEF, MDEF, Certificate
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import IllegalAction, LimitReached, MtGymError
from mt_gym.play.settings import PlaySettings
from mt_gym.play.settle import next_step
from mt_gym.solver.general import ParetoSearch
from mt_gym.solver.limits import Budget
from mt_gym.solver.safety import rising
from mt_gym.solver.search import solve
from mt_gym.solver.solution import BOUNDED, INFEASIBLE, OPTIMAL, Report

_ASSISTS = frozenset({"collect", "free_fights", "gates"})
ASSISTED_NODES = 200_000
"""States that a certificate spends on the optimum with assists."""


def certify(
    tower: Tower,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
    progress: Report | None = None,
) -> Certificate:
    """What the solver finds out about a tower, for its map file.

    Raises:
        MtGymError: the goal cannot be reached at all, or a bad limit.
        LimitReached: a limit ended the search before any route was found.
    """
    solution = solve(
        tower,
        node_limit=node_limit,
        time_limit=time_limit,
        memory_limit=memory_limit,
        progress=progress,
    )
    if solution.status == INFEASIBLE:
        raise MtGymError(f"the goal of {tower.name!r} cannot be reached")
    if solution.hp is None:
        raise LimitReached(f"no route was found on {tower.name!r} within the limits")
    assisted, remark = None, ""
    if solution.status == OPTIMAL and assists_matter(tower):
        try:
            assisted = assisted_optimum(tower, node_limit=ASSISTED_NODES)
        except LimitReached as limit:
            remark = f"; {limit}"
    return Certificate(
        optimum=solution.hp,
        route=tuple(str(action) for action in solution.route),
        status=solution.status,
        bound=solution.bound if solution.status == BOUNDED else None,
        assisted_optimum=None if assisted == solution.hp else assisted,
        method=f"mt_gym.solver, {solution.expanded} states expanded; "
        f"reductions: {', '.join(solution.reductions) or 'none'}{remark}",
    )


def assists_matter(tower: Tower) -> bool:
    """Whether taking items and free fights at once might cost final HP.

    It cannot where no fight gets dearer with HP or with an attribute that can be had.
    """
    risky = any(
        kind.abilities.vampire is not None or rising(kind.abilities)
        for kind in tower.board.monsters
    )
    if not risky:
        return False
    from mt_gym.solver import prepared
    from mt_gym.solver.instance import NotPlain

    try:
        return not prepared.items_are_harmless(tower, tower.initial_state())
    except NotPlain:
        return True


def assisted_optimum(tower: Tower, *, node_limit: int | None = None) -> int:
    """The best final HP if items, free fights and gates are always taken at once.

    0 if the goal is lost that way.  On most towers this is the optimum.

    Raises:
        LimitReached: the node limit ended the search.
    """
    if not assists_matter(tower):
        solution = solve(tower, node_limit=node_limit)
        if solution.status == BOUNDED:
            raise LimitReached(f"the optimum of {tower.name!r} was not proved")
        return solution.hp or 0
    settings = PlaySettings(Options.of(tower), assists=_ASSISTS)

    def follow(state: State) -> Action | None:
        step = next_step(tower, state, settings)
        return None if step is None else step.action

    # A hero who is stronger may be forced into more, so only HP is compared.
    search = ParetoSearch(tower, follow, frozenset({ATK, DEF, MDEF}), position=True)
    search.add(tower.initial_state(), None, [])
    if not search.run(Budget.of(node_limit, None, "4GiB"), None):
        raise LimitReached(
            f"the optimum of {tower.name!r} with assists was not proved: "
            f"at least {search.best}"
        )
    return search.best


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of a certificate found.

    Attributes:
        problems: what is wrong, in sentences; empty if nothing is.
        final_hp: HP at the end of the witness route; None if it does not win.
        proved: whether the optimum was proved again.
    """

    problems: tuple[str, ...]
    final_hp: int | None
    proved: bool

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(
    tower: Tower,
    prove: bool = False,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | str = "4GiB",
    progress: Report | None = None,
) -> Verdict:
    """Replay the witness of a tower's certificate; with `prove`, solve again.

    Raises:
        MtGymError: the tower has no certificate, or a bad limit.
    """
    claim = tower.certificate
    if claim is None:
        raise MtGymError(f"{tower.name!r} has no certificate")
    problems: list[str] = []
    final = replay(tower, claim.route, problems)
    if final is not None and final != claim.optimum:
        problems.append(f"the route ends with {final} HP, not with {claim.optimum}")
    proved = False
    if prove:
        solution = solve(
            tower,
            node_limit=node_limit,
            time_limit=time_limit,
            memory_limit=memory_limit,
            progress=progress,
        )
        proved = solution.status != BOUNDED
        found = _contradictions(tower, claim, solution.status, solution.hp)
        if solution.bound is not None and solution.bound < claim.optimum:
            found = [f"no play ends with more than {solution.bound} HP"]
        problems += found
    return Verdict(tuple(problems), final, proved and not problems)


def _contradictions(
    tower: Tower, claim: Certificate, status: str, hp: int | None
) -> list[str]:
    """What a new proof says against a certificate."""
    problems = []
    if status == INFEASIBLE:
        return ["the goal cannot be reached"]
    if claim.bound is not None and hp is not None and hp > claim.bound:
        problems.append(f"a play ends with {hp} HP, above the bound {claim.bound}")
    if status == BOUNDED:
        if claim.status == OPTIMAL:
            better = hp is not None and hp > claim.optimum
            problems.append(
                f"a play ends with {hp} HP, more than {claim.optimum}"
                if better
                else "the limits ended the proof"
            )
        return problems  # a better play than the best known contradicts nothing
    if claim.status == OPTIMAL and hp != claim.optimum:
        problems.append(f"the optimum is {hp}, not {claim.optimum}")
    stated = claim.assisted_optimum
    matter = assists_matter(tower)
    if stated is not None or (matter and claim.status == OPTIMAL):
        assisted = assisted_optimum(tower, node_limit=ASSISTED_NODES) if matter else hp
        if (claim.optimum if stated is None else stated) != assisted:
            problems.append(f"the optimum with assists is {assisted}, not {stated}")
    return problems


def replay(tower: Tower, route: tuple[str, ...], problems: list[str]) -> int | None:
    """Final HP of a route of action texts; None, with the problem, if it fails."""
    state = tower.initial_state()
    for turn, text in enumerate(route, 1):
        try:
            state = tower.step(state, tower.action(text))
        except IllegalAction as error:
            problems.append(f"turn {turn}: {error}")
            return None
    if not state.won:
        problems.append(f"after {len(route)} turns the goal is not reached")
        return None
    return state.hero.hp
