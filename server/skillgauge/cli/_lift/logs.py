"""`lift logs`: what the worker of a run wrote; of a trial, what it printed and what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from skillgauge.cli._lift._runs import find_run, open_journal
from skillgauge.cli._lift._words import count
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.records import Row
from skillgauge.lift.redaction import redact
from skillgauge.lift.report._steps import Room, shown
from skillgauge.lift.run_lock import is_held
from skillgauge.report._terminal import safe
from skillgauge.text import split_lines

LOOK: Final = 0.25
MAX_STEPS: Final = 2_000_000
"""Characters of a trajectory that are shown."""
MAX_LINE: Final = 4_000


def run(options: Namespace) -> int:
    """Print the logs."""
    data = folders.data_folder()
    with open_journal() as reader:
        name = find_run(reader, options.subject).id
        if options.trial is None:
            for line in _worker(data, reader, name, follow=options.follow):
                _print(line)
            return 0
        row = _find_trial(reader, name, options.trial)
        if options.follow:
            _wait(reader, data, name, row.trial.id)
            row = _find_trial(reader, name, row.trial.id)
        for line in _trial(data, reader, name, row):
            _print(line)
    return 0


def _print(line: str) -> None:
    """Print a foreign line; nothing in it can drive the terminal."""
    cut = line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"
    write(f"{safe(cut.expandtabs(4))}\n")


def _worker(data: Path, reader: JournalReader, run: str, *, follow: bool) -> Iterator[str]:
    """Yield the lines of a worker's log, with `follow` until it ends."""
    path = folders.run_folder(data, run) / "worker.log"
    if not path.is_file():
        raise UserError(f"Run {run} has no log", how="No worker was started for it")
    with path.open("rb") as log:
        rest = b""
        over = not follow
        while True:
            parts = (rest + log.read()).split(b"\n")
            rest = parts.pop()
            yield from (part.decode("utf-8", "replace").rstrip("\r") for part in parts)
            if over:
                break
            over = not _lives(reader, data, run)
            time.sleep(0 if over else LOOK)
        if rest:
            yield rest.decode("utf-8", "replace")


def _lives(reader: JournalReader, data: Path, run: str) -> bool:
    return reader.run(run).state == "open" and is_held(folders.lock_folder(data), run)


def _wait(reader: JournalReader, data: Path, run: str, trial: str) -> None:
    """Wait until a trial has ended, or nobody works on it."""
    while _find_trial(reader, run, trial).state in ("planned", "running"):
        if not _lives(reader, data, run):
            return
        time.sleep(LOOK)


def _find_trial(reader: JournalReader, run: str, given: str) -> Row:
    rows = reader.trials(run)
    found = [row for row in rows if row.trial.id == given] or [
        row for row in rows if row.trial.id.startswith(given) or row.trial.case_id == given
    ]
    if len(found) == 1:
        return found[0]
    how = f"`skillgauge lift status {run}` lists its trials"
    if found:
        raise UserError(f"“{given}” may be any of {count(len(found), 'trial')}", how=how)
    raise UserError(f"Run {run} has no trial “{given}”", how=how)


def _trial(data: Path, reader: JournalReader, run: str, row: Row) -> Iterator[str]:
    """Yield what a trial is, printed and did."""
    trial = row.trial
    yield f"Trial {trial.id}: {trial.case_id}, {trial.arm}, {trial.cell}, attempt {trial.attempt}"
    yield f"State {row.state}{': ' + row.reason if row.reason else ''}"
    for one in reader.tries(run, trial.id):
        took = "" if one.ended is None else f", {one.ended - one.started:.1f} s"
        why = f": {one.reason}" if one.reason else ""
        yield f"Try {one.number}: {one.outcome or 'running'}{took}{why}"
    for name in ("stdout", "stderr"):
        path = folders.trial_folder(data, run, trial.id) / name
        if path.is_file() and not path.is_symlink() and path.stat().st_size:
            yield f"--- {name}"
            yield from split_lines(redact(path.read_bytes().decode("utf-8", "replace")))
    body = reader.result(run, trial.id, "trajectory")
    if body is not None:
        yield "--- steps"
        yield from _steps(body)


def _steps(body: object) -> Iterator[str]:
    told = shown(body, Room(MAX_STEPS))
    for step in told.steps:
        who = f"{step.source} ({step.agent})" if step.agent else step.source
        yield f"[{step.number}] {who}"
        for text in filter(None, (step.thought, step.text)):
            yield from _indented(text)
        for call in step.calls:
            yield f"    → {call.name} {call.brief}".rstrip()
            status = f"exit status {call.exit_code}" if call.exit_code else "it failed"
            yield from (f"      {status}" for _ in range(bool(call.failed)))
            yield from _indented(call.output, "      ")
    if told.left_out:
        yield f"{count(told.left_out, 'more step')}"


def _indented(text: str, by: str = "    ") -> Iterator[str]:
    indent: Callable[[str], str] = by.__add__
    yield from map(indent, split_lines(text))
