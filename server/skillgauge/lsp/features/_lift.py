"""What there is to say of lift runs: in lenses, in hovers, and as text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from skillgauge.document.evals import EvalFile
from skillgauge.lsp.features.lift import CANCEL, REPORT, RESUME, RUN, STATUS
from skillgauge.lsp.lift_hints import id_of, place_of, results_by_case
from skillgauge.lsp.lift_words import (
    cost_text,
    escaped,
    lift_text,
    result_text,
    state_text,
    tidy,
    value,
)
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.lift_state import Found, Run, SkillRuns
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Span

MAX_LENSES: Final = 300
"""Cases of a file that get lenses."""
MAX_ROWS: Final = 40
"""Rows of a table in a hover."""
EVALS: Final = ("evals.json", "evals.jsonl", "evals.yaml", "evals.yml")


class Offer(NamedTuple):
    """A lens or an action: what it says and what it does."""

    span: Span
    title: str
    command: str
    argument: dict[str, Any]


def lenses(server: SkillgaugeServer, snapshot: Snapshot) -> Iterator[Offer]:
    """Yield what stands above a skill's head, or above the cases and each of them."""
    if not server.lift.trusted or snapshot.path is None:
        return
    runs = server.lift.of(snapshot)
    if snapshot.kind is Kind.SKILL:
        if runs is not None or has_cases(snapshot):
            span = snapshot.skill.head
            yield from _of_skill(server, snapshot, span, runs, "Run lift…")
    elif isinstance(document := snapshot.document, EvalFile) and document.cases:
        yield from _of_skill(server, snapshot, document.top, runs, "Run all")
        yield from _of_cases(server, snapshot, document, runs)


def has_cases(snapshot: Snapshot) -> bool:
    """Return whether there is an evaluation file beside a skill."""
    folder = snapshot.folder
    return folder is not None and any(f"evals/{name}" in folder.files for name in EVALS)


def _of_skill(
    server: SkillgaugeServer, snapshot: Snapshot, span: Span, runs: SkillRuns | None, title: str
) -> Iterator[Offer]:
    """Yield what can be done with the skill as a whole, and its last lift."""
    about = {"uri": snapshot.uri}
    current = runs.open if runs else None
    if current is None:
        yield Offer(span, title, RUN, about)
    else:
        yield Offer(span, f"lift: {state_text(current)}", STATUS, about)
        own = {"run": current.id}
        if current.working:
            yield Offer(span, "Cancel lift run", CANCEL, own)
        else:
            yield Offer(span, "Resume lift run", RESUME, own)
    if runs and runs.failed is not None:
        yield Offer(span, f"last lift run {state_text(runs.failed)}", STATUS, about)
    last = runs.last if runs else None
    if last is not None and last.lift is not None:
        stale = ", stale" if server.lift.is_stale(last) else ""
        yield Offer(span, f"lift {lift_text(last.lift)}{stale}", REPORT, {"run": last.id})


def _of_cases(
    server: SkillgaugeServer, snapshot: Snapshot, document: EvalFile, runs: SkillRuns | None
) -> Iterator[Offer]:
    known = {id_of(case): found for case, found in results_by_case(snapshot, runs)} if runs else {}
    for case in document.cases[:MAX_LENSES]:
        name, span = id_of(case), place_of(case)
        yield Offer(span, "Run this case", RUN, {"uri": snapshot.uri, "cases": [name]})
        if found := known.pop(name, ()):
            yield Offer(span, _case_title(server, found), REPORT, {"run": found[0][0].id})


def _case_title(server: SkillgaugeServer, found: tuple[Found, ...]) -> str:
    """Return a case's result on each harness."""
    parts: list[str] = []
    for run, result in found:
        harness = f" {tidy(result.harness, 60)}" if result.harness else ""
        stale = " (stale)" if server.lift.is_stale(run) else ""
        parts.append(f"{result_text(result)}{harness}{stale}")
    return f"lift {', '.join(parts)}"


def hover_parts(
    server: SkillgaugeServer, snapshot: Snapshot, offset: int
) -> Iterator[tuple[Span, str]]:
    """Yield the last results on a skill's head and name, and a case's own on its id."""
    runs = server.lift.of(snapshot)
    if runs is None:
        return
    if snapshot.kind is Kind.SKILL:
        front = snapshot.skill.frontmatter
        named = [entry.key_span for entry in front.entries if entry.key == "name"] if front else []
        places = [front.opening, *named] if front else []
        for span in places:
            if span.contains(offset) and (text := _about_skill(server, runs)):
                yield span, text
        return
    for case, found in results_by_case(snapshot, runs):
        for span in (place_of(case), case.head):
            if span.contains(offset):
                yield span, _about_case(server, found)
                return


def _about_skill(server: SkillgaugeServer, runs: SkillRuns) -> str:
    last = runs.last or next(iter(runs.runs))
    lines = [_head(server, last)]
    rows = [
        _row(escaped(tidy(result.id, 60)), result.harness, result.treated, result.control, result)
        for result in last.cases[:MAX_ROWS]
        if result.tells
    ]
    if rows:
        lines.append("\n".join([_TABLE.format("case"), *rows]))
    if (left := len(last.cases) - MAX_ROWS) > 0:
        lines.append(f"And {left} more.")
    return "\n\n".join(lines)


def _about_case(server: SkillgaugeServer, found: tuple[Found, ...]) -> str:
    rows = [
        _row(_day(run) + (" (stale)" if server.lift.is_stale(run) else ""), result.harness,
             result.treated, result.control, result)
        for run, result in found
    ]  # fmt: skip
    return "\n".join([_TABLE.format("run of"), *rows])


_TABLE: Final = (
    "| {} | harness | with the skill | without | lift | failed |\n"
    "| --- | --- | --- | --- | --- | --- |"
)


def _row(
    first: str, harness: str, treated: float | None, control: float | None, result: Any
) -> str:
    lift = "–" if result.lift is None else f"{result.lift:+.2f}"
    cells = (first, escaped(tidy(harness, 60)), value(treated), value(control), lift)
    return f"| {' | '.join(cells)} | {escaped(tidy(result.blame, 40))} |"


def _head(server: SkillgaugeServer, run: Run) -> str:
    parts = [f"**Lift {lift_text(run.lift)}**" if run.lift else f"**Lift run {state_text(run)}**"]
    if server.lift.is_stale(run):
        parts.append("stale: the skill has changed since")
    parts.append(_day(run))
    if run.cost is not None:
        parts.append(cost_text(run.cost))
    return " · ".join(parts)


def _day(run: Run) -> str:
    """Return the day of a run where the author is; of a time that is none, the epoch."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(run.created))
    except (ValueError, OverflowError, OSError):
        return "1970-01-01"


def explanation(server: SkillgaugeServer, runs: SkillRuns) -> str:
    """Return the runs of a skill as text, the newest first."""
    lines: list[str] = []
    for run in runs.runs[:10]:
        parts = [tidy(run.id, 60), state_text(run)]
        if run.lift is not None:
            parts.append(f"lift {lift_text(run.lift)}")
        if server.lift.is_stale(run):
            parts.append("stale")
        lines.append(", ".join(parts))
    return "\n".join(lines)
