"""Distribution functions that the standard library lacks: Student's t, and the binomial's tail."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

_NORMAL: Final = NormalDist()
_TINY: Final = 1e-300
_MAX_TERMS: Final = 10_000


def normal_cdf(x: float) -> float:
    """Return Φ(x); by erfc, so that far tails keep their digits."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """Return the z with Φ(z) = p."""
    return _NORMAL.inv_cdf(p)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b).

    Source: the continued fraction of DLMF 8.17.22, worked out by Lentz's method as Thompson and
    Barnett (1986) changed it, on the side of (a + 1) / (a + b + 2) where it converges fast.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d, c = 1 / _apart(1 + term * d), _apart(1 + term / c)
            step = c * d
            total *= step
        if abs(step - 1) < 1e-15:
            break
    return front * total / a


def _apart(value: float) -> float:
    """Keep a divisor away from zero."""
    return value if abs(value) > _TINY else _TINY


def t_cdf(t: float, freedom: float) -> float:
    """Return P(T ≤ t) of Student's t distribution.

    Source: Abramowitz and Stegun 26.7.1: the two tails together are I_x(ν/2, 1/2) with
    x = ν / (ν + t²).
    """
    tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, freedom: float) -> float:
    """Return the t with P(T ≤ t) = p, by halving the range that holds it."""
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1 - p, freedom)
    low, high = 0.0, 2.0
    while t_cdf(high, freedom) < p:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if t_cdf(middle, freedom) < p else (low, middle)
    return (low + high) / 2


def fair_tail(count: int, most: int) -> float:
    """Return P(X ≤ most) of `count` tosses of a fair coin, exactly."""
    return sum(math.comb(count, k) for k in range(most + 1)) / 2**count
