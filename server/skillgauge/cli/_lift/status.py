"""`lift status`: how far runs are and what they say; --follow tells until a run has ended."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from skillgauge.cli._lift._progress import Progress
from skillgauge.cli._lift._runs import find_run, id_of, open_journal
from skillgauge.cli._lift._status_text import listed, one_run
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace
from skillgauge.lift import folders
from skillgauge.lift.follow import Follower
from skillgauge.lift.records import RunRow
from skillgauge.lift.run_state import RunStates, spec_of

NEWEST: Final = 20
"""So many runs are listed if nothing else is asked for."""


def run(options: Namespace) -> int:
    """Print the state of runs, or of one as it changes."""
    if options.follow:
        _follow(options)
        if options.format == "jsonl":
            return 0
    states, left_out = _states(options)
    if options.format == "json":
        plain = {"schema_version": 1, "runs": states, "left_out": left_out}
        text = json.dumps(plain, ensure_ascii=False, indent=2) + "\n"
    elif options.subject is None:
        text = listed(states, left_out)
    else:
        text = one_run(states[0], _trials(states[0]["run"]))
    write(text, options.output, machine=options.format == "json")
    return 0


def _follow(options: Namespace) -> None:
    data, name = folders.data_folder(), id_of(options.subject)
    if options.format != "jsonl":
        with Progress(sys.stderr) as progress:
            for line in Follower(data, name):
                progress.take(line)
        return
    for line in Follower(data, name):
        write(json.dumps(line, ensure_ascii=False) + "\n", machine=True)
        sys.stdout.buffer.flush()


def _states(options: Namespace) -> tuple[list[dict[str, Any]], int]:
    """Return the states that are asked for, and how many runs more there are."""
    data = folders.data_folder()
    if options.subject is None and not folders.journal_path(data).is_file():
        return [], 0
    with open_journal() as reader:
        states = RunStates(data, reader)
        if options.subject is not None:
            return [states.of(find_run(reader, options.subject))], 0
        rows = [row for row in reader.runs() if _is_of(row, options.path)]
        most = options.limit or NEWEST
        return [states.of(row) for row in rows[:most]], max(len(rows) - most, 0)


def _is_of(row: RunRow, given: str | None) -> bool:
    """Return whether a run is of the skill that a path leads to."""
    if given is None:
        return True
    path = Path(given)
    if path.parent.name == "evals" and path.suffix:
        path = path.parent.parent
    elif path.name == "SKILL.md":
        path = path.parent
    return os.path.realpath(path) == os.path.realpath(row.settings.get("skill_path", ""))


def _trials(run: str) -> list[tuple[str, ...]]:
    """Return the trials of a run, as a table has them."""
    with open_journal() as reader:
        return [
            (row.trial.id, row.trial.case_id, row.trial.arm, spec_of(row.trial.cell),
             str(row.trial.attempt), row.state, row.reason)
            for row in reader.trials(run)
        ]  # fmt: skip
