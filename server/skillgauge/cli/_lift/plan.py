"""`lift plan`: what a run would do, what it would cost, and what it lacks. Starts nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from skillgauge.cli._lift._asked import expected, missing_of, prepared_of
from skillgauge.cli._lift._words import count, lasting, money
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift.plan import Outlook
from skillgauge.lift.run_state import spec_of
from skillgauge.lift.start import Prepared
from skillgauge.lift.statistics import FEW
from skillgauge.report._terminal import safe

COULD_NOT = 3


def run(options: Namespace) -> int:
    """Print the plan; status 3 if the run would be refused."""
    prepared = prepared_of(options)
    lacks = missing_of(prepared.settings, prepared.plan.request.cells)
    view = expected(prepared)
    if options.format == "json":
        text = json.dumps(to_plain(prepared, view, lacks), indent=2, ensure_ascii=False) + "\n"
    else:
        text = to_text(prepared, view, lacks)
    write(text, options.output, machine=options.format == "json")
    return COULD_NOT if lacks else 0


def to_plain(prepared: Prepared, view: Outlook, lacks: Sequence[UserError]) -> dict[str, Any]:
    """Return a plan as JSON has it."""
    plan, settings = prepared.plan, prepared.settings
    return {
        "schema_version": 1,
        "skill": prepared.skill,
        "path": settings.skill_path,
        "digest": prepared.digest,
        "cases": [{"id": case.id, "line": case.line} for case in plan.cases],
        "harnesses": [spec_of(cell) for cell in plan.request.cells],
        "arms": list(plan.request.arms),
        "attempts": plan.request.attempts,
        "trials": len(plan.trials),
        "left_out": plan.left_out,
        "jobs": settings.jobs,
        "max_cost_usd": settings.max_cost,
        "image": settings.image,
        "judge": settings.judge or None,
        "outlook": {
            "cost_usd": view.cost_usd,
            "tokens": view.tokens,
            "seconds": _seconds(view, settings.jobs),
        },
        "problems": [{"line": one.line, "message": one.message} for one in prepared.problems],
        "missing": [{"what": _what(error), "how": error.how} for error in lacks],
    }


def to_text(prepared: Prepared, view: Outlook, lacks: Sequence[UserError] = ()) -> str:
    """Return a plan for people; nothing in a skill can drive the terminal."""
    lines = [*_lines(prepared, view), *(f"  missing   {error}." for error in lacks)]
    return "".join(f"{safe(line)}\n" for line in lines)


def _lines(prepared: Prepared, view: Outlook) -> Iterator[str]:
    plan, settings = prepared.plan, prepared.settings
    request = plan.request
    parts = [count(len(plan.cases), "case"), count(len(request.arms), "arm")]
    parts += [count(len(request.cells), "harness", "harnesses")] if len(request.cells) > 1 else []
    parts += [count(request.attempts, "attempt")] if request.attempts > 1 else []
    yield f"{prepared.skill}: {' × '.join(parts)} = {count(len(plan.trials), 'trial')}"
    if plan.left_out:
        yield f"  left out  {count(plan.left_out, 'trial')}, by --max-trials"
    yield f"  harness   {', '.join(map(spec_of, request.cells))}"
    yield f"  image     {settings.image}"
    yield f"  judge     {settings.judge or 'none, so only what needs no judge is measured'}"
    yield f"  cost      {_cost(view, settings.max_cost)}"
    yield f"  time      {_time(view, settings.jobs)}"
    if len(plan.cases) < FEW:
        yield f"  note      fewer than {FEW} cases are insufficient for an interval"


def _cost(view: Outlook, most: float | None) -> str:
    bound = f"; it stops at {money(most)}" if most is not None else ""
    if view.cost_usd is None and view.seconds is not None:
        return f"unknown: a model has no known price, --price gives it one{bound}"
    if view.cost_usd is None:
        return f"unknown: no such trial has been measured yet{bound or '; --max-cost sets a bound'}"
    tokens = f", {view.tokens:,.0f} tokens" if view.tokens else ""
    return f"about {money(view.cost_usd)}{tokens}, by trials like these{bound}"


def _time(view: Outlook, jobs: int) -> str:
    seconds = _seconds(view, jobs)
    at_once = f"{jobs} at once" if jobs > 1 else "one after the other"
    return f"unknown, {at_once}" if seconds is None else f"about {lasting(seconds)}, {at_once}"


def _seconds(view: Outlook, jobs: int) -> float | None:
    return None if view.seconds is None else round(view.seconds / min(jobs, view.trials), 1)


def _what(error: UserError) -> str:
    return f"{error.what}: {error.why}" if error.why else error.what
