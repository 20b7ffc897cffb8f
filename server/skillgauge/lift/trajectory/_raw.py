"""Takes apart what harnesses wrote: bounded, and without trust in any line, type or path.

A log lies in a folder that the agent could write to. So nothing is followed that is not a plain
file, and a line that can't be read is counted, never raised.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from skillgauge.lift.trajectory._types import Json
from skillgauge.lift.trajectory.atif import is_time

MAX_BYTES: Final = 128 * 2**20
"""Of one log; what is beyond is left unread, and told."""
MAX_LINE: Final = 32 * 2**20
MAX_DEPTH: Final = 100
"""How deep arrays and objects may nest in a line."""
MAX_COUNT: Final = 2**53


def _finite(number: str) -> float | str:
    value = float(number)
    return value if math.isfinite(value) else number


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=str)
"""What JSON has no number for stays as the text that it was."""


@dataclass(slots=True)
class Log:
    """The objects of one log, and what could not be read of it."""

    path: Path
    rows: list[Json] = field(default_factory=list[Json])
    broken: list[int] = field(default_factory=list[int])
    """The numbers of the lines that could not be read."""
    cut: bool = False
    """Whether the log was longer than what is read."""
    fault: str = ""
    """What else went wrong, in a sentence."""

    @property
    def note(self) -> str:
        """What is missing, in a sentence; empty if nothing is."""
        said: list[str] = []
        if self.broken:
            lines = "1 line" if len(self.broken) == 1 else f"{len(self.broken)} lines"
            said.append(f"{lines} of {self.path.name} could not be read (first: {self.broken[0]}).")
        if self.cut:
            said.append(f"{self.path.name} was read up to {MAX_BYTES:,} bytes.")
        return " ".join([*said, self.fault] if self.fault else said)


def load(path: Path) -> Log | None:
    """Return the objects of a log in JSON lines, or in one JSON text; None without a plain file."""
    data = read_plain(path, MAX_BYTES + 1)
    if data is None:
        return None
    log = Log(path, cut=len(data) > MAX_BYTES)
    lines = data[:MAX_BYTES].splitlines()
    if lines and lines[0].strip() in (b"{", b"["):
        whole = list(_objects(data[:MAX_BYTES].decode("utf-8", "replace")))
        if whole and whole[-1] is not None:
            log.rows = [row for row in whole if row is not None]
            return log
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > MAX_LINE:
            log.broken.append(number)
            continue
        for row in _objects(line.decode("utf-8", "replace")):
            if row is None:
                log.broken.append(number)
            else:
                log.rows.append(row)
    return log


def read_plain(path: Path, limit: int) -> bytes | None:
    """Return up to `limit` bytes of a file; None for a link, a pipe, or what can't be opened."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError), open(handle, "rb") as file:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return file.read(limit)
    return None


def _objects(line: str) -> Iterator[Json | None]:
    """Yield the objects of a line, several too if two writers shared it; None for a bad rest."""
    at, end = 0, len(line)
    while at < end:
        while at < end and line[at].isspace():
            at += 1
        if at == end:
            return
        try:
            value, at = _DECODER.raw_decode(line, at)
        except (ValueError, RecursionError):
            yield None
            return
        if not isinstance(value, dict) or not _shallow(cast("Json", value), line):
            yield None
            continue
        row = cast("Json", value)
        yield cast("Json", _clean(row)) if "\\ud" in line or "\\uD" in line else row


def _shallow(value: Json, line: str) -> bool:
    if line.count("{") + line.count("[") <= MAX_DEPTH:
        return True
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return True
    return False


def _inside(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from cast("Json", value).values()
    elif isinstance(value, list):
        yield from cast("list[object]", value)


def _clean(value: object) -> object:
    """Return a value with no half of a surrogate pair, which no file could hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        items = cast("Json", value).items()
        return {str(_clean(key)): _clean(inner) for key, inner in items}
    if isinstance(value, list):
        return [_clean(inner) for inner in cast("list[object]", value)]
    return value


def obj(value: object) -> Json:
    """Return a value if it is an object, else an empty one."""
    return cast("Json", value) if isinstance(value, dict) else {}


def objs(value: object) -> list[Json]:
    """Return the objects in a list; none if it is no list."""
    return [cast("Json", item) for item in array(value) if isinstance(item, dict)]


def array(value: object) -> list[object]:
    """Return a value if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def word(value: object) -> str | None:
    """Return a value if it is a text that is not empty."""
    return value if isinstance(value, str) and value else None


def text(value: object) -> str:
    """Return a text as it is, nothing for null, and anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def whole(value: object) -> int | None:
    """Return a count: a number without fraction that is not negative."""
    number = amount(value)
    return int(number) if number is not None and number.is_integer() else None


def total(*values: int | None) -> int | None:
    """Return the sum of the counts that are known; None if none is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def amount(value: object) -> float | None:
    """Return a number that is neither negative nor beyond all measure."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MAX_COUNT else None


def integer(value: object) -> int | None:
    """Return a whole number, which may be negative, as an exit code may."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -MAX_COUNT <= value <= MAX_COUNT else None


def time(value: object) -> str | None:
    """Return a time as in ISO 8601, from a text or from milliseconds since 1970."""
    if isinstance(value, str):
        return value if is_time(value) else None
    milliseconds = amount(value)
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def arguments(value: object) -> Json:
    """Return the arguments of a call: an object, a JSON text of one, or anything as `input`."""
    if isinstance(value, dict):
        return cast("Json", value)
    if isinstance(value, str):
        found = list(_objects(value))
        if len(found) == 1 and found[0] is not None:
            return found[0]
    return {} if value in (None, "") else {"input": value}
