"""`lift resume`: goes on with a run whose worker ended before it, or that was broken off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from skillgauge.cli._lift._asked import hidden, refuse_missing
from skillgauge.cli._lift._runs import find_run, open_journal
from skillgauge.cli._lift._words import count, money
from skillgauge.cli._lift._work import refuse_worked_on, work_on
from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.records import Row, RunRow
from skillgauge.lift.run_lock import RunLock
from skillgauge.lift.settings import RunSettings, plain_settings, settings_of
from skillgauge.lift.source import SkillSource
from skillgauge.lift.worker import AT_BUDGET


def run(options: Namespace) -> int:
    """Resume, and return the exit status."""
    data = folders.data_folder()
    with open_journal() as reader:
        row = find_run(reader, options.subject)
        refuse_worked_on(data, row.id)
        left = _left(reader, row)
    settings = _settings(options, row)
    if SkillSource(Path(settings.skill_path)).digest != row.digest:
        raise UserError(
            f"The skill “{row.skill}” has changed since run {row.id} began",
            how="Begin a new run, or put its files back",
        )
    refuse_missing(settings, tuple(dict.fromkeys(one.trial.cell for one in left)))
    if settings != settings_of(row.settings):
        with (
            RunLock(folders.lock_folder(data), row.id),
            Journal(folders.journal_path(data), secrets=hidden()) as journal,
        ):
            journal.change(row.id, plain_settings(settings))
    say(f"{count(len(left), 'trial')} of {row.id} left to run")
    return work_on(options, data, row.id, "goes on")


def _settings(options: Namespace, row: RunRow) -> RunSettings:
    """Return how the run is to go on; UserError if it would stop at once."""
    before = settings_of(row.settings)
    if options.max_cost is None and row.state == "failed" and row.reason.startswith(AT_BUDGET):
        raise UserError(
            f"Run {row.id} has spent its budget of {money(before.max_cost)}",
            how="Give it a larger one with --max-cost; what is spent already counts",
        )
    most = before.max_cost if options.max_cost is None else options.max_cost
    return replace(before, max_cost=most, jobs=options.jobs or before.jobs)


def _left(reader: JournalReader, row: RunRow) -> list[Row]:
    """Return the trials that a worker would run; UserError if there are none."""
    retries = settings_of(row.settings).retries
    rows = reader.trials(row.id)
    left = [
        one
        for one in rows
        if one.state in ("planned", "running")
        or (one.state == "infra-error" and _failures(reader, row.id, one) <= retries)
    ]
    if left or row.state == "open":
        return left
    what = "was cancelled" if row.state == "cancelled" else "has no trial left to run"
    raise UserError(f"Run {row.id} {what}", how="`skillgauge lift run` begins a new one")


def _failures(reader: JournalReader, run: str, row: Row) -> int:
    return sum(one.outcome == "infra-error" for one in reader.tries(run, row.trial.id))
