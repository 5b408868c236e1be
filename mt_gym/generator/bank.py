"""The decision bank: states of play with every action's exact value, in one file.

Asking each decision once costs a policy hundreds of calls where episodes cost
thousands.  The file holds its maps, so it needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mt_gym.engine.board import Action
from mt_gym.engine.state import State
from mt_gym.engine.tower import Tower
from mt_gym.errors import LimitReached, MtGymError
from mt_gym.generator.profile import greedy_choice, play_settings
from mt_gym.play.choices import legal_actions
from mt_gym.play.episode import advance, begin
from mt_gym.play.heuristic import choose
from mt_gym.play.settings import PlaySettings
from mt_gym.solver import state_value, values

NODE_LIMIT: Final = 400_000
"""States that the search of one decision may expand; others are left out."""

STRATA: Final[dict[str, int]] = {
    "none": 1,
    "small": 100,
    "large": 500,
    "decisive": 1001,
}
"""Strata by stake, with the first stake in thousandths that is above each."""

EPISODES: Final = 6
"""Episodes of each sampler with chance in it, a floor."""


@dataclass(frozen=True)
class BankDecision:
    """A state in which something has to be chosen, and the truth about it.

    Attributes:
        tower: where; state: after the assists; turn: completed turns before it.
        sampler: who led there.
        value: best final HP that can still be reached.
        values: best final HP after each legal action, by index; None: goal lost.
    """

    tower: Tower
    state: State
    turn: int
    sampler: str
    value: int
    values: Mapping[int, int | None]

    def regret(self, index: int) -> int:
        """Final HP that a legal action gives up."""
        after = self.values[index]
        return self.value - (after or 0)

    @property
    def optimal(self) -> tuple[int, ...]:
        """Indices of the actions that give up nothing."""
        return tuple(index for index in self.values if not self.regret(index))

    @property
    def stake(self) -> int:
        """Mean regret of a blind choice, in thousandths of the value."""
        total = sum(self.regret(index) for index in self.values)
        return total * 1000 // (self.value * len(self.values))

    @property
    def stratum(self) -> str:
        """Name of the stake's range in `STRATA`."""
        return next(name for name, above in STRATA.items() if self.stake < above)


Sampler = Callable[[Tower, State, PlaySettings, np.random.Generator], Action]


def _random(
    tower: Tower, state: State, settings: PlaySettings, rng: np.random.Generator
) -> Action:
    moves = legal_actions(tower, state, settings)
    safe = [move for move in moves if not tower.game.is_lethal(state, move)] or moves
    return safe[int(rng.integers(len(safe)))]


def _greedy(
    tower: Tower, state: State, settings: PlaySettings, rng: np.random.Generator
) -> Action:
    return greedy_choice(tower, state, settings)


def _heuristic(
    tower: Tower, state: State, settings: PlaySettings, rng: np.random.Generator
) -> Action:
    return choose(tower, state, settings.options).action


def _slipping(
    tower: Tower, state: State, settings: PlaySettings, rng: np.random.Generator
) -> Action:
    """The solver, which blunders once in four decisions."""
    if rng.integers(4) == 0:
        return _random(tower, state, settings, rng)
    found = values(tower, state, node_limit=NODE_LIMIT)
    return max(found, key=lambda a: (found[a].hp or 0, -a.index))


SAMPLERS: Final[dict[str, tuple[Sampler, int]]] = {
    "random": (_random, EPISODES),
    "greedy": (_greedy, 1),
    "heuristic": (_heuristic, 1),
    "slipping": (_slipping, EPISODES),
}
"""Who plays to find states, and how many episodes a floor."""


def build_bank(
    towers: Sequence[Tower],
    count: int,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[BankDecision]:
    """Sample decisions, equally over floors and as equally as can be over stakes.

    Args:
        towers: the floors, each of another name.
        count: decisions wanted; fewer where the floors do not hold as many.
        seed: of everything random.
        progress: called with floors done and to be done.

    Raises:
        MtGymError: no floor, two of one name, a count below 1, or a floor whose
            decisions cannot be valued.
    """
    names = [tower.name for tower in towers]
    if not towers or len(set(names)) != len(names):
        raise MtGymError(f"a bank needs floors of different names, got {names}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise MtGymError(f"count must be an integer >= 1, got {count!r}")
    for tower in towers:
        _refuse_beyond_proof(tower)
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[list[BankDecision]] = []
    for number, tower in enumerate(towers, start=1):
        here = list(decisions(tower, rng))
        found.append(stratified(here, rng))
        if progress is not None:
            progress(number, len(towers))
    bank: list[BankDecision] = []
    while len(bank) < count and any(found):
        for here in found:
            if here and len(bank) < count:
                bank.append(here.pop(0))
    bank.sort(key=lambda one: names.index(one.tower.name))
    return bank


def _refuse_beyond_proof(tower: Tower) -> None:
    """Raise an error at once where search after search would end at the limit."""
    certificate = tower.certificate
    if certificate is not None:
        proved = certificate.status == "optimal"
    else:
        try:
            state_value(tower, tower.initial_state(), node_limit=NODE_LIMIT)
            proved = True
        except LimitReached:
            proved = False
    if not proved:
        raise MtGymError(
            f"the optimum of {tower.name!r} is not proved, and a bank holds exact "
            "values alone"
        )


def decisions(tower: Tower, rng: np.random.Generator) -> Iterator[BankDecision]:
    """Every decision that the samplers meet on a floor, each state once."""
    settings = play_settings(tower)
    seen: set[State] = set()
    for name, (sampler, episodes) in SAMPLERS.items():
        for _ in range(episodes):
            moment, _ = begin(tower, tower.initial_state(), settings)
            while moment.outcome is None:
                state = moment.state
                if state not in seen:
                    seen.add(state)
                    one = judged(tower, state, moment.turn, name)
                    if one is not None:
                        yield one
                try:
                    choice = sampler(tower, state, settings, rng)
                except LimitReached:
                    break
                moment, _ = advance(tower, moment, choice, settings)


def judged(tower: Tower, state: State, turn: int, name: str) -> BankDecision | None:
    """The decision, unless it is none, is lost, or cannot be valued exactly."""
    try:
        value = state_value(tower, state, node_limit=NODE_LIMIT)
    except LimitReached:
        return None
    found = values(tower, state, node_limit=NODE_LIMIT)
    exact = all(one.status != "bounded" for one in found.values())
    if value is None or not exact or len(found) < 2:
        return None
    worth = {action.index: one.hp for action, one in found.items()}
    return BankDecision(tower, state, turn, name, value, worth)


def stratified(
    here: Sequence[BankDecision], rng: np.random.Generator
) -> list[BankDecision]:
    """A floor's decisions in an order whose every beginning mixes the strata."""
    mixed = [here[int(i)] for i in rng.permutation(len(here))]
    piles = [[one for one in mixed if one.stratum == name] for name in STRATA]
    order = []
    while any(piles):
        order += [pile.pop(0) for pile in piles if pile]
    return order
