"""`lift resume`: goes on with a run whose worker ended before it, or that was broken off."""

from __future__ import annotations

from pathlib import Path

from skillgauge.cli._lift._asked import refuse_missing
from skillgauge.cli._lift._runs import find_run, open_journal
from skillgauge.cli._lift._words import count
from skillgauge.cli._lift._work import refuse_worked_on, work_on
from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.records import Row, RunRow
from skillgauge.lift.settings import settings_of
from skillgauge.lift.source import SkillSource


def run(options: Namespace) -> int:
    """Resume, and return the exit status."""
    data = folders.data_folder()
    with open_journal() as reader:
        row = find_run(reader, options.subject)
        refuse_worked_on(data, row.id)
        left = _left(reader, row)
    settings = settings_of(row.settings)
    if SkillSource(Path(settings.skill_path)).digest != row.digest:
        raise UserError(
            f"The skill “{row.skill}” has changed since run {row.id} began",
            how="Begin a new run, or put its files back",
        )
    refuse_missing(settings, tuple(dict.fromkeys(one.trial.cell for one in left)))
    say(f"{count(len(left), 'trial')} of {row.id} left to run")
    return work_on(options, data, row.id, "goes on")


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
