"""Intervals and tests against scipy and against hand-made numbers."""

import itertools

import pytest
from scipy.stats import binomtest

from mt_gym.bench.stats import holm, sign_test, wilson
from mt_gym.errors import MtGymError

EXACT_Z = 1.959963984540054


@pytest.mark.parametrize("n", [1, 2, 5, 10, 33, 200])
def test_wilson_interval_is_scipys(n: int) -> None:
    for k in range(n + 1):
        known = binomtest(k, n).proportion_ci(0.95, "wilson")
        assert wilson(k, n, EXACT_Z) == pytest.approx((known.low, known.high))


def test_wilson_takes_the_rounded_quantile_by_default() -> None:
    assert wilson(3, 10) == pytest.approx((0.10779, 0.60322), abs=1e-5)
    assert wilson(3, 10) != wilson(3, 10, EXACT_Z)


def test_no_trials_say_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(MtGymError, match="successes must be from 0 to trials"):
        wilson(k, n)


@pytest.mark.parametrize(("b", "c"), list(itertools.product(range(9), repeat=2)))
def test_sign_test_is_the_exact_binomial_test(b: int, c: int) -> None:
    if b + c == 0:
        assert sign_test(0, 0) == sign_test(0, 0, two_sided=False) == 1
        return
    one = binomtest(b, b + c, alternative="greater").pvalue
    assert sign_test(b, c, two_sided=False) == pytest.approx(one)
    assert sign_test(b, c) == pytest.approx(binomtest(b, b + c).pvalue)
    assert sign_test(b, c) == sign_test(c, b)


def test_sign_test_stays_exact_for_many_pairs() -> None:
    assert sign_test(1500, 1500) == 1
    assert sign_test(2000, 0) == 2.0 * 0.5**2000 or sign_test(2000, 0) == 0.0


def test_negative_counts_are_refused() -> None:
    with pytest.raises(MtGymError, match="counts must be >= 0"):
        sign_test(-1, 2)


def test_holm_steps_down_and_never_decreases() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([]) == []
