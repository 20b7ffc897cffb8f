"""Statistics of the evaluation against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge_scorer.train.statistics import (
    auroc,
    bootstrap,
    paired_accuracy,
    pearson,
    ranks,
    spearman,
)

numbers = st.lists(st.integers(-50, 50).map(float), min_size=2, max_size=12).map(np.array)


def test_ranks_share_ties() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_auroc_counts_wins_and_halves_ties() -> None:
    # Of 6 comparisons 3 are won, 1 is a tie.
    assert auroc(np.array([0.5, 0.9]), np.array([0.5, 0.7, 0.1])) == pytest.approx(4.5 / 6)
    assert auroc(np.array([1.0]), np.array([1.0])) == 0.5


@settings(max_examples=40, deadline=None)
@given(numbers, numbers)
def test_auroc_is_the_share_of_won_comparisons(good: np.ndarray, bad: np.ndarray) -> None:
    won = np.mean([(a > b) + 0.5 * (a == b) for a in good for b in bad])
    assert auroc(good, bad) == pytest.approx(float(won))
    assert auroc(good, bad) + auroc(bad, good) == pytest.approx(1.0)


def test_paired_accuracy() -> None:
    good, bad = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 2.0, 5.0, 1.0])
    assert paired_accuracy(good, bad) == 2.5 / 4


def test_correlations() -> None:
    left, right = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 4.0, 9.0, 16.0])
    assert pearson(left, right) == pytest.approx(0.984374, abs=1e-6)
    assert spearman(left, right) == pytest.approx(1.0)
    assert pearson(left, np.ones(4)) == 0.0


def test_the_bootstrap_interval_of_a_mean() -> None:
    values = np.random.default_rng(3).normal(2.0, 1.0, 400)
    low, high = bootstrap(400, lambda rows: float(values[rows].mean()))
    half = 1.96 * float(values.std()) / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.02)
    assert (low, high) == bootstrap(400, lambda rows: float(values[rows].mean()))
