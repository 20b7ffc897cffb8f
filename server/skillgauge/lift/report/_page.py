"""What the page shows, in its order: rows of charts, and cases with their attempts arm by arm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skillgauge.lift.metrics import Finding
from skillgauge.lift.metrics.dimensions import DIMENSIONS
from skillgauge.lift.pairing import CONTROL, TREATED
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.report import _charts
from skillgauge.lift.report._charts import Axis, Bar, Mark
from skillgauge.lift.report._diff import Compared, outcomes
from skillgauge.lift.report._model import (
    ArmFigures,
    Attempt,
    CaseResult,
    Level,
    RunReport,
    Scope,
    Unmet,
)
from skillgauge.lift.report._steps import Room
from skillgauge.lift.report._words import Verdict, blamed, missing, notes, title, verdict
from skillgauge.lift.statistics import Estimate

DETAILS: Final = 1_000_000
"""Characters of HTML for what is told of attempts beside their trajectories."""
MOST_DETAILS: Final = 30_000
MAX_FINDINGS: Final = 100
"""Of the list of all; each attempt has its own, too."""
ARMS: Final[dict[Arm, str]] = {
    TREATED: "With the skill",
    CONTROL: "Without the skill",
    "placebo": "Placebo text",
}


@dataclass(frozen=True, slots=True)
class LiftRow:
    """A row of the chart of lifts."""

    name: str
    about: str
    treated: float | None
    control: float | None
    estimate: Estimate | None
    mark: Mark | None
    why: str = ""
    """Why there is no lift."""
    group: str = ""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A case in the heat map."""

    name: str
    link: str
    cells: tuple[CaseResult | None, ...]


