"""Works on one run to its end: takes trial after trial, several at once, and keeps what they gave.

It holds the run's lock, so a run has one worker. Whatever ends it, the journal knows how far it
came: trials that were in flight are run again by the next worker, and no other is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.engines import EngineFault
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.results import ran_of
from skillgauge.lift.run_lock import RunLock, is_held
from skillgauge.lift.settings import RunSettings, settings_of
from skillgauge.lift.source import SkillSource
from skillgauge.lift.spent import ENDED, keep_spent, spent_before
from skillgauge.lift.stage import Stage
from skillgauge.lift.start import case_of
from skillgauge.lift.trial import Outcome, run_trial

log = logging.getLogger(__name__)

LOOK: Final = 0.25
"""Seconds between two looks for a wish to cancel."""
FIRST_PAUSE: Final = 1.0
"""Seconds before a trial is run again, doubled each time."""
MAX_FAILED: Final = 5
"""So many trials in a row with nothing but infrastructure errors end a run."""

SKILL: Final = "skill"
"""Where the text that is measured lies, below the run's folder."""
AT_BUDGET: Final = "stopped at the budget"
"""How the reason begins of a run whose budget was spent."""

MakeStage = Callable[[RunSettings, Path, tuple[Cell, ...]], Stage]
"""Makes the stage of a run from its settings, its folder and its harnesses with their models."""


@dataclass(slots=True)
class _Progress:
    failed_in_a_row: int = 0
    over_budget: bool = False
    stopped: bool = False
    """By a signal: the run stays open."""
    last_fault: str = ""
    busy: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])


async def work(
    data: Path,
    run: str,
    make_stage: MakeStage,
    hidden: tuple[str, ...] = (),
    *,
    pause: float = FIRST_PAUSE,
) -> None:
    """Work on a run until no trial is left, it is cancelled, or nothing can go on; UserError then.

    `hidden` are the values that must reach no journal.
    """
    locks = folders.lock_folder(data)
    with RunLock(locks, run), Journal(folders.journal_path(data), secrets=hidden) as journal:
        if _is_cancelled(journal, run):
            return
        settings = settings_of(journal.run(run).settings)
        for trial in journal.resume(run, retry=settings.retries):
            keep_spent(journal, run, trial, folders.trial_folder(data, run, trial))
        cells = tuple(dict.fromkeys(row.trial.cell for row in journal.trials(run)))
        folders.run_folder(data, run).mkdir(mode=0o700, parents=True, exist_ok=True)
        stage = make_stage(settings, folders.run_folder(data, run), cells)
        worker = _Worker(journal, run, settings, stage, folders.run_folder(data, run), pause)
        try:
            stage.book(spent(journal, run))
            await stage.prepare(lambda other: other != run and is_held(locks, other))
            await worker.work()
        except UserError as error:
            journal.end(run, "failed", str(error))
            raise
        finally:
            await stage.close()


def _is_cancelled(journal: Journal, run: str) -> bool:
    """Return whether a run was cancelled, or was asked to before its worker had come."""
    row = journal.run(run)
    if row.state == "open" and row.cancel_asked is not None:
        journal.end(run, "cancelled", "as asked")
        return True
    return row.state == "cancelled"


def spent(journal: JournalReader, run: str) -> float:
    """Return what a run has cost so far, as far as prices were known, in US dollars."""
    ended = {row.trial.id for row in journal.trials(run) if row.state in ENDED}
    runs = (
        ran_of(body).usage.cost_usd
        for trial, body in journal.results(run, "ran").items()
        if trial in ended
    )
    judged = (one for body in journal.results(run, "judged").values() for one in body.values())
    return (
        sum(cost or 0.0 for cost in (*runs, *(one["cost_usd"] for one in judged)))
        + spent_before(journal, run)[0]
    )


