"""How large a lift is and how sure: the paired bootstrap over cases, and shares of cases."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.lift.distributions import normal_cdf, normal_quantile, t_quantile

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
"""The least number; as many more are drawn as it takes to have BEYOND of them in each tail."""
BEYOND: Final = 200
SEED: Final = 0
FEW: Final = 5
"""With fewer cases no interval is worth its name, and the precision is *insufficient*."""
LOW: Final = 10
WIDE: Final = 0.20
EXACT: Final = 7
"""Up to that many cases all resamples there can be are counted instead of drawn (1,716 of 7)."""
TIE: Final = 1e-9
"""Scores closer than that are equal: they differ by the order of additions only."""

Precision = Literal["insufficient", "low", "adequate"]
Method = Literal["none", "exact_expanded_percentile", "expanded_percentile"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of paired differences with its interval; the bounds are None below two cases."""

    estimate: float
    low: float | None
    high: float | None
    n_cases: int
    precision: Precision
    method: Method
    resamples: int
    seed: int = SEED
    confidence: float = CONFIDENCE

    @property
    def excludes_zero(self) -> bool:
        """Whether the data speak for a difference: enough cases, and zero is out of the interval.

        Bounds that are zero up to rounding do not count as apart from it.
        """
        if self.low is None or self.high is None or self.n_cases < FEW:
            return False
        return self.low > TIE or self.high < -TIE


@dataclass(frozen=True, slots=True)
class Share:
    """A share of cases with its Wilson interval; None of none."""

    count: int
    total: int
    share: float | None
    low: float | None
    high: float | None


def paired_estimate(
    treated: Mapping[str, float],
    control: Mapping[str, float],
    *,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    wide: float = WIDE,
) -> Estimate | None:
    """Return the lift: the mean difference over the cases that both arms have; None without any.

    Cases come in the order of their ids, so that the same data give the same interval.
    """
    shared = sorted(treated.keys() & control.keys())
    return estimate([treated[key] - control[key] for key in shared], confidence, seed, wide)


def estimate(
    differences: Sequence[float],
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    wide: float = WIDE,
) -> Estimate | None:
    """Return the mean of differences with its expanded-percentile bootstrap interval.

    Source: T. Hesterberg, “What Teachers Should Know About the Bootstrap” (2015), section on
    expanded percentiles. Whole cases are drawn with replacement, and the interval ends at those
    quantiles of the resampled means that `expanded_tail` names in place of α/2.
    """
    if not differences:
        return None
    count, mean = len(differences), math.fsum(differences) / len(differences)
    if count == 1:
        return Estimate(mean, None, None, 1, "insufficient", "none", 0, seed, confidence)
    tail = expanded_tail(count, confidence)
    if count <= EXACT:
        means = sorted(_all_means(differences))
        low, high = _weighted_bounds(means, tail)
        method: Method = "exact_expanded_percentile"
        drawn = len(means)
    else:
        drawn = max(RESAMPLES, math.ceil(BEYOND / tail))
        low, high = _drawn_bounds(differences, drawn, tail, seed)
        method = "expanded_percentile"
    kind = precision(count, high - low, wide)
    return Estimate(mean, low, high, count, kind, method, drawn, seed, confidence)


def expanded_tail(count: int, confidence: float = CONFIDENCE) -> float:
    """Return the share of resamples to leave out on each side: Φ(-√(n/(n-1)) · t(1-α/2; n-1)).

    Source: Hesterberg (2015): it undoes the bootstrap's two faults at small n, a standard error
    too small by √((n-1)/n) and normal in place of t quantiles, and tends to α/2.
    """
    t = t_quantile(1 - (1 - confidence) / 2, count - 1)
    return normal_cdf(-math.sqrt(count / (count - 1)) * t)


def precision(count: int, width: float, wide: float = WIDE) -> Precision:
    """Return how much an interval says: by its cases and its width."""
    if count < FEW:
        return "insufficient"
    return "low" if count < LOW or width > wide else "adequate"


def _all_means(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield the mean of each multiset of n values with its probability (multinomial)."""
    count = len(values)
    whole = math.factorial(count)
    for times in _compositions(count, count):
        ways = whole
        for number in times:
            ways //= math.factorial(number)
        total = math.fsum(value * number for value, number in zip(values, times, strict=True))
        yield total / count, ways / count**count


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a total as that many whole numbers from 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _weighted_bounds(means: list[tuple[float, float]], tail: float) -> tuple[float, float]:
    return _reach(means, tail), _reach(reversed(means), tail)


def _reach(means: Iterator[tuple[float, float]] | list[tuple[float, float]], tail: float) -> float:
    """Return the first mean up to which at least the tail's probability lies."""
    seen, reached = 0.0, math.nan
    for value, weight in means:
        seen, reached = seen + weight, value
        if seen >= tail:
            break
    return reached


def _drawn_bounds(
    values: Sequence[float], drawn: int, tail: float, seed: int
) -> tuple[float, float]:
    dice, count = random.Random(seed), len(values)
    means = sorted(sum(dice.choices(values, k=count)) / count for _ in range(drawn))
    index = max(math.ceil(tail * drawn) - 1, 0)
    return means[index], means[-1 - index]


def wilson(count: int, total: int, confidence: float = CONFIDENCE) -> Share:
    """Return a share with its score interval, without correction for continuity.

    Source: E. B. Wilson (1927): (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if not total:
        return Share(0, 0, None, None, None)
    z = normal_quantile(1 - (1 - confidence) / 2)
    share, square = count / total, z * z
    middle = share + square / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    whole = 1 + square / total
    low = 0.0 if count == 0 else max((middle - spread) / whole, 0.0)
    high = 1.0 if count == total else min((middle + spread) / whole, 1.0)
    return Share(count, total, share, low, high)


@dataclass(frozen=True, slots=True)
class Signs:
    """In how many paired cases the skill helped, hurt, or made no difference."""

    better: int
    worse: int
    equal: int

    @property
    def positive(self) -> Share:
        """The positive rate: the share of paired cases with a difference above zero."""
        return wilson(self.better, self.better + self.worse + self.equal)


def signs(differences: Sequence[float]) -> Signs:
    """Count the differences by sign; those within TIE of zero are equal.

    Source: the positive rate of the ACES paper, cases with a positive difference by all paired.
    """
    better = sum(value > TIE for value in differences)
    worse = sum(value < -TIE for value in differences)
    return Signs(better, worse, len(differences) - better - worse)
