"""What the trials of a run gave until now: the lift, each case's scores, and what it cost.

Only what a look at a run needs is worked out, in a fraction of what a report takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skillgauge.lift.blame import BEHAVIOUR, Graded, Hint, blame, case_hints
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.metrics.dimensions import dimension_scores, overall
from skillgauge.lift.pairing import CONTROL, TREATED, Scored, case_differences, pairs
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.records import Row
from skillgauge.lift.results import Judged, judged_of, measured_of, ran_of
from skillgauge.lift.spent import ENDED, spent_before
from skillgauge.lift.start import case_of
from skillgauge.lift.statistics import FEW, Estimate, estimate

LARGE: Final = ("artifacts", "answer")
"""What no look at a run needs of how a trial ran."""


@dataclass(frozen=True, slots=True)
class RunResults:
    """What a run gave until now, as plain values."""

    lift: Mapping[str, Any] | None
    cases: tuple[Mapping[str, Any], ...]
    cost_usd: float | None
    cost_partial: bool
    """Whether some trial cost what is not known."""


@dataclass(frozen=True, slots=True)
class _Given:
    """The results of all trials, by trial."""

    ran: Mapping[str, Any]
    judged: Mapping[str, Mapping[str, Judged]]
    measured: Mapping[str, Any]
    hints: Mapping[str, tuple[Hint, ...]]
    """By case."""


def read_results(reader: JournalReader, run: str, rows: Sequence[Row]) -> RunResults:
    """Return what a run gave until now."""
    bodies = reader.results(run, "ran", without=LARGE)
    judged = {trial: judged_of(body) for trial, body in reader.results(run, "judged").items()}
    cases = reader.cases(run)
    graded = [Graded(row.trial.case_id, row.trial.arm, judged[row.trial.id])
              for row in rows if row.state == "done" and row.trial.id in judged]  # fmt: skip
    given = _Given(
        {trial: {**body, "artifacts": []} for trial, body in bodies.items()},
        judged,
        reader.results(run, "measured"),
        case_hints(map(case_of, cases), graded),
    )
    scored = [
        Scored(row.trial.case_id, row.trial.arm, row.trial.cell, _values(given, row))
        for row in rows
        if row.trial.id in given.measured and row.state == "done"
    ]
    ended = {row.trial.id for row in rows if row.state in ENDED}
    cost, partial = _cost(given, ended, *spent_before(reader, run))
    return RunResults(
        lift_of(estimate(list(case_differences(pairs(scored, dimension_scores)).values()))),
        tuple(_cases(rows, cases, scored, given)),
        cost,
        partial,
    )


def lift_of(found: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate as plain values; too few cases have no interval worth its name."""
    if found is None:
        return None
    known = found.n_cases >= FEW and found.low is not None and found.high is not None
    return {
        "estimate": found.estimate,
        "interval": [found.low, found.high] if known else None,
        "n_cases": found.n_cases,
        "precision": found.precision,
    }


def _values(given: _Given, row: Row) -> dict[str, float | None]:
    return {name: one["value"] for name, one in given.measured[row.trial.id].items()}


def _cost(
    given: _Given, ended: Collection[str], before: float, unknown: int
) -> tuple[float | None, bool]:
    """Return what the models and the judge cost; None if nothing is known of it."""
    known = [before] if before else []
    partial = unknown > 0
    for body in (body for trial, body in given.ran.items() if trial in ended):
        cost, asked = body["usage"]["cost_usd"], body["usage"]["requests"]
        known += [cost] if cost is not None else []
        partial |= cost is None and asked > 0
    for judged in given.judged.values():
        for one in judged.values():
            known += [one.cost_usd] if one.cost_usd is not None else []
            partial |= one.cost_usd is None and bool(one.model)
    return (round(sum(known), 6) if known else None), partial


