"""The end of a run on the command line: its report, and the exit status."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skillgauge.cli._output import say, use_color, write
from skillgauge.cli._parser import Namespace
from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.report import build, render

if TYPE_CHECKING:
    from skillgauge.lift.report._model import RunReport

UNDER: Final = 1
COULD_NOT: Final = 3


def result_of(options: Namespace, data: Path, run: str, state: dict[str, Any]) -> int:
    """Report on a run that was followed to its end, and return the exit status."""
    if interrupted := state.get("interrupted"):
        say(f"{_end(state)}. `skillgauge lift report {run}` shows what was measured")
        return interrupted
    status = report_on(options, data, run)
    if state["state"] == "open":
        say(
            f"The worker of run {run} has ended before the run did: `skillgauge lift logs {run}`"
            f" has its last words, `skillgauge lift resume {run}` goes on"
        )
    elif state["state"] != "done":
        say(_end(state))
    return status


def _end(state: dict[str, Any]) -> str:
    """Return how a run ended that did not come to its own end."""
    if state["state"] == "open":
        return "The run has not ended yet"
    how = {"done": "has ended", "cancelled": "was cancelled"}.get(state["state"], "was broken off")
    return f"The run {how}{': ' if state['reason'] else ''}{state['reason'].rstrip('.')}"


def report_on(options: Namespace, data: Path, run: str) -> int:
    """Write the report of a run, and return what its result comes to as an exit status."""
    return show(options, made(data, run, trajectories=options.format == "html"))


def made(data: Path, run: str, *, trajectories: bool) -> RunReport:
    """Return the report of a run; only the page shows its trajectories."""
    with JournalReader(folders.journal_path(data)) as reader:
        return build(reader, run, trajectories=trajectories)


def show(options: Namespace, report: RunReport) -> int:
    """Write a report, and return what its result comes to as an exit status."""
    color = options.output is None and options.format == "text" and use_color("auto", sys.stdout)
    text = render(report, options.format, color=color)
    write(text, options.output, machine=options.format != "text")
    lift = report.lift
    if report.state != "done" or lift is None:
        return COULD_NOT
    least = getattr(options, "fail_under", None)
    if least is None:
        return 0
    if lift.precision == "insufficient":
        say(f"{lift.n_cases} paired cases are too few to hold the lift against {least:g}")
        return COULD_NOT
    if lift.estimate < least:
        say(f"The lift of {lift.estimate:+.3f} is below {least:g}")
        return UNDER
    return 0
