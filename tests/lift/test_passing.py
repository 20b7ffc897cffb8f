"""pass@k, McNemar's test and what a success costs, against counts made by hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.lift.passing import (
    context_cost,
    mcnemar,
    paired_outcomes,
    pass_at_k,
    pass_hat_k,
    pass_rates,
    per_success,
)


@settings(deadline=None)
@given(st.integers(1, 7), st.data())
def test_pass_at_k_is_a_share_of_subsets(attempts: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, attempts))
    k = data.draw(st.integers(1, attempts))
    chosen = list(combinations([True] * passed + [False] * (attempts - passed), k))
    assert pass_at_k(attempts, passed, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(attempts, passed, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_pass_at_k_refuses_more_than_there_are() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        pass_at_k(2, 1, 3)


def test_pass_rates() -> None:
    found = pass_rates({"a": [1.0, 0.0], "b": [0.5, 0.9], "c": [0.49, 0.1], "d": []})
    assert found.attempts == 2
    assert (found.any.count, found.any.total) == (2, 3)
    assert found.every.count == 1
    assert found.at_k == pytest.approx({1: 0.5, 2: 2 / 3})
    assert found.hat_k == pytest.approx({1: 0.5, 2: 1 / 3})


def test_pass_rates_of_nothing() -> None:
    found = pass_rates({})
    assert found.any.share is None
    assert found.at_k == {}


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (1, 9, 22 / 1024),
        (9, 1, 22 / 1024),
        (5, 15, 43400 / 2**20),
        (0, 5, 0.0625),
        (3, 3, 1),
        (0, 0, 1),
    ],
)
def test_mcnemar_by_hand(first: int, second: int, p: float) -> None:
    """2·(1 + 10)/2^10, 2·(1 + 20 + 190 + 1140 + 4845 + 15504)/2^20, 2/2^5; even is no evidence."""
    assert mcnemar(first, second) == pytest.approx(p)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_properties(first: int, second: int) -> None:
    assert 0 < mcnemar(first, second) <= 1
    assert mcnemar(first, second) == mcnemar(second, first)


def test_paired_outcomes() -> None:
    skill = {"a": [1.0], "b": [1.0], "c": [0.0], "d": [0.0], "only": [1.0], "late": [0.0, 1.0]}
    baseline = {"a": [1.0], "b": [0.0], "c": [1.0], "d": [0.0], "late": [0.0]}
    found = paired_outcomes(skill, baseline)
    assert (found.both, found.skill_only, found.baseline_only, found.neither) == (1, 1, 1, 2)
    assert found.p == 1


def test_per_success_counts_failures() -> None:
    assert per_success([100, 300, 200], [1.0, 0.0, 0.5]) == 300
    assert per_success([100, None], [1.0, 1.0]) is None
    assert per_success([100, 100], [0.0, 0.49]) is None
    with pytest.raises(ValueError, match="each attempt"):
        per_success([1], [])


def test_context_cost() -> None:
    skill = {"a": [1200, 1400], "b": [1100], "c": [1000]}
    baseline = {"a": [1000], "b": [1000], "c": [900, 900], "d": [1]}
    found = context_cost(skill, baseline)
    assert found is not None
    assert found.estimate == pytest.approx((300 + 100 + 100) / 3)
    assert found.n_cases == 3
    assert context_cost(skill, {"a": [1], "b": [1]}) is None


def test_context_cost_is_not_imprecise_for_its_unit() -> None:
    skill = {f"c{index}": [1000 + 10 * index] for index in range(10)}
    found = context_cost(skill, {case: [500] for case in skill})
    assert found is not None
    assert found.precision == "adequate"
