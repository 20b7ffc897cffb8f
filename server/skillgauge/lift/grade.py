"""From what a trial left to its metrics. Nothing is asked, read or started: it is pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from skillgauge.lift.cases import Case
from skillgauge.lift.metrics import Measure, Subject, measure_all
from skillgauge.lift.plan import Arm

if TYPE_CHECKING:
    from skillgauge.lift.results import Judged, Ran
    from skillgauge.lift.trajectory._types import Trajectory


def grade(
    case: Case,
    arm: Arm,
    skill: str,
    trajectory: Trajectory | None,
    ran: Ran,
    judged: Mapping[str, Judged],
    canaries: Iterable[str] = (),
    *,
    supporting: Iterable[str] = (),
    chosen: Sequence[str] | None = None,
) -> dict[str, Measure]:
    """Return the metrics of a trial, or those chosen.

    `supporting` are the skills that lie beside it in both arms.
    """
    from skillgauge.lift.metrics._trace import trace_of

    planted = tuple(canaries)
    subject = Subject(
        case=case,
        arm=arm,
        trace=trace_of(trajectory) if trajectory else None,
        skill=skill,
        supporting=frozenset(supporting),
        canaries=planted,
        artifacts=dict(_texts(ran, planted)),
        judgements={metric: one.judgement for metric, one in judged.items()},
    )
    return measure_all(subject, chosen)


def _texts(ran: Ran, planted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what was left in files; of one that is not kept, the planted secret if it holds it."""
    for one in ran.artifacts:
        if one.text is not None:
            yield one.path, one.text
        elif one.leaked:
            yield one.path, " ".join(planted)
