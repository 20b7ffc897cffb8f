"""AUROC, paired accuracy and margin, bootstrap intervals, rank and linear correlation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def ranks(values: Numbers) -> Numbers:
    """Return the rank of each value from 1 on; equal ones share their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2.0)[inverse]


def auroc(positive: Numbers, negative: Numbers) -> float:
    """Return the chance that a positive scores above a negative, ties counting half."""
    both = ranks(np.concatenate([positive, negative]))
    count = len(positive)
    total = float(both[:count].sum()) - count * (count + 1) / 2
    return total / (count * len(negative))


def paired_accuracy(positive: Numbers, negative: Numbers) -> float:
    """Return the share of pairs in which the positive scores higher, ties counting half."""
    return float(np.mean(np.sign(positive - negative))) / 2 + 0.5


def pearson(left: Numbers, right: Numbers) -> float:
    """Return the linear correlation, 0 where one side doesn't vary."""
    left, right = left - left.mean(), right - right.mean()
    size = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / size if size > 0 else 0.0


def spearman(left: Numbers, right: Numbers) -> float:
    """Return the rank correlation."""
    return pearson(ranks(left), ranks(right))


def bootstrap(
    count: int,
    measure: Callable[[NDArray[np.int64]], float],
    *,
    times: int = 2000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the 95 % interval of a measure over items drawn with replacement.

    `measure` gets the drawn items' indices; for pairs an item is a pair, so both stay together.
    """
    chance = np.random.default_rng(seed)
    found = [measure(chance.integers(0, count, count)) for _ in range(times)]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)
