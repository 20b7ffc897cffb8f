"""Lift and its interval, against values worked out by hand or printed elsewhere."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.lift.statistics import (
    estimate,
    expanded_tail,
    paired_estimate,
    precision,
    signs,
    wilson,
)

SCORES = st.floats(-1, 1).map(lambda value: round(value, 3))


@pytest.mark.parametrize(
    ("count", "tail"), [(5, 0.000954), (10, 0.008556), (20, 0.015886), (50, 0.021177)]
)
def test_expanded_tail(count: int, tail: float) -> None:
    """Φ of -√1.25·2.776445, -√(10/9)·2.262157, …, by a table of the normal distribution."""
    assert expanded_tail(count) == pytest.approx(tail, rel=2e-3)


def test_expanded_tail_tends_to_half_alpha() -> None:
    assert expanded_tail(10**6) == pytest.approx(0.025, rel=1e-4)
    assert expanded_tail(10**6, 0.9) == pytest.approx(0.05, rel=1e-4)


def test_exact_interval_by_hand() -> None:
    """Five cases: all 3,125 resamples written out, the tail holds the 2.98 outermost of them."""
    values = [0.0, 0.1, 0.4, 0.5, 0.9]
    means = sorted(math.fsum(drawn) / 5 for drawn in product(values, repeat=5))
    at = math.ceil(expanded_tail(5) * len(means)) - 1
    assert at == 2
    found = estimate(values)
    assert found is not None
    assert found.estimate == pytest.approx(0.38)
    assert found.low == pytest.approx(means[at])
    assert found.high == pytest.approx(means[-1 - at])
    assert found.method == "exact_expanded_percentile"


def test_drawn_interval_is_near_the_t_interval() -> None:
    """Of symmetric data the expanded percentile interval is about mean ± t·s/√n."""
    values = [(index - 24.5) / 100 + 0.1 for index in range(50)]
    found = estimate(values)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    error = 2.00958 * math.sqrt(sum((v - 0.1) ** 2 for v in values) / 49 / 50)
    assert found.low == pytest.approx(0.1 - error, abs=0.003)
    assert found.high == pytest.approx(0.1 + error, abs=0.003)
    assert found.resamples >= 200 / expanded_tail(50)
    assert found.precision == "adequate"


def test_only_shared_cases_count() -> None:
    found = paired_estimate({"a": 1.0, "b": 0.5, "c": 1.0}, {"a": 0.0, "b": 0.5, "d": 0.9})
    assert found is not None
    assert (found.estimate, found.n_cases) == (0.5, 2)


def test_one_case_has_no_interval() -> None:
    found = paired_estimate({"a": 1.0}, {"a": 0.25})
    assert found is not None
    assert (found.estimate, found.low, found.high) == (0.75, None, None)
    assert found.precision == "insufficient"
    assert not found.excludes_zero


def test_none_without_pairs() -> None:
    assert paired_estimate({"a": 1.0}, {"b": 1.0}) is None


@pytest.mark.parametrize(
    ("count", "width", "word"),
    [
        (4, 0.0, "insufficient"),
        (5, 0.0, "low"),
        (9, 0.0, "low"),
        (10, 0.2, "adequate"),
        (10, 0.21, "low"),
    ],
)
def test_precision(count: int, width: float, word: str) -> None:
    assert precision(count, width) == word


def test_few_cases_never_exclude_zero() -> None:
    four, five = estimate([0.9] * 4), estimate([0.9] * 5)
    assert four is not None
    assert five is not None
    assert not four.excludes_zero
    assert five.excludes_zero


@settings(max_examples=40, deadline=None)
@given(st.lists(SCORES, min_size=2, max_size=6))
def test_small_interval_properties(values: list[float]) -> None:
    """It holds the mean, stays in the data's range, and turns over with the signs."""
    found, turned = estimate(values), estimate([-value for value in values])
    assert found is not None
    assert turned is not None
    assert found.low is not None
    assert found.high is not None
    assert turned.low is not None
    assert min(values) - 1e-12 <= found.low <= found.estimate + 1e-12
    assert found.estimate - 1e-12 <= found.high <= max(values) + 1e-12
    assert -turned.low == pytest.approx(found.high, abs=1e-9)


def test_drawn_interval_properties() -> None:
    """The same data give the same interval, and it moves along with them."""
    values, shift = [0.0, 0.0, 0.2, -0.4, 1.0, 0.5, 0.5, 0.25, 0.75], -0.375
    found, again = estimate(values), estimate(values)
    moved = estimate([value + shift for value in values])
    assert found == again
    assert found is not None
    assert moved is not None
    assert found.low is not None
    assert moved.low is not None
    assert moved.low == pytest.approx(found.low + shift, abs=1e-9)


def test_order_of_cases_does_not_matter() -> None:
    treated = {f"case-{index}": index / 20 for index in range(12)}
    control = dict.fromkeys(treated, 0.3)
    turned = dict(reversed(treated.items()))
    assert paired_estimate(treated, control) == paired_estimate(turned, control)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_printed(count: int, total: int, low: float, high: float) -> None:
    """The four examples of Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    found = wilson(count, total)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_wilson_of_none() -> None:
    assert wilson(0, 0).share is None
    with pytest.raises(ValueError, match="no share"):
        wilson(3, 2)


@settings(deadline=None)
@given(st.integers(1, 300), st.data())
def test_wilson_properties(total: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, total))
    found, other = wilson(count, total), wilson(total - count, total)
    assert found.share is not None
    assert found.low is not None
    assert found.high is not None
    assert other.low is not None
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert found.high == pytest.approx(1 - other.low)


def test_positive_rate() -> None:
    found = signs([0.2, 0.1, -0.1, 0.0, 1e-12])
    assert (found.better, found.worse, found.equal) == (2, 1, 2)
    assert found.positive.share == 0.4
