"""Reads OpenCode's SQLite database as the events that OpenCode would have printed.

The file is the agent's to write, so it is copied and opened with a limit on work and sizes, and
only plain tables in it are asked. A log beside it (`-wal`) is read with it.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, cast

from skillgauge.lift.trajectory._raw import MAX_BYTES, MAX_LINE, Log, arguments, read_plain, word
from skillgauge.lift.trajectory._types import Json

MAGIC: Final = b"SQLite format 3\0"
MAX_WORK: Final = 50_000
"""How often SQLite may report a thousand of its steps before it is stopped."""
MAX_ROWS: Final = 200_000
_TABLES: Final = ("session", "message", "part")
_EVENTS: Final = {
    "step-start": "step_start",
    "text": "text",
    "reasoning": "reasoning",
    "tool": "tool_use",
    "step-finish": "step_finish",
}
_SESSIONS: Final = "SELECT id, parent_id, version, time_created FROM session ORDER BY time_created"
_MESSAGES: Final = (
    "SELECT id, session_id, time_created, data FROM message ORDER BY time_created, id"
)
_PARTS: Final = "SELECT message_id, time_created, data FROM part ORDER BY id"


def load(path: Path) -> Log:
    """Return the rows of a database in the shape of printed events."""
    log = Log(path)
    with tempfile.TemporaryDirectory(prefix="skillgauge-") as folder:
        copy = Path(folder) / "copy.db"
        for end in ("", "-wal"):
            data = read_plain(path.with_name(path.name + end), MAX_BYTES)
            if data is not None:
                copy.with_name(copy.name + end).write_bytes(data)
        try:
            with closing(_opened(copy)) as database:
                log.rows.extend(_rows(database))
        except sqlite3.Error as error:
            log.fault = f"{path.name} could not be read to its end ({error})."
    return log


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    database.text_factory = _decoded
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LINE)
    work = 0

    def stop() -> int:
        nonlocal work
        work += 1
        return work > MAX_WORK

    database.set_progress_handler(stop, 1000)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _asked(database: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    rows = database.execute(f"{query} LIMIT {MAX_ROWS}")
    yield from cast("Iterator[tuple[object, ...]]", rows)


def _rows(database: sqlite3.Connection) -> Iterator[Json]:
    plain = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
    tables = {name for (name,) in _asked(database, plain)}
    missing = [name for name in _TABLES if name not in tables]
    if missing:
        raise sqlite3.DataError(f"it has no table {missing[0]}")
    for name, parent, version, created in _asked(database, _SESSIONS):
        yield {
            "type": "session",
            "sessionID": name,
            "parentID": parent,
            "version": version,
            "timestamp": created,
        }
    parts: dict[object, list[tuple[object, Json]]] = {}
    for message, created, data in _asked(database, _PARTS):
        parts.setdefault(message, []).append((created, arguments(data)))
    for name, session, created, data in _asked(database, _MESSAGES):
        yield from _message(name, session, created, arguments(data), parts.get(name, []))


def _message(
    name: object, session: object, created: object, data: Json, parts: list[tuple[object, Json]]
) -> Iterator[Json]:
    model = "/".join(one for key in ("providerID", "modelID") if (one := word(data.get(key))))
    common: Json = {"sessionID": session, "model": model}
    for when, part in parts:
        kind = "user" if data.get("role") == "user" else _EVENTS.get(str(part.get("type")))
        if kind and not part.get("synthetic"):
            stamp = created if kind == "user" else when
            yield common | {"type": kind, "timestamp": stamp, "part": part | {"messageID": name}}
    if data.get("error"):
        yield common | {"type": "error", "error": data["error"]}
