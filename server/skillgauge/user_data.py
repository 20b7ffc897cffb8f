"""Where Skillgauge keeps what belongs to its user and is no cache: the same for every process."""

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


def lift_folder(data: Path) -> Path:
    """Return where lift runs are: a folder for each in `runs`, and the journal of all."""
    return data / "lift"


def journal_path(data: Path) -> Path:
    """Return the journal of all lift runs."""
    return lift_folder(data) / "journal.sqlite"
