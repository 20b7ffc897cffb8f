"""Student's t and the binomial's tail, against tables and closed forms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.lift.distributions import (
    fair_tail,
    incomplete_beta,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.30265), (4, 2.77645), (9, 2.26216), (19, 2.09302), (49, 2.00958)],
)
def test_t_table(freedom: int, t: float) -> None:
    """The 0.975 column of any printed table."""
    assert t_quantile(0.975, freedom) == pytest.approx(t, abs=5e-6 * t)


def test_t_with_one_and_two_degrees() -> None:
    """Both have a closed form: the Cauchy distribution, and 1/2 + t / (2·√(2 + t²))."""
    for t in (-3.0, -0.5, 0.0, 0.1, 7.0):
        assert t_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)
        assert t_cdf(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-14)


def test_t_tends_to_the_normal() -> None:
    assert t_quantile(0.975, 1e7) == pytest.approx(1.959964, abs=1e-6)


@settings(deadline=None)
@given(st.floats(0.001, 0.999), st.integers(1, 200))
def test_t_quantile_inverts(p: float, freedom: int) -> None:
    assert t_cdf(t_quantile(p, freedom), freedom) == pytest.approx(p, abs=1e-10)


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.floats(0.01, 0.99))
def test_beta_is_a_binomial_tail(a: int, b: int, x: float) -> None:
    """For whole a and b, I_x(a, b) is the chance of a or more hits in a + b - 1 throws."""
    n = a + b - 1
    tail = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))
    assert incomplete_beta(a, b, x) == pytest.approx(tail, abs=1e-11)


def test_normal() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959963985)
    assert normal_cdf(1.959963985) == pytest.approx(0.975)
    assert normal_cdf(-10) == pytest.approx(7.61985e-24, rel=1e-5)


def test_fair_tail() -> None:
    assert fair_tail(10, 1) == 11 / 1024
    assert fair_tail(0, 0) == 1
