"""The structural score: deductions a dimension, weighted, as the ACES paper has it.

Each dimension starts at 100, a rule that fires deducts once, the floor is 0. It measures the
document's structure, never its quality.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from skillgauge.rule import Dimension, Finding, Rule
from skillgauge.text import Span

WEIGHTS: Final[dict[Dimension, float]] = {
    "correctness": 0.35,
    "discoverability": 0.25,
    "reliability": 0.25,
    "efficiency": 0.15,
}
GRADES: Final = ((90.0, "A"), (80.0, "B"), (70.0, "C"), (60.0, "D"), (0.0, "F"))
GATE: Final = 70.0
"""The score that ACES asks of a skill before it is published."""


@dataclass(frozen=True, slots=True)
class Deducted:
    """A rule that fired, and what it cost."""

    code: str
    rule: str
    points: int
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension, 0 to 100, with what was taken off."""

    score: float
    deductions: tuple[Deducted, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """The composite, 0 to 100 with one decimal, its grade and the four dimensions."""

    score: float
    grade: str
    dimensions: dict[Dimension, DimensionScore]


def score(fired: Iterable[tuple[Rule, Finding]]) -> Structure:
    """Compute the score from the rules that fired, each with its first finding."""
    taken: dict[Dimension, list[Deducted]] = {name: [] for name in WEIGHTS}
    for rule, finding in fired:
        if rule.deduction:
            taken[rule.deduction.dimension].append(
                Deducted(rule.code, rule.name, rule.deduction.points, finding.message, finding.span)
            )
    dimensions: dict[Dimension, DimensionScore] = {
        name: DimensionScore(max(0.0, 100.0 - sum(item.points for item in items)), tuple(items))
        for name, items in taken.items()
    }
    correct, found, sure, lean = (
        WEIGHTS[name] * dimensions[name].score
        for name in ("correctness", "discoverability", "reliability", "efficiency")
    )
    composite = correct + found + sure + lean  # not sum(): from 3.12 on that rounds otherwise
    return Structure(round(composite, 1), grade_of(composite), dimensions)


def grade_of(value: float) -> str:
    """Return the letter of a score."""
    return next(letter for floor, letter in GRADES if value >= floor)
