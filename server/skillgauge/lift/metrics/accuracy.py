"""Accuracy: whether the answer is right, by five yes-or-no questions to a judge.

They ask for the outcome alone: which skill was used is no part of it. The value is the share of
questions that passed.
"""

from __future__ import annotations

from typing import Final

from skillgauge.lift.metrics import Measure, Subject
from skillgauge.lift.metrics._judged import score

CRITERIA: Final = {
    "FORMAT_FOLLOWED": "The answer has the form that the request asks for.",
    "ACTION_CORRECT": "What the agent did is what the reference asks for.",
    "FACTUALLY_ACCURATE": "Nothing in the answer contradicts the reference.",
    "TASK_ADDRESSED": "The answer covers the whole request.",
    "ACTIONABLE": "The user can use the answer as it is.",
}
"""The questions by name, as a judge is asked them."""


def measure(subject: Subject) -> Measure:
    """Return the share of the criteria that the judge says are met."""
    missing = "" if subject.case.expected_output else "the case has no expected output"
    return score(subject, "accuracy", tuple(CRITERIA), missing)
