"""Follows a run in the journal: its state, what happens in it, and its state again, until it ends.

It only reads, so that any number of terminals and editors can follow a run that works elsewhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Trial
from skillgauge.lift.records import Event
from skillgauge.lift.run_state import RunStates, spec_of

LOOK: Final = 0.25
"""Seconds between two looks."""
OFTEN: Final = 0.5
"""Seconds between two states at least."""
SLOW: Final = 1.0
"""Seconds between two looks for a living worker, which cost more."""
PATIENCE: Final = 10.0
"""Seconds without a worker after which nobody waits for one any more."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What time it is, and how to wait; tests have their own."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class Follower:
    """Follows one run; `pid` is its worker if it is a child of this process."""

    def __init__(
        self, data: Path, run: str, pid: int | None = None, clock: Clock | None = None
    ) -> None:
        """Read nothing yet."""
        self.data, self.run = data, run
        self.pid = pid if hasattr(os, "WNOHANG") else None
        self.clock = clock or Clock()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield a state, then events with states between them.

        It ends when the run has ended, or when nobody works on it any more.
        """
        with JournalReader(folders.journal_path(self.data)) as reader:
            yield from self._follow(reader)

    def _follow(self, reader: JournalReader) -> Iterator[dict[str, Any]]:
        states = RunStates(self.data, reader, self.clock.now)
        trials = {row.trial.id: row.trial for row in reader.trials(self.run)}
        seen = max((event.seq for event in reader.events(self.run)), default=0)
        state = self._state(states, reader, gone=self._is_gone())
        yield {"kind": "state", **state}
        told = looked = alive = self.clock.now()
        news = False
        while state["state"] == "open":
            if not state["working"] and self.clock.now() - alive >= PATIENCE:
                return
            self.clock.sleep(LOOK)
            gone = self._is_gone()  # before the events are read: a dead worker writes none
            for event in reader.events(self.run, seen):
                seen, news = event.seq, True
                trial = trials.get(event.trial or "")
                yield {**_plain(event, self.run), **(_about(trial) if trial else {})}
            now = self.clock.now()
            if now - looked >= SLOW or gone:
                looked = now
                working = self.pid is not None and not gone
                working |= states.is_working(reader.run(self.run), reader.events(self.run))
                news |= working != state["working"]
                alive = now if working else alive
            if gone or (news and now - told >= OFTEN):
                state, told, news = self._state(states, reader, gone=gone), now, False
                yield {"kind": "state", **state}
                if gone:
                    return

    def _state(self, states: RunStates, reader: JournalReader, *, gone: bool) -> dict[str, Any]:
        """Return the state; a child that lives works, even if it has yet to take the lock."""
        state = states.of(reader.run(self.run))
        if state["state"] == "open" and self.pid is not None:
            state["working"] = not gone
        return state

    def _is_gone(self) -> bool:
        """Return whether the worker has ended, as far as its parent can tell."""
        if self.pid is None:
            return False
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
        except ChildProcessError:  # another part of this process has seen it end
            return True


def _plain(event: Event, run: str) -> dict[str, Any]:
    return {
        "kind": "event",
        "event": event.kind,
        "run": run,
        "seq": event.seq,
        "at": event.at,
        "trial": event.trial,
        "detail": event.detail,
    }


def _about(trial: Trial) -> dict[str, Any]:
    """Return which trial it is, for people."""
    return {
        "case": trial.case_id,
        "arm": trial.arm,
        "harness": spec_of(trial.cell),
        "attempt": trial.attempt,
    }
