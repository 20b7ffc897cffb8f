"""Behaviour check: which of the case's assertions hold, each a yes-or-no question to a judge.

A verdict is named after the number of its assertion, from 1. One that is missing is not taken as
failed: without a verdict on each assertion there is no value.
"""

from __future__ import annotations

from skillgauge.lift.metrics import Measure, Subject
from skillgauge.lift.metrics._judged import score


def measure(subject: Subject) -> Measure:
    """Return the share of the assertions that the judge says hold."""
    count = len(subject.case.assertions)
    missing = "" if count else "the case has no assertions"
    return score(subject, "behavior_check", [str(n + 1) for n in range(count)], missing)
