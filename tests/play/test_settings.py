"""Names of assists and overrides: what is allowed, and one error for the rest."""

from __future__ import annotations

from typing import Any

import pytest

from mt_gym.errors import MtGymError
from mt_gym.play.settings import ASSISTS, OVERRIDES, assist_names, override_names


def test_true_and_none_mean_all_assists_and_false_none() -> None:
    assert assist_names(None) == assist_names(True) == ASSISTS
    assert assist_names(False) == assist_names([]) == ()


def test_names_come_in_the_order_in_which_they_are_asked() -> None:
    assert assist_names(["only_choice", "collect"]) == ("collect", "only_choice")
    assert override_names(["rule4", "mechanical"]) == OVERRIDES


@pytest.mark.parametrize("value", ["collect", 3, 1.5, {"collect"}, {"collect": 1}])
def test_anything_but_a_list_of_names_is_refused(value: Any) -> None:
    with pytest.raises(MtGymError, match=r"must be .* out of collect"):
        assist_names(value)


def test_an_unknown_name_is_refused_with_those_allowed() -> None:
    with pytest.raises(MtGymError) as caught:
        assist_names(["colect"])
    assert "unknown name 'colect'; did you mean 'collect'?" in str(caught.value)
    assert ", ".join(ASSISTS) in str(caught.value)
    with pytest.raises(MtGymError, match="overrides: unknown name 'rule5'"):
        override_names(["rule5"])