def _cases(
    rows: Sequence[Row],
    cases: Sequence[Mapping[str, Any]],
    scored: Sequence[Scored],
    given: _Given,
) -> Iterator[dict[str, Any]]:
    """Yield what came of each case on each harness of which a trial has ended."""
    ended: dict[tuple[str, Cell], list[Row]] = {}
    for row in rows:
        if row.state in ("done", "infra-error"):
            ended.setdefault((row.trial.case_id, row.trial.cell), []).append(row)
    scores = _scores(scored)
    cells = list(dict.fromkeys(row.trial.cell for row in rows))
    for case in cases:
        for cell in cells:
            if own := ended.get((case["id"], cell)):
                part, why = _blame(own, given)
                yield {
                    "id": case["id"],
                    "line": case["line"],
                    "harness": f"{cell.harness}={cell.model}" if cell.model else cell.harness,
                    **scores.get((case["id"], cell), dict.fromkeys(("treated", "control", "lift"))),
                    "unsatisfied": list(_unsatisfied(own, case["assertions"], given)),
                    "blame": part,
                    "reason": why,
                }


def _scores(scored: Sequence[Scored]) -> dict[tuple[str, Cell], dict[str, float | None]]:
    """Return each case's score in both arms and their difference.

    In a pair the scores are over what both arms have; alone, an arm has all of its own.
    """
    alone: dict[tuple[str, Cell, Arm], list[float]] = {}
    for one in scored:
        if (score := overall(dimension_scores(one.metrics))) is not None:
            alone.setdefault((one.case_id, one.cell, one.arm), []).append(score)
    found: dict[tuple[str, Cell], dict[str, float | None]] = {}
    for (case_id, cell, arm), values in alone.items():
        entry = found.setdefault((case_id, cell), dict.fromkeys(("treated", "control", "lift")))
        if arm in (TREATED, CONTROL):
            entry["treated" if arm == TREATED else "control"] = sum(values) / len(values)
    for pair in pairs(scored, dimension_scores):
        found[pair.case_id, pair.cell] = {
            "treated": overall(pair.treated),
            "control": overall(pair.control),
            "lift": pair.difference(),
        }
    return found


def _unsatisfied(
    rows: Sequence[Row], assertions: Sequence[str], given: _Given
) -> Iterator[dict[str, Any]]:
    """Yield the assertions that an arm did not satisfy in some attempt, with its first verdict."""
    attempts: dict[Arm, int] = {}
    found: dict[tuple[int, Arm], dict[str, Any]] = {}
    for row in rows:
        judged = given.judged.get(row.trial.id, {}).get(BEHAVIOUR)
        verdicts = judged.judgement.verdicts if judged else ()  # one for each, in their order
        arm = row.trial.arm
        attempts[arm] = attempts.get(arm, 0) + bool(verdicts)
        for index, (text, verdict) in enumerate(zip(assertions, verdicts, strict=False)):
            if verdict.passed:
                continue
            entry = {
                "assertion": text,
                "index": index,
                "arm": arm,
                "quote": verdict.quote,
                "reason": verdict.reason,
                "failed": 0,
            }
            found.setdefault((index, arm), entry)["failed"] += 1
    for (_, arm), entry in sorted(found.items(), key=lambda item: (item[0][1] != TREATED, item[0])):
        yield {**entry, "attempts": attempts[arm]}


def _blame(rows: Sequence[Row], given: _Given) -> tuple[str, str]:
    """Return which part failed in a case and why; the arm with the skill speaks first."""
    told: list[tuple[str, str]] = []
    for row in sorted(rows, key=lambda row: row.trial.arm != TREATED):
        key = row.trial.id
        if row.state == "infra-error":
            told.append(("runner", row.reason))
        elif key in given.ran and key in given.measured:
            measured = measured_of(given.measured[key])
            hints = given.hints.get(row.trial.case_id, ())
            judged = given.judged.get(key, {})
            part, why = blame(ran_of(given.ran[key]), measured, judged, hints)
            if part and (part != "skill" or row.trial.arm == TREATED):
                told.append((part, why))
    return told[0] if told else ("", "")
