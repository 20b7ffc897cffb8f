"""`lift cancel`: asks a run's worker to stop its containers and end, and waits until it has."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Final

from skillgauge.cli._lift._runs import id_of
from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.run_lock import RunLock

PATIENCE: Final = 15.0
"""Seconds for a worker to end; it takes 5 at most to stop its containers."""
LOOK: Final = 0.1


def run(options: Namespace) -> int:
    """Cancel, and return the exit status: 3 if the worker does not end."""
    data, name = folders.data_folder(), id_of(options.subject)
    with Journal(folders.journal_path(data)) as journal:
        before = journal.run(name).state
        if before == "open":
            journal.ask_to_cancel(name)
            _wait(journal, data, name)
        state = journal.run(name).state
    if options.format == "json":
        told = {"schema_version": 1, "run": name, "state": state}
        write(json.dumps(told) + "\n", machine=True)
    elif before != "open":
        say(f"Run {name} had ended already: {state}")
    elif state == "open":
        say(f"Run {name} has been asked to end and has not yet")
    else:
        say(f"Run {name} is {state}; its containers are gone" if state == "cancelled"
            else f"Run {name} ended before it could be cancelled: {state}")  # fmt: skip
    return 3 if state == "open" else 0


def _wait(journal: Journal, data: Path, run: str) -> None:
    """Wait for the worker; where there is none, end the run in its place."""
    end = time.monotonic() + PATIENCE
    while journal.run(run).state == "open" and time.monotonic() < end:
        try:
            with RunLock(folders.lock_folder(data), run, wait=0):
                if journal.run(run).state == "open":
                    journal.end(run, "cancelled", "as asked")
                return
        except UserError:  # its worker has it
            time.sleep(LOOK)
