"""What the judged metrics share: the score is worked out from verdicts, not taken from a judge."""

from __future__ import annotations

from collections.abc import Sequence

from skillgauge.lift.metrics import Measure, Part, Subject


def score(subject: Subject, metric: str, questions: Sequence[str], missing: str) -> Measure:
    """Return the share of questions that passed; no value without a verdict on each.

    `missing` says what the case lacks, "" if nothing.
    """
    if missing:
        return Measure(None, missing)
    if subject.trace is None:
        return Measure(None, "there is no trajectory")
    judgement = subject.judgements.get(metric)
    if judgement is None:
        return Measure(None, "no judge is set")
    if judgement.failure:
        return Measure(None, f"the judge failed: {judgement.failure}")
    given = [verdict.name for verdict in judgement.verdicts]
    if sorted(given) != sorted(questions):
        return Measure(
            None, f"the judge answered {len(set(given) & set(questions))} of {len(questions)}"
        )
    parts = tuple(
        Part(verdict.name, float(verdict.passed), verdict.reason) for verdict in judgement.verdicts
    )
    return Measure(sum(part.value or 0 for part in parts) / len(parts), "", parts)
