"""The statistics of success rates: a few exact lines each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from mt_gym.errors import MtGymError

Z: Final = 1.96
"""Standard normal quantile of a 95 % interval, as the thesis chapter rounds it."""


def wilson(successes: int, trials: int, z: float = Z) -> tuple[float, float]:
    """The Wilson interval of a success rate.

    Args:
        successes: from 0 to `trials`.
        trials: 0 gives the interval that says nothing.
        z: quantile of the confidence.

    >>> [round(bound, 3) for bound in wilson(10, 10)]
    [0.722, 1.0]

    Raises:
        MtGymError: more successes than trials, or fewer than none.
    """
    if not 0 <= successes <= trials:
        raise MtGymError(
            f"successes must be from 0 to trials, got {successes} of {trials}"
        )
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    middle = rate + z * z / (2 * trials)
    spread = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low, high = (middle - spread) / scale, (middle + spread) / scale
    # At the ends the exact bound is 0 or 1; the formula misses it by rounding.
    return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)


def sign_test(first: int, second: int, *, two_sided: bool = True) -> float:
    """The exact sign test over discordant pairs.

    Args:
        first: pairs that favour the first side; second: those that favour the other.
        two_sided: twice the smaller tail, at most 1; else the probability of at
            least `first` in its favour.

    >>> sign_test(5, 0, two_sided=False), sign_test(5, 0), sign_test(0, 0)
    (0.03125, 0.0625, 1.0)

    Raises:
        MtGymError: a count below 0.
    """
    if first < 0 or second < 0:
        raise MtGymError(f"counts must be >= 0, got {first} and {second}")
    n = first + second
    if not two_sided:
        return _upper_tail(first, n)
    return min(1.0, 2 * _upper_tail(max(first, second), n))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjustment of several p-values, in their order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: (p_values[i], i))
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def _upper_tail(successes: int, n: int) -> float:
    """Probability of at least so many heads in n throws of a fair coin."""
    ways = sum(math.comb(n, i) for i in range(successes, n + 1))
    return ways / (1 << n)
