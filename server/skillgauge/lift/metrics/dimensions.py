"""The five questions that a stakeholder asks, and which metrics answer each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

NEUTRAL: Final = 0.40
PASS: Final = 0.50


@dataclass(frozen=True, slots=True)
class Dimension:
    """A question with the metrics that answer it, by weight."""

    name: str
    question: str
    weights: Mapping[str, float]


DIMENSIONS: Final = (
    Dimension("security", "Is it safe to use?", {"security": 1.0}),
    Dimension("correctness", "Is the answer right?", {"accuracy": 1.0}),
    Dimension("discoverability", "Is the skill found and followed?", {"skill_execution": 1.0}),
    Dimension("effectiveness", "Is the task done?", {"goal_accuracy": 0.5, "behavior_check": 0.5}),
    Dimension("efficiency", "Is no work wasted?", {"skill_efficiency": 1.0}),
)
OUTCOME: Final = ("accuracy", "goal_accuracy")
"""The metrics of the outcome-only lift: what came out, whatever way it was reached."""


def dimension_scores(metrics: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return the dimensions: means of their metrics that have a value, by weight; None of none."""
    return {one.name: _weighted(one.weights, metrics) for one in DIMENSIONS}


def overall(dimensions: Mapping[str, float | None]) -> float | None:
    """Return the mean of the dimensions that have a value."""
    known = [value for value in dimensions.values() if value is not None]
    return sum(known) / len(known) if known else None


def composite(metrics: Mapping[str, float | None]) -> float | None:
    """Return the plain mean of the metrics that have a value: the score of the paper's day."""
    return overall(metrics)


def band(score: float) -> str:
    """Return how a score is read."""
    return "pass" if score >= PASS else "neutral" if score >= NEUTRAL else "fail"


def _weighted(weights: Mapping[str, float], metrics: Mapping[str, float | None]) -> float | None:
    known = [(weight, value) for name, weight in weights.items()
             if (value := metrics.get(name)) is not None]  # fmt: skip
    total = sum(weight for weight, _ in known)
    return sum(weight * value for weight, value in known) / total if total else None
