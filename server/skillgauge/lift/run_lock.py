"""One worker a run: a lock that the system takes back when its holder ends, however it ends.

It is an exclusive transaction on a small SQLite file, which works on every system that the journal
works on, and leaves nothing to clean up behind a process that was killed.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final, Self

from skillgauge.errors import UserError

WAIT: Final = 1.0
"""Seconds that a worker waits for a lock: who only looks whether it is held has it for a moment."""


class RunLock:
    """Holds a run, from `with RunLock(folder, run):` to its end."""

    def __init__(self, folder: Path, run: str, wait: float = WAIT) -> None:
        """Take the folder in which the locks are."""
        self.path, self.run, self.wait = folder / f"{run}.lock", run, wait
        self._held: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None)
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            held.close()
            raise UserError(
                f"The run “{self.run}” is being worked on by another process",
                how="`skillgauge lift status` shows how far it is",
            ) from error
        self._held = held
        return self

    def __exit__(self, *_: object) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None


def is_held(folder: Path, run: str) -> bool:
    """Return whether a process works on a run at this moment."""
    if not (folder / f"{run}.lock").is_file():
        return False
    try:
        with RunLock(folder, run, wait=0):
            return False
    except UserError:
        return True
