"""The journal of lift runs from outside: whether there is one, and whether it has changed."""

from __future__ import annotations

import os
from pathlib import Path

Stat = tuple[int, int] | None
Signature = tuple[Stat, Stat, Stat]
"""Of the folder of runs, of the journal, and of its write-ahead log."""


def journal() -> Path:
    """Return the journal, which may not be there yet."""
    from skillgauge.user_data import data_folder, journal_path

    return journal_path(data_folder())


def signature() -> Signature:
    """Return what changes when somebody begins a run or works on one.

    An empty write-ahead log says nothing: readers make one.
    """
    path = journal()
    ahead = _stat(path.with_name(f"{path.name}-wal"))
    return (_stat(path.parent / "runs"), _stat(path), ahead if ahead and ahead[1] else None)


def _stat(path: Path) -> Stat:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size)
