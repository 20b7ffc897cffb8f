"""`lift regrade`: grades the kept trajectories of a run again; with --judge, new verdicts, too."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from skillgauge.cli._lift._asked import hidden
from skillgauge.cli._lift._result import report_on
from skillgauge.cli._lift._runs import id_of
from skillgauge.cli._lift._words import count, money
from skillgauge.cli._lift._work import refuse_worked_on
from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.cli._progress import Bar
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.regrade import Regraded, regrade
from skillgauge.lift.run_lock import RunLock


def run(options: Namespace) -> int:
    """Grade again, report, and return the exit status."""
    data, name = folders.data_folder(), id_of(options.subject)
    refuse_worked_on(data, name)
    _tell(asyncio.run(_regraded(data, name, options.judge)), judged=options.judge is not None)
    return report_on(options, data, name)


async def _regraded(data: Path, name: str, model: str | None) -> Regraded:
    secrets, bar = hidden(), Bar({"grade": "Grading again"})
    judge = None
    if model is not None:
        from skillgauge.lift.judge import Judge

        judge = Judge(model, os.environ, hidden=secrets)
    try:
        with (
            RunLock(folders.lock_folder(data), name),
            Journal(folders.journal_path(data), secrets=secrets) as journal,
        ):
            return await regrade(
                journal, name, judge, told=lambda done, of: bar.show("grade", done, of)
            )
    finally:
        bar.clear()
        if judge:
            await judge.close()


def _tell(done: Regraded, *, judged: bool) -> None:
    """Say what came of it, and what did not work."""
    say(f"Graded {count(done.trials, 'trial')} again; the values of {done.changed} have changed")
    if judged:
        failed = f", {done.failed} failed ({done.kept} older ones kept)" if done.failed else ""
        cost = "" if done.cost_usd is None else f", for {money(done.cost_usd)}"
        say(f"The judge gave {count(done.judged, 'judgement')}{failed}{cost}")
    if done.unreadable:
        say(f"{count(len(done.unreadable), 'trajectory', 'trajectories')} can't be read")
