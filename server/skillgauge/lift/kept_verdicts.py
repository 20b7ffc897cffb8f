"""The verdicts of a run that is replayed: about what is as before, nobody is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.results import Judged, Ran, judged_of, ran_of


def kept_verdicts(journal: Path, run: str, trial: str, ran: Ran) -> Mapping[str, Judged]:
    """Return what a judge said of a trial, if the replayed one left the same; empty if not.

    They cost nothing now.
    """
    with JournalReader(journal) as reader:
        before, judged = (reader.result(run, trial, kind) for kind in ("ran", "judged"))
    if before is None or judged is None:
        return {}
    was = ran_of(before)
    if (was.answer, was.artifacts) != (ran.answer, ran.artifacts):
        return {}
    return {
        metric: replace(one, cost_usd=None if one.cost_usd is None else 0.0)
        for metric, one in judged_of(judged).items()
    }
