"""The journal of lift runs: one SQLite file in which each trial is a row that changes state once.

What is written is on disk before a call returns, so a process that is killed, or a machine that
goes down, loses the trials in flight and nothing else. Readers never wait for the writer.

    planned → running → done | infra-error | cancelled

`infra-error` is the runner's fault, never the skill's; such a trial is run again, within bounds.
Secrets are taken out of all texts on their way in.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from skillgauge.lift.journal_reader import ROW, JournalReader, row_of
from skillgauge.lift.plan import Plan, Trial
from skillgauge.lift.records import State
from skillgauge.lift.redaction import redact, redact_values

Outcome = Literal["done", "infra-error", "cancelled"]
Clock = Callable[[], float]


class Journal(JournalReader):
    """An open journal. Not to be shared between threads; open it once in each process."""

    def __init__(
        self, path: Path, *, secrets: Iterable[str] = (), clock: Clock = time.time
    ) -> None:
        """Open a journal, or begin one. `secrets` are values that must not be stored."""
        super().__init__(path, write=True)
        self._clock, self._secrets = clock, tuple(secrets)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must not be stored, here or beside it."""
        return self._secrets

    def begin(
        self,
        run: str,
        plan: Plan,
        *,
        skill: str,
        digest: str,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        """Write a run with all its trials at once."""
        cases = [asdict(case) for case in plan.cases]
        with self._writing():
            self._database.execute(
                "INSERT INTO runs (id, created, state, skill, digest, settings, cases)"
                " VALUES (?, ?, 'open', ?, ?, ?, ?)",
                (run, self._clock(), skill, digest, self._json(settings or {}), self._json(cases)),
            )
            self._database.executemany(
                "INSERT INTO trials (run, id, position, case_id, arm, harness, model, attempt)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(run, *_columns(trial)) for trial in plan.trials],
            )
            self._note(run, None, "planned", {"trials": len(plan.trials)})

    def claim(self, run: str) -> Trial | None:
        """Begin the next trial, and return it; None if none is left or the run is to end."""
        with self._writing():
            found = self._database.execute(
                f"UPDATE trials SET state = 'running' WHERE run = :run AND position = ("
                " SELECT min(position) FROM trials WHERE run = :run AND state = 'planned')"
                " AND EXISTS (SELECT 1 FROM runs WHERE id = :run AND state = 'open'"
                f" AND cancel_asked IS NULL) RETURNING {ROW}",
                {"run": run},
            ).fetchone()
            if found is None:
                return None
            trial = row_of(found).trial
            self._database.execute(
                "INSERT INTO tries (run, trial, number, started) SELECT ?1, ?2, count(*) + 1, ?3"
                " FROM tries WHERE run = ?1 AND trial = ?2",
                (run, trial.id, self._clock()),
            )
            self._note(run, trial.id, "running", {})
        return trial

    def finish(
        self,
        run: str,
        trial: str,
        state: Outcome,
        *,
        reason: str = "",
        results: Mapping[str, object] | None = None,
    ) -> None:
        """End a trial that is running, with its results, all or nothing."""
        with self._writing():
            self._end(run, trial, state, reason)
            self._store(run, trial, results or {})

    def store(self, run: str, trial: str, results: Mapping[str, object]) -> None:
        """Keep results of a trial that has ended, in place of older ones: it was graded again."""
        with self._writing():
            self._store(run, trial, results)
            self._note(run, trial, "stored", {"kinds": sorted(results)})

    def note(
        self, run: str, kind: str, detail: Mapping[str, object], trial: str | None = None
    ) -> None:
        """Write an event."""
        with self._writing():
            self._note(run, trial, kind, detail)

    def resume(self, run: str, *, retry: int = 0) -> list[str]:
        """Make a run ready to go on; return the trials that will be run again.

        These are the ones that were in flight when its worker ended, and of those with an
        infrastructure error the ones with at most `retry` such tries. To be called by a worker
        that holds the run's lock: a living one's trials are not in flight for another. A wish to
        cancel that came while nobody worked on it stays.
        """
        again: list[str] = []
        with self._writing():
            for trial in self._ids(
                run, "SELECT id FROM trials WHERE run = ? AND state = 'running'"
            ):
                self._end(run, trial, "planned", "its worker ended")
                again.append(trial)
            failed = self._ids(
                run,
                "SELECT t.id FROM trials t WHERE t.run = ? AND t.state = 'infra-error' AND ("
                "SELECT count(*) FROM tries WHERE run = t.run AND trial = t.id"
                " AND outcome = 'infra-error') <= ?",
                retry,
            )
            for trial in failed:
                self._move(run, trial, "infra-error", "planned", "")
            again += failed
            self._database.execute(
                "UPDATE runs SET state = 'open', ended = NULL, reason = '', worker = ?,"
                " cancel_asked = CASE state WHEN 'open' THEN cancel_asked END WHERE id = ?",
                (os.getpid(), run),
            )
            self._note(run, None, "resumed", {"trials": len(again)})
        return again

    def again(self, run: str, trial: str) -> None:
        """Put a trial with an infrastructure error back, to be run once more."""
        with self._writing():
            self._move(run, trial, "infra-error", "planned", "")
            self._note(run, trial, "again", {})

    def change(self, run: str, settings: Mapping[str, object]) -> None:
        """Change how a run is to go on. To be called by one that holds the run's lock."""
        with self._writing():
            self._database.execute(
                "UPDATE runs SET settings = ? WHERE id = ?", (self._json(settings), run)
            )
            self._note(run, None, "changed", {})

    def ask_to_cancel(self, run: str) -> None:
        """Ask the worker of a run to end it; no trial begins any more."""
        with self._writing():
            self._database.execute(
                "UPDATE runs SET cancel_asked = ? WHERE id = ? AND state = 'open'",
                (self._clock(), run),
            )
            self._note(run, None, "cancel-asked", {})

    def end(
        self, run: str, state: Literal["done", "cancelled", "failed"], reason: str = ""
    ) -> None:
        """End a run. One that is cancelled takes with it what is planned or in flight."""
        with self._writing():
            if state == "cancelled":
                query = "SELECT id FROM trials WHERE run = ? AND state = 'running'"
                for trial in self._ids(run, query):
                    self._end(run, trial, "cancelled", reason)
                self._database.execute(
                    "UPDATE trials SET state = 'cancelled', reason = ?"
                    " WHERE run = ? AND state = 'planned'",
                    (redact(reason, self._secrets), run),
                )
            self._database.execute(
                "UPDATE runs SET state = ?, reason = ?, ended = ?, worker = NULL WHERE id = ?",
                (state, redact(reason, self._secrets), self._clock(), run),
            )
            self._note(run, None, state, {"reason": reason})

    # Inside

    def _ids(self, run: str, query: str, *values: object) -> list[str]:
        found = self._database.execute(f"{query} ORDER BY position", (run, *values))
        return [str(row[0]) for row in found]

    def _end(self, run: str, trial: str, state: State, reason: str) -> None:
        """End the try of a running trial; back to planned when it was lost."""
        self._move(run, trial, "running", state, reason)
        outcome = "lost" if state == "planned" else state
        self._database.execute(
            "UPDATE tries SET ended = ?, outcome = ?, reason = ?"
            " WHERE run = ? AND trial = ? AND ended IS NULL",
            (self._clock(), outcome, redact(reason, self._secrets), run, trial),
        )
        self._note(run, trial, outcome, {"reason": reason} if reason else {})

    def _move(self, run: str, trial: str, before: State, after: State, reason: str) -> None:
        changed = self._database.execute(
            "UPDATE trials SET state = ?, reason = ? WHERE run = ? AND id = ? AND state = ?",
            (after, redact(reason, self._secrets), run, trial, before),
        )
        if changed.rowcount != 1:
            raise LookupError(f"the trial {trial} of run {run} is not {before}")

    def _store(self, run: str, trial: str, results: Mapping[str, object]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO results (run, trial, kind, at, body) VALUES (?, ?, ?, ?, ?)",
            [(run, trial, kind, self._clock(), self._json(body)) for kind, body in results.items()],
        )

    def _note(self, run: str, trial: str | None, kind: str, detail: Mapping[str, object]) -> None:
        self._database.execute(
            "INSERT INTO events (run, trial, at, kind, detail) VALUES (?, ?, ?, ?, ?)",
            (run, trial, self._clock(), kind, self._json(detail)),
        )

    def _json(self, value: object) -> str:
        clean = redact_values(value, self._secrets)
        return json.dumps(clean, ensure_ascii=True, allow_nan=False, separators=(",", ":"))

    @contextmanager
    def _writing(self) -> Generator[None]:
        """Make all that is written inside one change, which happens as a whole or not at all."""
        with self._faults():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise


def _columns(trial: Trial) -> Sequence[object]:
    cell = trial.cell
    return (
        *(trial.id, trial.position, trial.case_id, trial.arm),
        *(cell.harness, cell.model, trial.attempt),
    )
