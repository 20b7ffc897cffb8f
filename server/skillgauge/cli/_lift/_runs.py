"""The journal of this user, and a run in it by what the command line calls it."""

from __future__ import annotations

from typing import Final

from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.records import RunRow

LAST: Final = "last"
_SHOWN: Final = 3


def open_journal() -> JournalReader:
    """Return the journal, to be read; UserError if nothing was run yet."""
    path = folders.journal_path(folders.data_folder())
    if not path.is_file():
        raise UserError(
            "There is no lift run yet",
            how="`skillgauge lift run` begins one, `skillgauge lift demo` shows one",
        )
    return JournalReader(path)


def find_run(reader: JournalReader, given: str) -> RunRow:
    """Return a run by its id, a part of it that no other has, or “last” for the newest."""
    rows = reader.runs()
    if given == LAST and rows:
        return rows[0]
    found = [row for row in rows if row.id == given] or [row for row in rows if given in row.id]
    if len(found) == 1 and given:
        return found[0]
    if found and given:
        names = ", ".join(row.id for row in found[:_SHOWN]) + (", …" if found[_SHOWN:] else "")
        raise UserError(f"“{given}” may be any of {len(found)} runs: {names}")
    raise UserError(f"There is no run “{given}”", how="`skillgauge lift status` lists them")


def id_of(given: str) -> str:
    """Return the whole id of a run."""
    with open_journal() as reader:
        return find_run(reader, given).id
