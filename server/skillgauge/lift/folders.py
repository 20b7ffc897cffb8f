"""Where lift runs are kept: the journal, the locks and each trial's own folder."""

from __future__ import annotations

from pathlib import Path

from skillgauge.user_data import VARIABLE, data_folder, journal_path

__all__ = ["VARIABLE", "data_folder", "journal_path", "lock_folder", "run_folder", "trial_folder"]


def lock_folder(data: Path) -> Path:
    """Return where the runs' locks are."""
    return data / "lift" / "locks"


def run_folder(data: Path, run: str) -> Path:
    """Return what belongs to one run; worker.log is in it."""
    return data / "lift" / "runs" / run


def trial_folder(data: Path, run: str, trial: str) -> Path:
    """Return what belongs to one trial: home/, workspace/, exchanges.jsonl, stdout, stderr."""
    return run_folder(data, run) / trial