class _Worker:
    """The work on one run."""

    def __init__(
        self,
        journal: Journal,
        run: str,
        settings: RunSettings,
        stage: Stage,
        folder: Path,
        pause: float,
    ) -> None:
        self.journal, self.run, self.settings, self.stage = journal, run, settings, stage
        self.folder, self.pause = folder, pause
        self.cases = {case.id: case for case in map(case_of, journal.cases(run))}
        self.progress = _Progress()
        self.source = self._measured()

    def _measured(self) -> SkillSource:
        """Return a copy of the skill, so that all trials have one text while its author goes on.

        UserError if it is another than the one that was measured until now.
        """
        files = sorted({path for case in self.cases.values() for path in case.files})
        try:
            kept = SkillSource(Path(self.settings.skill_path)).kept_in(self.folder / SKILL, files)
        except OSError as error:
            raise UserError("The skill can't be copied", str(error)) from error
        if kept.digest != self.journal.run(self.run).digest:
            raise UserError(
                f"The skill “{kept.name}” has changed since the run began",
                how="Begin a new run, or put its files back",
            )
        return kept

    async def work(self) -> None:
        """Run all trials that are left."""
        self._watch_signals()
        state = self.progress
        try:
            while not state.stopped:
                self._fill()
                if self._cancelled() or not state.busy:
                    break
                await asyncio.wait(state.busy, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED)
                self._reap()
        finally:
            await self._stop_all()
        if self._cancelled():
            for row in self.journal.trials(self.run):
                if row.state == "running":
                    keep_spent(self.journal, self.run, row.trial.id, self.folder / row.trial.id)
            self.journal.end(self.run, "cancelled", "as asked")
        elif not state.stopped:
            self._end()

    def _fill(self) -> None:
        """Begin as many trials as may run at once."""
        state = self.progress
        state.over_budget |= self.stage.is_spent
        while (
            len(state.busy) < self.settings.jobs
            and not (state.over_budget or state.stopped)
            and state.failed_in_a_row < MAX_FAILED
        ):
            trial = self.journal.claim(self.run)
            if trial is None:
                return
            state.busy.add(asyncio.create_task(self._one(trial), name=trial.id))

    async def _one(self, trial: Trial) -> None:
        """Run a trial, and write what came of it; again if it may go better."""
        try:
            outcome = await run_trial(
                self.stage,
                trial,
                self.cases[trial.case_id],
                self.source,
                self.settings,
                self.folder / trial.id,
                self.journal.secrets,
            )
        except EngineFault as fault:
            outcome = Outcome("infra-error", f"the engine failed: {fault}", again=True)
        except OSError as error:
            raise UserError(f"The trial “{trial.id}” can't be kept", str(error)) from error
        except (UserError, asyncio.CancelledError):
            raise
        except Exception as error:  # a bug of ours takes one trial with it, not the run
            log.exception("trial %s", trial.id)
            outcome = Outcome("infra-error", f"skillgauge failed: {type(error).__name__}: {error}")
        self.progress.over_budget |= outcome.over_budget
        self.journal.finish(
            self.run, trial.id, outcome.state, reason=outcome.reason, results=outcome.results
        )
        tries = len(self.journal.tries(self.run, trial.id))
        again = outcome.again and tries <= self.settings.retries
        self._count(trial, outcome, again)
        if again and not self.progress.stopped:
            await asyncio.sleep(self.pause * 2 ** (tries - 1))
            keep_spent(self.journal, self.run, trial.id, self.folder / trial.id)
            self.journal.again(self.run, trial.id)

    def _count(self, trial: Trial, outcome: Outcome, again: bool) -> None:
        """Count the trials in a row that failed for good: from some number on it is no chance."""
        if outcome.state == "done":
            self.progress.failed_in_a_row = 0
            return
        self.progress.failed_in_a_row += not again
        self.progress.last_fault = outcome.reason
        log.warning("trial %s: %s", trial.id, outcome.reason)

    def _reap(self) -> None:
        """Take away the tasks that ended; what they raised ends the run."""
        for task in [task for task in self.progress.busy if task.done()]:
            self.progress.busy.discard(task)
            task.result()

    def _cancelled(self) -> bool:
        return self.journal.run(self.run).cancel_asked is not None

    async def _stop_all(self) -> None:
        """Stop what is running, and wait until its containers are gone."""
        for task in self.progress.busy:
            task.cancel()
        for task in self.progress.busy:
            with contextlib.suppress(asyncio.CancelledError, UserError, EngineFault):
                await task
        self.progress.busy.clear()

    def _end(self) -> None:
        """End the run by what is left of it."""
        state = self.progress
        if state.failed_in_a_row >= MAX_FAILED:
            raise UserError(
                f"The last {state.failed_in_a_row} trials failed",
                state.last_fault,
                f"Mend that, then `skillgauge lift resume {self.run}`",
            )
        counts = self.journal.counts(self.run)
        if state.over_budget and (counts.get("planned") or counts.get("infra-error")):
            budget = f"{AT_BUDGET} of ${self.settings.max_cost or 0:g}"
            self.journal.end(self.run, "failed", budget)
            return
        if counts.get("infra-error") and not counts.get("done"):
            raise UserError(
                "No trial came to its end",
                state.last_fault,
                f"Mend that, then `skillgauge lift resume {self.run}`",
            )
        self.journal.end(self.run, "done")

    def _watch_signals(self) -> None:
        """Let a polite request to end stop the containers first; the run stays open."""

        def stop() -> None:
            self.progress.stopped = True

        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, stop)
