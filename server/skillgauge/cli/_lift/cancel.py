"""`lift cancel`: asks a run's worker to stop its containers and end, and waits until it has."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Final

from skillgauge.cli._lift._runs import id_of
from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace
from skillgauge.errors import SkillgaugeError, UserError
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.run_lock import RunLock, is_held

PATIENCE: Final = 15.0
"""Seconds for a worker to end; it takes 5 at most to stop its containers."""
LOOK: Final = 0.1
COULD_NOT: Final = 3


def run(options: Namespace) -> int:
    """Cancel, and return the exit status: 3 if the worker does not end."""
    data, name = folders.data_folder(), id_of(options.subject)
    swept = True
    with Journal(folders.journal_path(data)) as journal:
        before = journal.run(name).state
        if before == "open":
            journal.ask_to_cancel(name)
            if _ended_here(journal, data, name):
                swept = _sweep(data)
        state = journal.run(name).state
    if options.format == "json":
        told = {"schema_version": 1, "run": name, "state": state}
        write(json.dumps(told) + "\n", machine=True)
    else:
        say(_told(name, before, state, swept=swept))
    return COULD_NOT if state == "open" else 0


def _told(name: str, before: str, state: str, *, swept: bool) -> str:
    if before != "open":
        return f"Run {name} had ended already: {state}"
    if state == "open":
        return f"Run {name} has been asked to end and has not yet"
    if state != "cancelled":
        return f"Run {name} ended before it could be cancelled: {state}"
    if swept:
        return f"Run {name} is cancelled; its containers are gone"
    return f"Run {name} is cancelled; what is left of its containers goes when the next run begins"


def _ended_here(journal: Journal, data: Path, run: str) -> bool:
    """Wait for the worker; where there is none, end the run in its place, and return True."""
    end = time.monotonic() + PATIENCE
    while journal.run(run).state == "open" and time.monotonic() < end:
        try:
            with RunLock(folders.lock_folder(data), run, wait=0):
                if journal.run(run).state == "open":
                    journal.end(run, "cancelled", "as asked")
                    return True
        except UserError:  # its worker has it
            time.sleep(LOOK)
    return False


def _sweep(data: Path) -> bool:
    """Remove what workers left that were killed; return whether that could be done."""
    locks = folders.lock_folder(data)
    try:
        from skillgauge.lift.engines.docker import connect

        asyncio.run(connect(os.environ).sweep(lambda run: is_held(locks, run)))
    except (SkillgaugeError, ModuleNotFoundError):
        return False
    return True
