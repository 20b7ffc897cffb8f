"""From the journal to a report: reads a run once, and works out all that the formats show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skillgauge.errors import SkillgaugeError
from skillgauge.lift.blame import Graded, Hint, blame, case_hints
from skillgauge.lift.cases import Case
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.metrics import names
from skillgauge.lift.metrics.dimensions import DIMENSIONS, composite, dimension_scores
from skillgauge.lift.pairing import (
    CONTROL,
    TREATED,
    Pair,
    Scored,
    pairs,
    summarise,
)
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.records import Row
from skillgauge.lift.report._model import Attempt, CaseResult, RunReport, Unmet
from skillgauge.lift.report._scores import level, levels, outcome, passed, reasons, scope, score
from skillgauge.lift.report._steps import Room, shown
from skillgauge.lift.results import Judged, judged_of, measured_of, ran_of
from skillgauge.lift.settings import RunSettings, settings_of
from skillgauge.lift.source import SkillSource
from skillgauge.lift.spent import ENDED, spent_before
from skillgauge.lift.start import case_of


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the journal holds of a run."""

    cases: Mapping[str, Case]
    rows: Sequence[Row]
    ran: Mapping[str, Any]
    judged: Mapping[str, Any]
    measured: Mapping[str, Any]


def report_of(reader: JournalReader, run: str, *, trajectories: bool) -> RunReport:
    """Return the report of a run."""
    row = reader.run(run)
    settings = settings_of(row.settings)
    kept = _kept(reader, run)
    trials = list(_scored(kept))
    found = pairs(trials, dimension_scores)
    hints = _hints(kept)
    attempts = _attempts(kept, found, hints, reader, run)
    if trajectories:
        attempts = _with_steps(attempts, reader, run)
    cases = tuple(
        replace(one, hints=tuple(hint.message for hint in hints.get(one.case.id, ())))
        for one in _cases(kept, found, attempts)
    )
    arms = _arms(kept)
    cells = tuple(sorted({one.trial.cell for one in kept.rows}, key=str))
    summary, missing = summarise(trials), reasons(cases)
    by_metric = pairs(trials, lambda metrics: metrics)
    cost, known = _cost(attempts, *spent_before(reader, run))
    judged = [one for attempt in attempts for one in attempt.judged.values()]
    return RunReport(
        run=row.id,
        skill=row.skill,
        digest=row.digest,
        stale=_stale(settings, row.digest),
        created=row.created,
        ended=row.ended,
        state=row.state,
        reason=row.reason,
        settings=settings,
        cells=cells,
        arms=arms,
        attempts=max((one.trial.attempt for one in kept.rows), default=0),
        counts=reader.counts(run),
        trials=len(kept.rows),
        summary=summary,
        outcome=replace(level("outcome", trials, outcome), estimate=summary.outcome),
        composite=level("composite", trials, composite),
        whole=scope(cases, arms, None, summary.lift),
        scopes=tuple(scope(cases, arms, cell, summary.cells.get(cell)) for cell in cells),
        metrics=levels(names(), summary.metrics, by_metric, trials, lambda m: m, missing),
        dimensions=levels(
            [one.name for one in DIMENSIONS],
            summary.dimensions,
            found,
            trials,
            dimension_scores,
            {},
        ),
        compared=tuple(one.name for one in DIMENSIONS if one.name in summary.dimensions),
        cases=cases,
        judges=_judges(attempts),
        judge_cost_usd=_judge_cost(judged),
        cost_usd=cost,
        cost_known=known,
    )


def _arms(kept: _Kept) -> tuple[Arm, ...]:
    """Return the arms, those that the lift compares first."""
    order: dict[Arm, int] = {TREATED: 0, CONTROL: 1}
    return tuple(sorted({one.trial.arm for one in kept.rows}, key=lambda arm: order.get(arm, 2)))


def _kept(reader: JournalReader, run: str) -> _Kept:
    cases = [case_of(body) for body in reader.cases(run)]
    kinds = (reader.results(run, kind) for kind in ("ran", "judged", "measured"))
    return _Kept({case.id: case for case in cases}, reader.trials(run), *kinds)


def _scored(kept: _Kept) -> Iterator[Scored]:
    """Yield the trials that have measures: one with an infrastructure error counts nowhere."""
    for row in kept.rows:
        if row.state == "done" and row.trial.id in kept.measured:
            measured = measured_of(kept.measured[row.trial.id])
            values = {name: one.value for name, one in measured.items()}
            yield Scored(row.trial.case_id, row.trial.arm, row.trial.cell, values)


def _attempts(
    kept: _Kept,
    found: Sequence[Pair],
    hints: Mapping[str, Sequence[Hint]],
    reader: JournalReader,
    run: str,
) -> list[Attempt]:
    shared = {(pair.case_id, pair.cell): tuple(pair.treated) for pair in found}
    return [
        _attempt(
            row,
            kept,
            shared.get((row.trial.case_id, row.trial.cell)),
            len(reader.tries(run, row.trial.id)),
            hints.get(row.trial.case_id, ()),
        )
        for row in kept.rows
    ]


def _hints(kept: _Kept) -> dict[str, tuple[Hint, ...]]:
    """Return what all trials together say of the cases."""
    graded = [
        Graded(row.trial.case_id, row.trial.arm, judged_of(kept.judged.get(row.trial.id, {})))
        for row in kept.rows
        if row.state == "done"
    ]
    return case_hints(kept.cases.values(), graded)


