"""Goal accuracy: whether the user's goal was reached, one yes-or-no question to a judge."""

from __future__ import annotations

from typing import Final

from skillgauge.lift.metrics import Measure, Subject
from skillgauge.lift.metrics._judged import score

ACHIEVED: Final = "ACHIEVED"


def measure(subject: Subject) -> Measure:
    """Return 1 if the judge says that the goal was reached, 0 if not."""
    missing = "" if subject.case.expected_output else "the case has no expected output"
    return score(subject, "goal_accuracy", (ACHIEVED,), missing)
