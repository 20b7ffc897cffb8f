"""A command of the user's: ATIF if it wrote any, else its output as the agent's one step.

Its file has precedence over what it printed. What begins as ATIF and breaks its rules is refused,
not taken for an answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from skillgauge.lift.trajectory import Told, atif
from skillgauge.lift.trajectory._draft import Transcript
from skillgauge.lift.trajectory._raw import Log, obj, read_plain, text
from skillgauge.lift.trajectory._types import Agent, Trajectory

LOGS: Final = ("trajectory.json",)
STDOUT: Final = True
"""Its output is its log where there is no other."""
MAX_ANSWER: Final = 2**20
"""Characters of an output that are kept, from its end."""


def load(path: Path) -> Log | None:
    """Return a file as one row: a document in ATIF, or a text."""
    data = read_plain(path, atif.MAX_BYTES + 1)
    if data is None:
        return None
    said = data.decode("utf-8", "replace")
    log = Log(path, cut=len(data) > atif.MAX_BYTES)
    try:
        document = obj(json.loads(said)) if said.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):
        document = {}
    is_atif = path.name == LOGS[0] or text(document.get("schema_version")).startswith("ATIF-")
    log.rows.append({"atif": said} if is_atif else {"answer": said[-MAX_ANSWER:].strip()})
    return log


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return what the script wrote; InputError if it is no valid ATIF."""
    for log in logs:
        for row in log.rows:
            if "atif" in row:
                return atif.read(text(row["atif"]), log.path.name)
    for log in logs:
        for row in log.rows:
            return _answer(text(row.get("answer")), told)
    return None


def _answer(said: str, told: Told) -> Trajectory:
    transcript = Transcript()
    if told.prompt:
        transcript.add("user", None).say(told.prompt)
    transcript.add("agent", None).say(said)
    agent = Agent("script", told.version or "unknown", told.model or None)
    return transcript.finish(agent)
