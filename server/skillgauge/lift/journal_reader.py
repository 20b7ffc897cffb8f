"""Reads the journal of lift runs, while its writer writes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Self, cast

from skillgauge.errors import UserError
from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.records import Event, Row, RunRow, State, Try
from skillgauge.lift.schema import prepare

WAIT: Final = 30.0
"""Seconds that a writer waits for another one."""
RUN: Final = "id, created, ended, state, reason, cancel_asked, worker, skill, digest, settings"
ROW: Final = "id, position, case_id, arm, harness, model, attempt, state, reason"


class JournalReader:
    """An open journal, to look at. Not to be shared between threads."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Open a journal that is there."""
        self.path = path
        with self._faults():
            self._database = self._open(write)
            try:
                prepare(self._database, str(path), write=write)
            except BaseException:
                self._database.close()
                raise

    def _open(self, write: bool) -> sqlite3.Connection:
        if not write and not self.path.is_file():
            raise UserError(f"There is no journal “{self.path}”", how="Nothing was run yet")
        if write:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = "rwc" if write else "ro"
        address = f"{self.path.resolve().as_uri()}?mode={mode}"
        database = sqlite3.connect(address, timeout=WAIT, isolation_level=None, uri=True)
        if write:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        return database

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def runs(self) -> list[RunRow]:
        """Return all runs, the newest first."""
        query = f"SELECT {RUN} FROM runs ORDER BY created DESC, id"
        return [run_of(row) for row in self._read(query)]

    def run(self, run: str) -> RunRow:
        """Return a run; UserError if there is none of that id."""
        found = [run_of(row) for row in self._read(f"SELECT {RUN} FROM runs WHERE id = ?", run)]
        if not found:
            raise UserError(f"There is no run “{run}”", how="`skillgauge lift status` lists them")
        return found[0]

    def cases(self, run: str) -> list[dict[str, Any]]:
        """Return the cases of a run as they were when it was planned."""
        return [case for (body,) in self._read("SELECT cases FROM runs WHERE id = ?", run)
                for case in json.loads(body)]  # fmt: skip

    def trials(self, run: str) -> list[Row]:
        """Return the trials of a run in their order."""
        query = f"SELECT {ROW} FROM trials WHERE run = ? ORDER BY position"
        return [row_of(row) for row in self._read(query, run)]

    def tries(self, run: str, trial: str) -> list[Try]:
        """Return how often a trial was begun, and what came of it."""
        query = "SELECT number, started, ended, outcome, reason FROM tries"
        return [
            Try(*row)
            for row in self._read(
                f"{query} WHERE run = ? AND trial = ? ORDER BY number", run, trial
            )
        ]

    def results(self, run: str, kind: str, without: Sequence[str] = ()) -> dict[str, Any]:
        """Return the results of one kind by trial; parts that are large can be left out."""
        removed = "".join(", ?" for _ in without)
        body = f"json_remove(body{removed})" if without else "body"
        query = f"SELECT trial, {body} FROM results WHERE run = ? AND kind = ?"
        paths = [f"$.{name}" for name in without]
        return {trial: json.loads(body) for trial, body in self._read(query, *paths, run, kind)}

    def result(self, run: str, trial: str, kind: str) -> Any:
        """Return one result of one trial, None if it is not there; trajectories may be large."""
        query = "SELECT body FROM results WHERE run = ? AND trial = ? AND kind = ?"
        found = self._read(query, run, trial, kind)
        return json.loads(found[0][0]) if found else None

    def counts(self, run: str) -> dict[State, int]:
        """Return how many trials are in each state."""
        query = "SELECT state, count(*) FROM trials WHERE run = ? GROUP BY state"
        return dict(cast("Iterable[tuple[State, int]]", self._read(query, run)))

    def events(self, run: str, after: int = 0) -> list[Event]:
        """Return what happened behind an event, in order."""
        query = "SELECT seq, trial, at, kind, detail FROM events WHERE run = ? AND seq > ?"
        return [
            Event(seq, trial, at, kind, json.loads(detail))
            for seq, trial, at, kind, detail in self._read(f"{query} ORDER BY seq", run, after)
        ]

    def _read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._faults(), closing(self._database.execute(query, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _faults(self) -> Generator[None]:
        """Tell a full disk and the like as what they are: faults that the user can mend."""
        try:
            yield
        except (sqlite3.OperationalError, sqlite3.DatabaseError, OSError) as error:
            if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
                raise
            how = "Free some space, then `skillgauge lift resume`" if "full" in str(error) else ""
            raise UserError(f"The journal “{self.path}” failed", str(error), how) from error


def row_of(values: tuple[Any, ...]) -> Row:
    """Return a trial from its columns."""
    key, position, case, arm, harness, model, attempt, state, reason = values
    return Row(Trial(key, position, case, arm, Cell(harness, model), attempt), state, reason)


def run_of(values: tuple[Any, ...]) -> RunRow:
    """Return a run from its columns."""
    key, created, ended, state, reason, asked, worker, skill, digest, settings = values
    return RunRow(
        *(key, created, ended, state, reason, asked, worker, skill, digest), json.loads(settings)
    )
