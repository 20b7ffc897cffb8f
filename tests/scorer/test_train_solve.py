"""Directions: blind to their confounds, and strong where the plain mean difference is weak."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge_scorer.train.solve import Method, Recipe, confound, logistic_line, solve
from skillgauge_scorer.train.statistics import auroc, pearson

RECIPES = (Recipe("mean"), Recipe("whitened", 0.2), Recipe("logistic", 1.0))


def pairs(seed: int, count: int = 40, width: int = 12) -> Any:
    """Return positives and negatives that differ in the first coordinate, and a loud second one."""
    random = np.random.default_rng(seed)
    spread = np.array([1.0, 30.0, *[1.0] * (width - 2)])
    base = random.normal(size=(count, width)) * spread
    noise = random.normal(size=(2, count, width)) * spread
    step = np.zeros(width)
    step[0] = 2.0
    return base + 0.3 * noise[0] + step, base + 0.3 * noise[1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(RECIPES), st.integers(1, 3))
def test_scores_do_not_correlate_with_confounds(seed: int, recipe: Recipe, count: int) -> None:
    good, bad = pairs(seed)
    random = np.random.default_rng(seed + 1)
    texts = random.normal(size=(50, 12)) * np.array([1.0, 30.0, *[1.0] * 10])
    features = [texts @ random.normal(size=12) + random.normal(size=50) for _ in range(count)]
    confounds = np.array([confound(texts, feature) for feature in features])
    vector = solve(recipe, good, bad, np.ones(len(good)), confounds)
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0)
    for feature in features:
        assert pearson(texts @ vector, feature) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("method", ["whitened", "logistic"])
def test_a_loud_coordinate_that_means_nothing_is_seen_through(method: Method) -> None:
    good, bad = pairs(1, count=60)
    fresh, worse = pairs(2, count=60)
    none = np.zeros((0, 12))
    plain = solve(Recipe("mean"), good, bad, np.ones(60), none)
    fitted = solve(Recipe(method, 0.1), good, bad, np.ones(60), none)
    assert auroc(fresh @ fitted, worse @ fitted) > 0.85
    assert auroc(fresh @ fitted, worse @ fitted) > auroc(fresh @ plain, worse @ plain)


def test_weights_say_which_pairs_count() -> None:
    good = np.array([[1.0, 0.0], [0.0, 1.0]])
    vector = solve(Recipe("mean"), good, -good, np.array([1.0, 0.0]), np.zeros((0, 2)))
    assert vector == pytest.approx([1.0, 0.0])


def test_the_whole_difference_may_be_a_confound() -> None:
    good, bad = np.array([[1.0, 0.0], [1.2, 0.0]]), np.array([[0.0, 0.0], [0.2, 0.0]])
    vector = solve(Recipe("mean"), good, bad, np.ones(2), np.array([[1.0, 0.0]]))
    assert np.isfinite(vector).all()
    assert good @ vector == pytest.approx([0.0, 0.0], abs=1e-9)


def test_a_constant_feature_is_no_confound() -> None:
    assert confound(np.eye(3), np.full(3, 7.0)).tolist() == [0.0, 0.0, 0.0]


def test_the_line_of_a_logistic() -> None:
    scores = np.array([-2.0, -1.0, 1.0, 2.0] * 25)
    slope, shift = logistic_line(scores, (scores > 0).astype(float))
    assert slope > 1.5
    assert shift == pytest.approx(0.0, abs=1e-6)
    flat, even = logistic_line(scores, np.array([0.0, 1.0, 0.0, 1.0] * 25))
    chance = 1 / (1 + np.exp(-(flat * 2.0 + even)))
    assert 0.5 < chance < 0.7