def _attempt(
    row: Row,
    kept: _Kept,
    shared: Sequence[str] | None,
    tries: int,
    hints: Sequence[Hint],
) -> Attempt:
    key = row.trial.id
    ran = ran_of(kept.ran[key]) if key in kept.ran else None
    judged = judged_of(kept.judged.get(key, {}))
    measured = measured_of(kept.measured.get(key, {})) if row.state == "done" else {}
    dimensions = dimension_scores({name: one.value for name, one in measured.items()})
    value = score(dimensions, shared) if measured else None
    made = Attempt(
        trial=row.trial,
        state=row.state,
        reason=row.reason,
        tries=tries,
        score=value,
        passed=passed(value),
        dimensions=dimensions,
        measures=measured,
        judged=judged,
        ran=ran,
        unmet=tuple(_unmet(kept.cases[row.trial.case_id], judged)),
    )
    if row.state == "infra-error":
        return replace(made, blame="runner", blame_reason=row.reason)
    if ran is None or not measured:
        return made
    which, why = blame(ran, measured, judged, hints)
    return replace(made, blame=which, blame_reason=why)


def _unmet(case: Case, judged: Mapping[str, Judged]) -> Iterator[Unmet]:
    """Yield the questions that a judge answered with no."""
    from skillgauge.lift.metrics.accuracy import CRITERIA

    for metric, one in sorted(judged.items()):
        for verdict in one.judgement.verdicts:
            if verdict.passed:
                continue
            index, text = 0, CRITERIA.get(verdict.name, "The goal of the request is reached.")
            if metric == "behavior_check":
                index = int(verdict.name) if verdict.name.isdecimal() else 0
                inside = 1 <= index <= len(case.assertions)
                text = case.assertions[index - 1] if inside else verdict.name
            yield Unmet(metric, verdict.name, index, text, verdict.quote, verdict.reason)


def _with_steps(attempts: list[Attempt], reader: JournalReader, run: str) -> list[Attempt]:
    """Return the attempts with their trajectories, which are read one at a time."""
    room = Room.of(len(attempts))
    return [
        replace(one, trajectory=shown(body, room))
        if (body := reader.result(run, one.trial.id, "trajectory")) is not None
        else one
        for one in attempts
    ]


def _cases(kept: _Kept, found: Sequence[Pair], attempts: Sequence[Attempt]) -> Iterator[CaseResult]:
    """Yield each case on each harness, in the order of the file."""
    by_key: dict[tuple[str, Cell], list[Attempt]] = {}
    for one in attempts:
        by_key.setdefault((one.trial.case_id, one.trial.cell), []).append(one)
    paired = {(pair.case_id, pair.cell): pair for pair in found}
    cells = sorted({cell for _, cell in by_key}, key=str)
    for case in kept.cases.values():
        for cell in cells:
            if mine := by_key.get((case.id, cell)):
                yield _case(case, cell, mine, paired.get((case.id, cell)))


def _case(case: Case, cell: Cell, attempts: list[Attempt], pair: Pair | None) -> CaseResult:
    ordered = tuple(sorted(attempts, key=lambda one: (one.trial.attempt, one.trial.arm != TREATED)))
    failing = [one for one in ordered if one.trial.arm == TREATED and one.blame]
    failing.sort(key=lambda one: -1.0 if one.score is None else one.score)
    if pair:
        treated, control = (_mean(list(arm.values())) for arm in (pair.treated, pair.control))
    else:
        treated, control = (_alone(ordered, arm) for arm in (TREATED, CONTROL))
    return CaseResult(
        case=case,
        cell=cell,
        treated=treated,
        control=control,
        lift=pair.difference() if pair else None,
        dimensions=tuple(pair.treated) if pair else (),
        attempts=ordered,
        blame=failing[0].blame if failing else "",
        blame_reason=failing[0].blame_reason if failing else "",
    )


def _alone(attempts: Sequence[Attempt], arm: str) -> float | None:
    known = [one.score for one in attempts if one.trial.arm == arm and one.score is not None]
    return _mean(known) if known else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _judges(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Return who judged; with the prompts where a metric was judged by more than one."""
    seen: dict[str, set[str]] = {}
    models: set[str] = set()
    for attempt in attempts:
        for metric, one in attempt.judged.items():
            if one.model:
                models.add(one.model)
                seen.setdefault(metric, set()).add(f"{one.model} ({one.prompt[:12]})")
    mixed = {judge for judges in seen.values() if len(judges) > 1 for judge in judges}
    return tuple(sorted(mixed or models))


def _judge_cost(judged: Sequence[Judged]) -> float | None:
    costs = [one.cost_usd for one in judged if one.cost_usd is not None]
    return math.fsum(costs) if costs else None


def _cost(attempts: Sequence[Attempt], before: float, unknown: int) -> tuple[float | None, bool]:
    """Return what the run has cost as far as is known, and whether all of it is."""
    ran = [one.ran.usage.cost_usd for one in attempts if one.ran and one.state in ENDED]
    ran += [one.cost_usd for attempt in attempts for one in attempt.judged.values() if one.model]
    known = [cost for cost in ran if cost is not None]
    whole = len(known) == len(ran) and not unknown
    return (math.fsum((*known, before)) if known or before else None), whole


def _stale(settings: RunSettings, digest: str) -> bool | None:
    """Return whether the skill has changed since; None if it can't be read."""
    try:
        return SkillSource(Path(settings.skill_path)).digest != digest
    except (SkillgaugeError, OSError):
        return None
