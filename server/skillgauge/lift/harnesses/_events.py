"""What command lines print: events, one JSON object a line, and how they tell that a run failed.

The lines are the harness's own; what an agent's commands print stands inside of them, as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, cast

from skillgauge.lift.engines import Ended
from skillgauge.lift.trajectory._raw import obj, text
from skillgauge.lift.trajectory._types import Json

MAX_WORDS: Final = 400
"""Characters of a message that are kept."""
_OWN: Final = re.compile(
    r"context[ _](window|length)|prompt is too long|contextoverflow|input token count", re.I
)
"""A conversation that outgrew its model: the agent came that far by itself."""


def events(ended: Ended, *kinds: str) -> Iterator[Json]:
    """Yield the events of some kinds, in order; lines that are none are passed over."""
    for line in ended.stdout.splitlines():
        if not line.startswith(b"{"):
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and cast("Json", value).get("type") in kinds:
            yield cast("Json", value)


def last(ended: Ended, *kinds: str) -> Json | None:
    """Return the last event of some kinds."""
    found: Json | None = None
    for found in events(ended, *kinds):  # noqa: B007 - the last one is wanted
        pass
    return found


def fault_in(message: object, otherwise: str) -> str:
    """Return a reported error in plain words, "" if it is the agent's own."""
    said = _plain(text(message)).strip() or otherwise
    return "" if _OWN.search(said) else said[:MAX_WORDS]


def crash(ended: Ended, said: object = None) -> str:
    """Return how a harness ended that told of no result, "" if it ended well or was stopped."""
    if ended.reason != "exit" or not ended.exit_code:
        return ""
    words = _plain(text(said)).strip() or _last_line(ended.stderr) or _last_line(ended.stdout)
    told = f"ended with status {ended.exit_code}"
    return f"{told}: {words}"[:MAX_WORDS] if words else told


def _plain(message: str) -> str:
    """Return what an endpoint's error says, where it was passed on as JSON."""
    start, end = message.find("{"), message.rfind("}")
    if start < 0 or end < start:
        return message
    try:
        body = obj(json.loads(message[start : end + 1]))
    except (ValueError, RecursionError):
        return message
    inner = text(obj(body.get("error")).get("message")) or text(body.get("message"))
    return f"{message[:start]}{inner}{message[end + 1 :]}" if inner else message


def _last_line(stream: bytes) -> str:
    lines = stream[-4096:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
