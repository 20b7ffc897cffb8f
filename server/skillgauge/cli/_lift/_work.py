"""What run, resume and replay have in common: start the worker, then follow it or leave it."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from skillgauge.cli._lift._progress import Progress
from skillgauge.cli._lift._result import result_of
from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.follow import Follower
from skillgauge.lift.journal import Journal
from skillgauge.lift.start import spawn

INTERRUPTED: Final = 130
TERMINATED: Final = 143


class Terminated(KeyboardInterrupt):
    """The process was asked to end, by a CI server that gives up a job, say."""


def work_on(options: Namespace, data: Path, run: str, how: str = "has begun") -> int:
    """Start the worker of a run; follow it to its end and report, unless it is to be left alone."""
    try:
        pid = spawn(data, run)
        if options.detach:
            _tell(options, run, pid)
            return 0
        say(f"Run {run} {how}. Ctrl-C cancels it; it goes on if this terminal is closed")
        state = followed(data, run, pid)
    except KeyboardInterrupt:  # before anybody followed it, or for the second time
        _cancel(data, run)
        raise
    return result_of(options, data, run, state)


def _tell(options: Namespace, run: str, pid: int) -> None:
    """Say what works in the background now."""
    if options.format == "json":
        told = {"schema_version": 1, "run": run, "pid": pid}
        write(json.dumps(told) + "\n", machine=True)
        return
    write(f"{run}\n")
    say(f"It works in the background; `skillgauge lift status {run} --follow` follows it")


def followed(data: Path, run: str, pid: int | None = None) -> dict[str, Any]:
    """Show the progress of a run until it ends, and return its last state.

    Ctrl-C cancels the run, and waits until its containers are gone; a second one doesn't wait.
    """
    state: dict[str, Any] = {}
    with Progress(sys.stderr) as progress, _termination():
        try:
            for line in Follower(data, run, pid):
                progress.take(line)
                state = line if line["kind"] == "state" else state
        except KeyboardInterrupt as interrupt:
            _cancel(data, run)
            progress.say("Cancelling: containers are being stopped. Ctrl-C again leaves at once")
            for line in Follower(data, run, pid):
                progress.take(line)
                state = line if line["kind"] == "state" else state
            state["interrupted"] = TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
    return state


def _cancel(data: Path, run: str) -> None:
    with Journal(folders.journal_path(data)) as journal:
        if journal.run(run).state == "open":
            journal.ask_to_cancel(run)


@contextmanager
def _termination() -> Generator[None]:
    """Take a request to end like Ctrl-C: nobody may be left to pay for what goes on."""

    def end(number: int, frame: object) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def refuse_worked_on(data: Path, run: str) -> None:
    """Raise UserError if a process works on a run."""
    from skillgauge.lift.run_lock import is_held

    if is_held(folders.lock_folder(data), run):
        raise UserError(
            f"The run “{run}” is being worked on",
            how=f"`skillgauge lift status {run} --follow` shows how far it is",
        )
