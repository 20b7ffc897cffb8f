"""The journal's tables, by version: a journal of an older one is brought up to date when opened."""

from __future__ import annotations

import sqlite3
from typing import Final

from skillgauge.errors import UserError

APPLICATION: Final = 0x534B4C47
"""Marks the file as a journal of ours (“SKLG”)."""

_FIRST: Final = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    ended REAL,
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'cancelled', 'failed')),
    reason TEXT NOT NULL DEFAULT '',
    cancel_asked REAL,
    worker INTEGER,
    skill TEXT NOT NULL,
    digest TEXT NOT NULL,
    settings TEXT NOT NULL,
    cases TEXT NOT NULL
) STRICT;
CREATE TABLE trials (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    arm TEXT NOT NULL,
    harness TEXT NOT NULL,
    model TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'planned'
        CHECK (state IN ('planned', 'running', 'done', 'infra-error', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, id),
    UNIQUE (run, position)
) STRICT;
CREATE INDEX trials_by_state ON trials (run, state, position);
CREATE TABLE tries (
    run TEXT NOT NULL,
    trial TEXT NOT NULL,
    number INTEGER NOT NULL,
    started REAL NOT NULL,
    ended REAL,
    outcome TEXT CHECK (outcome IN ('done', 'infra-error', 'cancelled', 'lost')),
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, trial, number),
    FOREIGN KEY (run, trial) REFERENCES trials (run, id) ON DELETE CASCADE
) STRICT;
CREATE TABLE results (
    run TEXT NOT NULL,
    trial TEXT NOT NULL,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, trial, kind),
    FOREIGN KEY (run, trial) REFERENCES trials (run, id) ON DELETE CASCADE
) STRICT;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial TEXT,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_run ON events (run, seq);
"""
STEPS: Final = (_FIRST,)
"""What makes each version from the one before; never changed, only added to."""
VERSION: Final = len(STEPS)


def prepare(database: sqlite3.Connection, name: str, *, write: bool) -> None:
    """Bring a journal up to date; UserError if it isn't one, or is of a newer version."""
    version = check(database, name)
    if version == VERSION:
        return
    if not write and not version:
        raise UserError(f"The journal “{name}” is empty", how="Nothing was run yet")
    if not write:
        raise UserError(
            f"The journal “{name}” is of an older version",
            how="`skillgauge lift resume` updates it",
        )
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[check(database, name) :]:  # another process may have been faster
            for statement in _statements(step):
                database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


def check(database: sqlite3.Connection, name: str) -> int:
    """Return a journal's version, 0 for an empty file."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (mark,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != APPLICATION and (mark or version or tables):
        raise UserError(f"“{name}” is a database, but no journal of lift runs")
    if version > VERSION:
        raise UserError(
            f"The journal “{name}” was written by a newer version of skillgauge",
            how="Update skillgauge",
        )
    return int(version)


def _statements(script: str) -> list[str]:
    """Split a script, for `executescript` would end the transaction around it."""
    return [part for part in script.split(";\n") if part.strip()]
