"""What trials took in earlier runs, from which a plan reckons what its own will take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Arm, Cell, Plan, Spent
from skillgauge.lift.run_results import LARGE
from skillgauge.lift.settings import settings_of

RUNS: Final = 50
"""So many of the newest runs are looked through."""
ENOUGH: Final = 20
"""Trials of the same skill, harness, model and arm, after which no older run is looked at."""

Key = tuple[Cell, Arm]


def history(data: Path, plan: Plan, skill: str, *, judged: bool) -> dict[Key, list[Spent]]:
    """Return what earlier trials like those of a plan took: of the same skill if there are any.

    Replays and recordings tell nothing of what models cost, and are left out.
    """
    wanted: set[Key] = {(trial.cell, trial.arm) for trial in plan.trials}
    own: dict[Key, list[Spent]] = {}
    others: dict[Key, list[Spent]] = {}
    if folders.journal_path(data).is_file():
        with JournalReader(folders.journal_path(data)) as reader:
            for row in reader.runs()[:RUNS]:
                settings = settings_of(row.settings)
                if settings.replay_of or settings.engine == "recorded" or settings.scripted:
                    continue
                kept = own if row.skill == skill else others
                _add(reader, row.id, kept, wanted, judged=judged)
                if all(len(own.get(key, ())) >= ENOUGH for key in wanted):
                    break
    return {key: own.get(key) or others[key] for key in own.keys() | others.keys()}


def _add(
    reader: JournalReader, run: str, kept: dict[Key, list[Spent]], wanted: set[Key], *, judged: bool
) -> None:
    trials: dict[str, Key] = {
        row.trial.id: (row.trial.cell, row.trial.arm)
        for row in reader.trials(run)
        if row.state == "done" and (row.trial.cell, row.trial.arm) in wanted
    }
    if not trials:
        return
    ran = reader.results(run, "ran", without=LARGE)
    verdicts = reader.results(run, "judged") if judged else {}
    for trial, key in trials.items():
        if trial in ran:
            kept.setdefault(key, []).append(_spent(ran[trial], verdicts.get(trial, {})))


def _spent(ran: Mapping[str, Any], judged: Mapping[str, Any]) -> Spent:
    usage = ran["usage"]
    parts = [usage["prompt_tokens"], usage["completion_tokens"]]
    costs = [usage["cost_usd"], *(one["cost_usd"] for one in judged.values() if one["model"])]
    seconds = ran["seconds"] + ran["overhead"]
    if not usage["requests"]:  # no model was asked: a script that works alone
        return Spent(0.0, 0, seconds)
    return Spent(
        sum(costs) if None not in costs else None,
        sum(parts) if None not in parts else None,
        seconds + sum(one["seconds"] for one in judged.values()),
    )