@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm on a harness, in the charts of solved cases and of cost."""

    scope: Scope
    cell: str
    arm: str
    kind: Arm
    any: Bar | None
    tokens: Bar | None


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A security finding with where it was seen."""

    finding: Finding
    case: ShownCase
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One attempt at a case in all arms."""

    number: int
    arms: tuple[tuple[str, Attempt], ...]
    metrics: tuple[str, ...]
    unmet: tuple[tuple[str, Unmet], ...]
    findings: tuple[tuple[str, Finding], ...]
    compared: tuple[Compared, ...]
    unmet_left_out: int = 0


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case on one harness as the page opens it."""

    result: CaseResult
    link: str
    prompt: str
    expected: str
    wrong: bool
    blamed: str
    attempts: tuple[ShownAttempt, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All parts of the page."""

    verdict: Verdict
    notes: list[str]
    axis: Axis
    lifts: tuple[LiftRow, ...]
    heat: tuple[HeatRow, ...]
    arms: tuple[ArmRow, ...]
    shares: Axis
    cases: tuple[ShownCase, ...]
    findings: tuple[FindingRow, ...]
    findings_left_out: int
    faults: tuple[tuple[ShownCase, Attempt], ...]
    missing: list[tuple[str, str]]
    ran: bool
    """Whether any trial has a result."""


def page_of(report: RunReport) -> Page:
    """Return the page of a run."""
    levels = (report.outcome, report.composite, *report.metrics, *report.dimensions)
    lifts = (report.lift, *(one.estimate for one in levels), *(one.lift for one in report.scopes))
    axis = _charts.lift_axis(lifts)
    cases = tuple(_cases(report))
    found = [FindingRow(finding, case, attempt) for case in cases
             for attempt in case.result.attempts for finding in attempt.findings]  # fmt: skip
    order = {"critical": 0, "warning": 1, "info": 2}
    found.sort(key=lambda row: order[row.finding.severity])
    return Page(
        verdict=verdict(report),
        notes=notes(report),
        axis=axis,
        lifts=tuple(_lifts(report, axis)),
        heat=tuple(_heat(cases, report.cells)),
        arms=tuple(_arms(report)),
        shares=_charts.SHARES,
        cases=cases,
        findings=tuple(found[:MAX_FINDINGS]),
        findings_left_out=max(len(found) - MAX_FINDINGS, 0),
        faults=tuple(
            (case, one)
            for case in cases
            for one in case.result.attempts
            if one.state == "infra-error"
        ),
        missing=missing(report),
        ran=report.counts.get("done", 0) > 0,
    )


def _lifts(report: RunReport, axis: Axis) -> Iterator[LiftRow]:
    """Yield the headline, what it is made of, the metrics behind that, and each harness."""
    summary = report.summary
    about = f"mean of {', '.join(report.compared)}" if report.compared else ""
    yield LiftRow(
        *("Lift", about, summary.treated, summary.control),
        *(summary.lift, _charts.mark(summary.lift, axis)),
    )
    questions = {one.name: one.question for one in DIMENSIONS}
    for one in report.dimensions:
        yield _level(one, questions[one.name], axis, "Dimensions")
    for one in report.metrics:
        yield _level(one, "", axis, "Metrics")
    others = (
        (report.outcome, "Outcome only", "mean of accuracy and goal accuracy"),
        (report.composite, "Composite", "mean of all metrics that an arm has, as older figures"),
    )
    for one, name, about in others:
        yield replace(_level(one, about, axis, "Other ways to count"), name=name)
    if len(report.scopes) > 1:
        yield from (_harness(one, axis) for one in report.scopes)


def _harness(scope: Scope, axis: Axis) -> LiftRow:
    return LiftRow(
        name=str(scope.cell),
        about="",
        treated=scope.treated,
        control=scope.control,
        estimate=scope.lift,
        mark=_charts.mark(scope.lift, axis),
        why="" if scope.lift else "no case has a result in both arms",
        group="Harnesses",
    )


def _level(one: Level, about: str, axis: Axis, group: str) -> LiftRow:
    why = ""
    if one.estimate is None:
        arms = [reason for reason in one.missing if one.treated is None or reason.arm == CONTROL]
        why = arms[0].reason if arms else "not measured in both arms"
    mark = _charts.mark(one.estimate, axis)
    return LiftRow(title(one.name), about, one.treated, one.control, one.estimate, mark, why, group)


def _heat(cases: Sequence[ShownCase], cells: Sequence[Cell]) -> Iterator[HeatRow]:
    by_case: dict[str, dict[Cell, ShownCase]] = {}
    for one in cases:
        by_case.setdefault(one.result.case.id, {})[one.result.cell] = one
    for name, found in by_case.items():
        first = next(iter(found.values()))
        row = (found.get(cell) for cell in cells)
        yield HeatRow(name, first.link, tuple(one.result if one else None for one in row))


def _arms(report: RunReport) -> Iterator[ArmRow]:
    scopes = [*report.scopes, *([report.whole] if len(report.scopes) > 1 else [])]
    figures: list[tuple[Scope, Arm, ArmFigures]] = [
        (scope, arm, scope.arms[arm]) for scope in scopes for arm in report.arms
    ]
    tokens = _charts.bars([one.tokens for _, _, one in figures])
    for (scope, arm, one), token in zip(figures, tokens, strict=True):
        cell = str(scope.cell) if scope.cell else "all together"
        yield ArmRow(scope, cell, ARMS[arm], arm, _charts.share_bar(one.rates.any), token)


def _cases(report: RunReport) -> Iterator[ShownCase]:
    room = Room.of(len(report.cases) * max(report.attempts, 1), DETAILS, MOST_DETAILS)
    for number, one in enumerate(report.cases, 1):
        room.begin()
        yield ShownCase(
            result=one,
            link=f"case-{number}",
            prompt=room.take(one.case.prompt),
            expected=room.take(one.case.expected_output),
            wrong=is_wrong(one),
            blamed=blamed(one),
            attempts=tuple(_attempts(one, room)),
        )


def is_wrong(one: CaseResult) -> bool:
    """Return whether a case deserves a look: not passed, worse than without, or not measured."""
    if one.treated is None or (one.lift is not None and one.lift < 0):
        return True
    return any(attempt.passed is False or attempt.blame for attempt in one.of(TREATED))


def _attempts(one: CaseResult, room: Room) -> Iterator[ShownAttempt]:
    numbers = sorted({attempt.trial.attempt for attempt in one.attempts})
    for number in numbers:
        room.begin()
        found = [attempt for attempt in one.attempts if attempt.trial.attempt == number]
        by_arm = {attempt.trial.arm: attempt for attempt in found}
        treated, control = by_arm.get(TREATED), by_arm.get(CONTROL)
        unmet = list(_unmet(found, room))
        yield ShownAttempt(
            number=number,
            arms=tuple((ARMS[attempt.trial.arm], attempt) for attempt in found),
            metrics=tuple(dict.fromkeys(name for a in found for name in a.measures)),
            unmet=tuple(unmet),
            findings=tuple(_findings(found, room)),
            compared=tuple(outcomes(treated, control, room)) if treated and control else (),
            unmet_left_out=sum(len(attempt.unmet) for attempt in found) - len(unmet),
        )


def _unmet(attempts: Iterable[Attempt], room: Room) -> Iterator[tuple[str, Unmet]]:
    for attempt in attempts:
        for one in attempt.unmet:
            if room.left < 400:
                return
            room.left -= 200
            text, quote, reason = (room.take(t, 600) for t in (one.text, one.quote, one.reason))
            shown = replace(one, text=text, quote=quote, reason=reason)
            yield ARMS[attempt.trial.arm], shown


def _findings(attempts: Iterable[Attempt], room: Room) -> Iterator[tuple[str, Finding]]:
    for attempt in attempts:
        for one in attempt.findings:
            if room.left < 400:
                return
            room.left -= 200
            message, evidence = room.take(one.message, 500), room.take(one.evidence, 500)
            shown = replace(one, message=message, evidence=evidence)
            yield ARMS[attempt.trial.arm], shown
