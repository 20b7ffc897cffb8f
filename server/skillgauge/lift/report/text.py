"""A run in short, for a terminal: the verdict, where it comes from, and the cases that went wrong.

It is a summary and stays within a screen; nothing in a skill or of an agent can drive the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.lift.pairing import CONTROL, TREATED
from skillgauge.lift.report._model import CaseResult, Level, RunReport
from skillgauge.lift.report._words import (
    Word,
    blamed_short,
    count,
    interval,
    money,
    notes,
    number,
    score,
    share,
    signed,
    title,
    verdict,
)
from skillgauge.report._terminal import excerpt, paint, safe

MAX_LINES: Final = 25
WIDTH: Final = 100
NOTES: Final = 4
_STYLES: Final[dict[Word, str]] = {
    "helps": "good",
    "hurts": "error",
    "no-difference": "warning",
    "insufficient": "warning",
    "not-measured": "error",
}


def render(report: RunReport) -> str:
    """Return the summary."""
    lines = list(_lines(report))
    room = MAX_LINES - len(lines)
    lines += _cases(report, room)
    return "".join(f"{line}\n" for line in lines)


def _lines(report: RunReport) -> Iterator[str]:
    found = verdict(report)
    yield paint(safe(found.sentence), _STYLES[found.word], report.color)
    cells = ", ".join(str(cell) for cell in report.cells)
    yield paint(_cut(f"{report.skill} on {cells}, run {report.run}"), "dim", report.color)
    told = notes(report)
    yield from (paint(f"! {_cut(note)}", "warning", report.color) for note in told[:NOTES])
    if len(told) > NOTES:
        yield f"! {len(told) - NOTES} more notes are in the other formats"
    if report.lift:
        lift = report.lift
        levels = f"{score(report.summary.treated)} with, {score(report.summary.control)} without"
        yield f"Lift      {signed(lift.estimate)}  ({_bounds(report)})  {levels}"
    if report.counts.get("done"):
        yield from (_level(one) for one in report.metrics)
        yield from _rates(report)
        yield from _costs(report)


def _bounds(report: RunReport) -> str:
    lift = report.lift
    if lift is None or lift.precision == "insufficient":
        return "interval: insufficient"
    return f"95% {interval(lift)}, precision {lift.precision}, {count(lift.n_cases, 'case')}"


def _level(one: Level) -> str:
    name = f"  {title(one.name).lower():<17}"
    if one.estimate:
        levels = f"{score(one.treated)} with, {score(one.control)} without"
        return f"{name}{signed(one.estimate.estimate):>5}  {levels}"
    if one.treated is not None:
        return f"{name}    –  {score(one.treated)} with; the baseline can’t have it"
    why = one.missing[0].reason if one.missing else "nothing was measured"
    return _cut(f"{name}    –  {why}")


def _rates(report: RunReport) -> Iterator[str]:
    both = [report.whole.arms.get(arm) for arm in (TREATED, CONTROL)]
    told = [share(one.rates.any) if one else "–" for one in both]
    yield f"Solved    {told[0]} with, {told[1]} without"
    signs = report.summary.signs
    if report.lift:
        yield f"Cases     {signs.better} better, {signs.worse} worse, {signs.equal} equal"


def _costs(report: RunReport) -> Iterator[str]:
    treated, control = (report.whole.arms.get(arm) for arm in (TREATED, CONTROL))
    if treated and control and (treated.tokens is not None or control.tokens is not None):
        yield f"Tokens    {number(treated.tokens)} a trial with, {number(control.tokens)} without"
    if report.cost_usd is not None:
        yield f"Cost      {'' if report.cost_known else 'at least '}{money(report.cost_usd)}"


def _cases(report: RunReport, room: int) -> Iterator[str]:
    """Yield the cases that the skill did not solve, or made worse."""
    bad = sorted(filter(_is_bad, report.cases), key=lambda one: (one.treated or 0, one.lift or 0))
    if not bad or room < 2:
        return
    yield "Look at:"
    fit = room - 1 if len(bad) <= room - 1 else room - 2
    for one in bad[:fit]:
        told = f"; {blamed_short(one)}: {one.blame_reason}" if one.blame else ""
        figures = f"{score(one.treated)} with, {score(one.control)} without"
        yield _cut(f"  {one.case.id} on {one.cell.harness}: {figures}{told}")
    if len(bad) > fit:
        yield f"  and {len(bad) - fit} more"


def _is_bad(one: CaseResult) -> bool:
    worse = one.lift is not None and one.lift < 0
    return worse or any(a.passed is False or a.blame for a in one.of(TREATED))


def _cut(text: str) -> str:
    return excerpt(" ".join(text.split()) if text[:1] != " " else text, 0, 0, WIDTH).shown
