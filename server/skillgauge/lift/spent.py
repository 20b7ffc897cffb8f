"""What the earlier tries of a trial cost: those that failed, and those that a dead worker left.

A try's results are replaced by those of the next, and its folder is made anew, but its money is
gone. So before a trial is tried again, what its record of exchanges says is added to the journal.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.errors import InputError

if TYPE_CHECKING:
    from skillgauge.lift.journal import Journal
    from skillgauge.lift.journal_reader import JournalReader

KIND: Final = "spent"
ENDED: Final = frozenset({"done", "infra-error"})
"""In these states a trial has the results of its last try; else what there is, is counted here."""
EXCHANGES: Final = "exchanges.jsonl"


def keep_spent(journal: Journal, run: str, trial: str, folder: Path) -> None:
    """Add what a trial's last try cost to what is kept, and remove its record: it counts once."""
    from skillgauge.lift.gateway.record import exchanges

    record = folder / EXCHANGES
    if not record.is_file():
        return
    try:
        made = [one for one in exchanges(record) if one.kind == "answer" and one.status < 300]
    except InputError:
        return
    kept = journal.result(run, trial, KIND) or {"cost_usd": 0.0, "unknown": 0}
    cost = kept["cost_usd"] + sum(one.cost_usd or 0.0 for one in made)
    unknown = kept["unknown"] + sum(one.cost_usd is None for one in made)
    if made:
        journal.store(run, trial, {KIND: {"cost_usd": round(cost, 8), "unknown": unknown}})
    record.unlink(missing_ok=True)


def spent_before(reader: JournalReader, run: str) -> tuple[float, int]:
    """Return what earlier tries cost, and how many of their answers cost what is not known."""
    kept = reader.results(run, KIND).values()
    return sum(one["cost_usd"] for one in kept), sum(one["unknown"] for one in kept)
