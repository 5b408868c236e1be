"""Distributions over the options, out of log-probabilities and votes."""

import math

import numpy as np
import pytest

from mt_gym.agents.llm.distribution import from_logprobs, from_votes
from mt_gym.agents.llm.replies import Answer, Token
from mt_gym.agents.question import Option, Question, covers, select
from mt_gym.errors import PolicyError


def question(count: int, disabled: tuple[int, ...] = ()) -> Question:
    """Options 1..count whose action index is ten times their number."""
    return Question(
        tuple(
            Option(n, 10 * n, f"fight {n},0", f"Rat {n}", "fight", n not in disabled)
            for n in range(1, count + 1)
        )
    )


def answer(*tokens: str | tuple[str, dict[str, float]]) -> Answer:
    made = []
    for token in tokens:
        text, top = (token, {token: 1.0}) if isinstance(token, str) else token
        pairs = tuple((t, math.log(p)) for t, p in top.items())
        made.append(Token(text, dict(pairs)[text], pairs))
    content = "".join(token.text for token in made)
    return Answer(content, None, "stop", {}, tuple(made))


def test_alternatives_of_the_number_give_the_distribution() -> None:
    said = answer("FINAL", "_CHOICE:", (" 2", {" 2": 0.6, " 1": 0.2, " the": 0.1}))
    shares = from_logprobs(question(3), said, (14, 15))
    assert shares is not None
    assert shares.by_action == pytest.approx({10: 0.25, 20: 0.75, 30: 0.0})
    assert shares.covered == pytest.approx(0.8)


def test_disabled_and_unlisted_numbers_have_no_share() -> None:
    said = answer("x:", ("2", {"2": 0.5, "1": 0.25, "7": 0.25}))
    shares = from_logprobs(question(3, disabled=(1,)), said, (2, 3))
    assert shares is not None
    assert shares.by_action == {20: 1.0, 30: 0.0}
    covers(question(3, disabled=(1,)), shares.by_action)


def test_a_digit_is_no_distribution_where_it_may_begin_a_longer_number() -> None:
    said = answer("x:", ("1", {"1": 0.9, "2": 0.1}))
    assert from_logprobs(question(9), said, (2, 3)) is not None
    assert from_logprobs(question(10), said, (2, 3)) is None
    whole = answer("x:", ("10", {"10": 0.9, "2": 0.1}))
    shares = from_logprobs(question(10), whole, (2, 4))
    assert shares is not None and shares.by_action[100] == pytest.approx(0.9)


def test_a_number_of_several_tokens_is_no_distribution() -> None:
    said = answer("x:", ("1", {"1": 1.0}), ("0", {"0": 1.0}))
    assert from_logprobs(question(10), said, (2, 4)) is None


def test_no_log_probabilities_are_no_distribution() -> None:
    assert from_logprobs(question(3), Answer("3", None, "stop", {}), (0, 1)) is None
    assert from_logprobs(question(3), answer("3"), None) is None


def test_votes_are_shares() -> None:
    shares = from_votes(question(3), [1, 3, 3, 3])
    assert shares is not None
    assert shares.by_action == {10: 0.25, 20: 0.0, 30: 0.75}


def test_a_distribution_covers_exactly_the_enabled_options() -> None:
    asked = question(3, disabled=(2,))
    covers(asked, {10: 0.5, 30: 0.5})
    with pytest.raises(PolicyError, match=r"missing \[30\]"):
        covers(asked, {10: 1.0})
    with pytest.raises(PolicyError, match=r"not enabled \[20\]"):
        covers(asked, {10: 0.5, 20: 0.1, 30: 0.4})


def test_argmax_takes_the_first_of_equals() -> None:
    assert select(question(3), {30: 0.4, 20: 0.4, 10: 0.2}, "argmax") == 20


def test_samples_follow_the_seed_and_the_distribution() -> None:
    shares = {10: 0.0, 20: 0.25, 30: 0.75}
    rng = np.random.default_rng(1)
    drawn = [select(question(3), shares, "sample", rng) for _ in range(400)]
    again = np.random.default_rng(1)
    assert drawn[:9] == [select(question(3), shares, "sample", again) for _ in range(9)]
    assert drawn.count(10) == 0
    assert 0.65 < drawn.count(30) / 400 < 0.85


def test_a_sample_needs_a_generator_and_a_known_way() -> None:
    shares = {10: 0.5, 20: 0.5}
    with pytest.raises(PolicyError, match="generator"):
        select(question(2), shares, "sample")
    with pytest.raises(PolicyError, match=r"argmax.*sample.*'best'"):
        select(question(2), shares, "best")


def test_a_question_has_options_with_tokens_of_their_own() -> None:
    option = question(1).options[0]
    with pytest.raises(PolicyError, match="needs options"):
        Question(())
    with pytest.raises(PolicyError, match="two options of token 'fight 1,0'"):
        Question((option, option))


def test_a_narrowed_question_enables_nothing_new() -> None:
    asked = question(4, disabled=(2,))
    assert asked.narrowed([1, 2, 4]).numbers == (1, 4)
    assert len(asked.narrowed([1]).options) == 4
