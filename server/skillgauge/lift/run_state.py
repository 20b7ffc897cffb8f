"""A run as a plain dict: how far it is, what it took, and what it says of the skill until now.

This is what `skillgauge lift status --format json` prints and what editors read, so its keys stay.
A value that can't be told is None.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.records import Event, Row, RunRow
from skillgauge.lift.run_lock import is_held
from skillgauge.lift.run_results import RunResults, read_results
from skillgauge.lift.settings import settings_of
from skillgauge.lift.source import SkillSource

ENDED: Final = ("done", "infra-error", "cancelled")
STARTING: Final = 15.0
"""Seconds that the worker of a new run may take until it shows."""
KEPT: Final = 5.0
"""Seconds after which a skill's files are read again."""

Clock = Callable[[], float]
_Key = tuple[Cell, Arm]


class RunStates:
    """Makes states of runs; what has not changed since the last time is not worked out again."""

    def __init__(self, data: Path, reader: JournalReader, clock: Clock = time.time) -> None:
        """Read nothing yet."""
        self.data, self.reader, self._clock = data, reader, clock
        self._digests: dict[str, tuple[float, str]] = {}
        self._results: dict[str, tuple[tuple[str, ...], RunResults]] = {}

    def of(self, row: RunRow) -> dict[str, Any]:
        """Return the state of a run."""
        settings, rows = settings_of(row.settings), self.reader.trials(row.id)
        is_open = row.state == "open"
        events = self.reader.events(row.id) if is_open else []
        found = self._found(row.id, rows)
        return {
            "run": row.id,
            "state": row.state,
            "working": is_open and self.is_working(row, events),
            "cancelling": is_open and row.cancel_asked is not None,
            "reason": row.reason,
            "created": row.created,
            "ended": row.ended,
            "skill": row.skill,
            "path": settings.skill_path,
            "digest": row.digest,
            "stale": self._digest(settings.skill_path) != row.digest,
            "replay_of": settings.replay_of or None,
            "harnesses": list(dict.fromkeys(spec_of(one.trial.cell) for one in rows)),
            "counts": _counts(rows),
            "trials": len(rows),
            "arms": _arms(rows),
            "cost_usd": found.cost_usd,
            "cost_partial": found.cost_partial,
            "max_cost_usd": settings.max_cost,
            "eta_seconds": seconds_left(rows, events, settings.jobs, self._clock()),
            "lift": found.lift,
            "cases": list(found.cases),
        }

    def is_working(self, row: RunRow, events: Sequence[Event]) -> bool:
        """Return whether a process works on a run, or has just been started to."""
        if is_held(folders.lock_folder(self.data), row.id):
            return True
        begun = any(event.kind == "resumed" for event in events)
        return not begun and self._clock() - row.created < STARTING

    def _found(self, run: str, rows: Sequence[Row]) -> RunResults:
        """Return what the trials gave; it is read again when one has ended."""
        states = tuple(row.state for row in rows)
        known = self._results.get(run)
        if known is None or known[0] != states:
            known = states, read_results(self.reader, run, rows)
            self._results[run] = known
        return known[1]

    def _digest(self, folder: str) -> str:
        """Return the hash of a skill's files as they are now, "" if it is gone."""
        now = self._clock()
        at, digest = self._digests.get(folder, (now - 2 * KEPT, ""))
        if now - at > KEPT:
            try:
                digest = SkillSource(Path(folder)).digest
            except (UserError, OSError):
                digest = ""
            self._digests[folder] = now, digest
        return digest


def spec_of(cell: Cell) -> str:
    """Return a harness with its model as the option --harness takes it."""
    return f"{cell.harness}={cell.model}" if cell.model else cell.harness


def _counts(rows: Iterable[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    return counts


def _arms(rows: Iterable[Row]) -> dict[str, dict[str, int]]:
    """Return of each arm how many trials there are, came to their end, and are running."""
    arms: dict[str, dict[str, int]] = {}
    for row in rows:
        arm = arms.setdefault(row.trial.arm, {"trials": 0, "ended": 0, "running": 0})
        arm["trials"] += 1
        arm["ended"] += row.state in ("done", "infra-error")
        arm["running"] += row.state == "running"
    return dict(sorted(arms.items(), reverse=True))  # with-skill before baseline


def seconds_left(
    rows: Sequence[Row], events: Sequence[Event], jobs: int, now: float
) -> float | None:
    """Return how long the trials that are left will take, by the means of those that ended.

    None if none has ended, 0 if none is left.
    """
    left = [row for row in rows if row.state in ("planned", "running")]
    if not left:
        return 0.0
    took, since = _times(events)
    means = _means((row.trial.cell, row.trial.arm, took[row.trial.id])
                   for row in rows if row.trial.id in took)  # fmt: skip
    if not means:
        return None
    usual = sum(means.values()) / len(means)
    times: list[float] = []
    for row in left:
        mean = means.get((row.trial.cell, row.trial.arm), usual)
        spent = now - since.get(row.trial.id, now) if row.state == "running" else 0.0
        times.append(max(mean - spent, 0.0))
    return round(max(sum(times) / min(max(jobs, 1), len(times)), max(times)), 1)


def _times(events: Iterable[Event]) -> tuple[dict[str, float], dict[str, float]]:
    """Return how long trials took that ended, and since when the others have been running."""
    took: dict[str, float] = {}
    since: dict[str, float] = {}
    for event in events:
        if event.trial is None:
            continue
        if event.kind == "running":
            since[event.trial] = event.at
        elif event.kind in ENDED and event.trial in since:
            took[event.trial] = event.at - since.pop(event.trial)
    return took, since


def _means(times: Iterable[tuple[Cell, Arm, float]]) -> Mapping[_Key, float]:
    made: dict[_Key, list[float]] = {}
    for cell, arm, seconds in times:
        made.setdefault((cell, arm), []).append(seconds)
    return {key: sum(values) / len(values) for key, values in made.items()}
