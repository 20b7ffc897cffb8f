"""The report for programs: a JSON document whose shape `docs/lift-json.md` promises."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final, cast

from skillgauge.lift.metrics.dimensions import band
from skillgauge.lift.passing import PassRates
from skillgauge.lift.plan import Cell
from skillgauge.lift.report._model import ArmFigures, Attempt, CaseResult, Level, RunReport, Scope
from skillgauge.lift.report._words import notes, verdict
from skillgauge.lift.results import Ran
from skillgauge.lift.settings import plain_settings
from skillgauge.lift.statistics import Estimate, Share
from skillgauge.text import encodable

SCHEMA_VERSION: Final = 1
MAX_TEXT: Final = 8_000
"""Of an answer; the trajectories and artifacts themselves are in the run's folder."""


def render(report: RunReport) -> str:
    """Return the document."""
    return json.dumps(document(report), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def document(report: RunReport) -> dict[str, Any]:
    """Return the document as what JSON holds."""
    return cast("dict[str, Any]", _clean(_document(report)))


def _document(report: RunReport) -> dict[str, Any]:
    found = verdict(report)
    return {
        "schema_version": SCHEMA_VERSION,
        "run": {
            "id": report.run,
            "state": report.state,
            "reason": report.reason,
            "created": report.created,
            "ended": report.ended,
            "trials": report.trials,
            "counts": dict(report.counts),
            "attempts": report.attempts,
            "arms": report.arms,
            "scripted": report.settings.scripted,
            "replay_of": report.settings.replay_of or None,
        },
        "skill": {"name": report.skill, "digest": report.digest, "stale": report.stale},
        "settings": plain_settings(report.settings),
        "verdict": {"word": found.word, "sentence": found.sentence},
        "notes": notes(report),
        "lift": _headline(report),
        "outcome": _level(report.outcome),
        "composite": _level(report.composite),
        "positive_rate": share(report.summary.signs.positive),
        "signs": asdict(report.summary.signs),
        "dimensions": {one.name: _level(one) for one in report.dimensions},
        "metrics": {one.name: _level(one) for one in report.metrics},
        "whole": _scope(report.whole),
        "harnesses": [_scope(one) for one in report.scopes],
        "cost_usd": report.cost_usd,
        "cost_complete": report.cost_known,
        "judge": {"models": report.judges, "cost_usd": report.judge_cost_usd},
        "cases": [_case(one) for one in report.cases],
    }


def _headline(report: RunReport) -> dict[str, Any] | None:
    """Return the lift with the levels that it is the difference of."""
    found = estimate(report.lift)
    if found is None:
        return None
    return found | {
        "treated": report.summary.treated,
        "control": report.summary.control,
        "dimensions": report.compared,
        "by_case": dict(report.summary.by_case),
        "unpaired": report.summary.unpaired,
    }


def estimate(found: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate; its interval is null below two cases."""
    if found is None:
        return None
    bounds = None if found.low is None or found.high is None else [found.low, found.high]
    return {
        "estimate": found.estimate,
        "interval": bounds,
        "n_cases": found.n_cases,
        "precision": found.precision,
        "excludes_zero": found.excludes_zero,
        "confidence": found.confidence,
        "method": found.method,
        "resamples": found.resamples,
        "seed": found.seed,
    }


def share(found: Share) -> dict[str, Any]:
    """Return a share of cases with its interval, if it has one."""
    bounds = None if found.low is None or found.high is None else [found.low, found.high]
    return {"count": found.count, "total": found.total, "share": found.share, "interval": bounds}


def _level(one: Level) -> dict[str, Any]:
    return {
        "treated": one.treated,
        "control": one.control,
        "lift": estimate(one.estimate),
        "missing": [asdict(reason) for reason in one.missing],
    }


def _scope(one: Scope) -> dict[str, Any]:
    return {
        **(_cell(one.cell) if one.cell else {}),
        "treated": one.treated,
        "control": one.control,
        "lift": estimate(one.lift),
        "arms": {arm: _arm(figures) for arm, figures in one.arms.items()},
        "outcomes": {**asdict(one.outcomes), "p": one.p},
        "context_cost": estimate(one.context),
    }


def _arm(one: ArmFigures) -> dict[str, Any]:
    return {
        "trials": one.trials,
        "pass": _rates(one.rates),
        "tokens": one.tokens,
        "cost_usd": one.cost_usd,
        "seconds": one.seconds,
        "tokens_per_success": one.tokens_per_success,
        "cost_per_success": one.cost_per_success,
    }


def _rates(rates: PassRates) -> dict[str, Any]:
    return {
        "attempts": rates.attempts,
        "any": share(rates.any),
        "every": share(rates.every),
        "at_k": {str(k): value for k, value in rates.at_k.items()},
        "hat_k": {str(k): value for k, value in rates.hat_k.items()},
    }


def _cell(cell: Cell) -> dict[str, str]:
    return {"harness": cell.harness, "model": cell.model}


def _case(one: CaseResult) -> dict[str, Any]:
    return {
        "id": one.case.id,
        "line": one.case.line,
        **_cell(one.cell),
        "negative": one.case.negative,
        "prompt": one.case.prompt[:MAX_TEXT],
        "treated": one.treated,
        "control": one.control,
        "lift": one.lift,
        "band": None if one.treated is None else band(one.treated),
        "dimensions": one.dimensions,
        "blame": one.blame,
        "blame_reason": one.blame_reason,
        "hints": one.hints,
        "attempts": [_attempt(attempt) for attempt in one.attempts],
    }


def _attempt(one: Attempt) -> dict[str, Any]:
    return {
        "trial": one.trial.id,
        "arm": one.trial.arm,
        "attempt": one.trial.attempt,
        "state": one.state,
        "reason": one.reason,
        "tries": one.tries,
        "score": one.score,
        "passed": one.passed,
        "dimensions": dict(one.dimensions),
        "metrics": {name: asdict(measure) for name, measure in one.measures.items()},
        "unsatisfied": [asdict(unmet) for unmet in one.unmet],
        "blame": one.blame,
        "blame_reason": one.blame_reason,
        "ran": _ran(one.ran) if one.ran else None,
    }


def _ran(ran: Ran) -> dict[str, Any]:
    plain = asdict(ran)
    plain["answer"] = ran.answer[:MAX_TEXT]
    plain["artifacts"] = [{"path": one.path, "size": one.size} for one in ran.artifacts]
    return plain


def _clean(value: object) -> object:
    """Return a value that JSON can hold: no NaN or infinity, no lone surrogate."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {encodable(str(key)): _clean(item) for key, item in pairs}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in cast("list[object]", value)]
    return value
