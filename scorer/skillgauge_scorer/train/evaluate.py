"""How well directions tell pairs apart that they have never seen, beside what is no direction.

The figures are AUROC over all positives and negatives, the share of pairs in the right order and
the mean margin of a pair in z, each with a 95 % bootstrap interval over pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.train import baselines
from skillgauge_scorer.train.dataset import Set
from skillgauge_scorer.train.fit import Direction
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.statistics import auroc, bootstrap, paired_accuracy


def evaluate(
    directions: Mapping[str, Direction], train: Mapping[str, Set], test: Mapping[str, Set]
) -> dict[str, Any]:
    """Return the figures of each metric and kind of pairs, and the means over metrics."""
    found = {
        metric: _metric(direction, train.get(metric), test[metric])
        for metric, direction in directions.items()
        if metric in test
    }
    return {"metrics": found, "macro": _macro(found)}


def _metric(direction: Direction, train: Set | None, test: Set) -> dict[str, Any]:
    good, bad = direction.z(test.positive), direction.z(test.negative)
    return by_kind(test.kinds, good, bad, baselines.scores(train, test))


def by_kind(
    kinds: NDArray[np.str_],
    good: Matrix,
    bad: Matrix,
    rivals: Mapping[str, tuple[Matrix, Matrix]],
) -> dict[str, Any]:
    """Return the figures of each kind of pairs, with the AUROC of each baseline beside."""
    found: dict[str, Any] = {}
    for kind in sorted(set(kinds.tolist())):
        inside = kinds == kind
        figures = compared(good[inside], bad[inside])
        figures["baselines"] = {
            name: round(auroc(one[0][inside], one[1][inside]), 3) for name, one in rivals.items()
        }
        found[kind] = figures
    return found


def compared(good: Matrix, bad: Matrix) -> dict[str, Any]:
    """Return AUROC, paired accuracy and margin of pairs, with their intervals."""

    def interval(measure: Any) -> list[float]:
        def drawn(rows: NDArray[np.int64]) -> float:
            return float(measure(good[rows], bad[rows]))

        return [round(one, 3) for one in bootstrap(len(good), drawn)]

    def margin(up: Matrix, down: Matrix) -> float:
        return float(np.mean(up - down))

    return {
        "pairs": len(good),
        "auroc": round(auroc(good, bad), 3),
        "auroc_interval": interval(auroc),
        "paired": round(paired_accuracy(good, bad), 3),
        "paired_interval": interval(paired_accuracy),
        "margin": round(margin(good, bad), 3),
        "margin_interval": interval(margin),
    }


def _macro(found: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the mean of each figure over the metrics that have it."""
    result: dict[str, Any] = {}
    for kind in ("plain", "matched"):
        rows = [one[kind] for one in found.values() if kind in one]
        if rows:
            result[kind] = {
                name: round(float(np.mean([row[name] for row in rows])), 3)
                for name in ("auroc", "paired", "margin")
            }
    return result
