"""What a judge is asked of a trial: the yes-or-no questions of each judged metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from skillgauge.lift.cases import Case
from skillgauge.lift.metrics.accuracy import CRITERIA
from skillgauge.lift.metrics.goal_accuracy import ACHIEVED

JUDGED: Final = ("accuracy", "goal_accuracy", "behavior_check")
BLIND: Final = frozenset({"accuracy", "goal_accuracy"})
"""Metrics of the outcome: their judge is not shown which skills were loaded."""
GOAL: Final = (
    "The state at the end is the one that the user asked for, as the reference describes it; "
    "a plan, a promise or an attempt that failed is not enough."
)


@dataclass(frozen=True, slots=True)
class Question:
    """A statement to be found true or not, by the name that its verdict has."""

    name: str
    text: str


def questions_of(metric: str, case: Case) -> tuple[Question, ...]:
    """Return the questions of a metric; none where the case lacks what they would be about."""
    if metric == "behavior_check":
        return tuple(Question(str(n), text) for n, text in enumerate(case.assertions, 1))
    if not case.expected_output:
        return ()
    if metric == "accuracy":
        return tuple(Question(name, text) for name, text in CRITERIA.items())
    return (Question(ACHIEVED, GOAL),) if metric == "goal_accuracy" else ()
