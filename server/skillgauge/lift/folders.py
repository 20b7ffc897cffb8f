"""Where lift runs are kept: the journal, the locks and each trial's own folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

VARIABLE: Final = "SKILLGAUGE_DATA"


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the user's data folder of Skillgauge, which may not be there yet."""
    known = os.environ if environment is None else environment
    if named := known.get(VARIABLE):
        return Path(named)
    if sys.platform == "win32":
        base = Path(known.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(known.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "skillgauge"


def journal_path(data: Path) -> Path:
    """Return the journal of all runs."""
    return data / "lift" / "journal.sqlite"


def lock_folder(data: Path) -> Path:
    """Return where the runs' locks are."""
    return data / "lift" / "locks"


def run_folder(data: Path, run: str) -> Path:
    """Return what belongs to one run; worker.log is in it."""
    return data / "lift" / "runs" / run


def trial_folder(data: Path, run: str, trial: str) -> Path:
    """Return what belongs to one trial: home/, workspace/, exchanges.jsonl, stdout, stderr."""
    return run_folder(data, run) / trial
