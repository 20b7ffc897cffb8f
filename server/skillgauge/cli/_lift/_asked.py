"""From options to a run that could begin, and to what is missing for it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.engines import Limits
from skillgauge.lift.harnesses import names
from skillgauge.lift.history import history
from skillgauge.lift.judge.endpoint import judge_of
from skillgauge.lift.plan import MAX_TRIALS, Cell, Outlook, outlook
from skillgauge.lift.settings import RunSettings
from skillgauge.lift.start import Asked, Prepared, prepare

SCRIPT = "script"


def prepared_of(options: Namespace) -> Prepared:
    """Return the run that the options ask for; UserError if there can be none."""
    usual = Asked(Path())
    harnesses = tuple(options.harness or ([SCRIPT] if options.script else []))
    if not harnesses:
        raise UserError("No harness is named", how=f"Give --harness one of {', '.join(names())}")
    for name in (options.script, options.model, options.image, options.judge):
        if name is not None and not name.strip():
            raise UserError("An option has an empty text")
    return prepare(
        Asked(
            path=Path(options.subject or "."),
            harnesses=harnesses,
            model=options.model or "",
            attempts=options.attempts or usual.attempts,
            only=tuple(options.only or ()),
            max_trials=options.max_trials or MAX_TRIALS,
            max_cost=options.max_cost,
            jobs=options.jobs or usual.jobs,
            seed=options.seed or usual.seed,
            image=options.image or "",
            prices=tuple(options.price or ()),
            judge=judge_of(options.judge or "", os.environ),
            script=options.script or "",
            limits=_limits(options),
            retries=usual.retries if options.retries is None else options.retries,
        )
    )


def _limits(options: Namespace) -> Limits:
    usual = Limits()
    return Limits(
        cpus=options.cpus or usual.cpus,
        memory_mb=options.memory or usual.memory_mb,
        seconds=float(options.timeout or usual.seconds),
    )


def expected(prepared: Prepared) -> Outlook:
    """Return what a run will take, by what trials like its own have taken."""
    judged = bool(prepared.settings.judge)
    past = history(folders.data_folder(), prepared.plan, prepared.skill, judged=judged)
    return outlook(prepared.plan, past)


def missing_of(settings: RunSettings, cells: tuple[Cell, ...]) -> list[UserError]:
    """Return what a run lacks: the engine, its image, keys, or a library."""
    from skillgauge.lift.live import missing

    try:
        return asyncio.run(missing(settings, cells, os.environ))
    except ModuleNotFoundError as error:
        what = "Lift runs need packages that are not installed"
        return [UserError(what, error.name or "", "`pip install 'skillgauge[lift]'` brings them")]


def refuse_missing(settings: RunSettings, cells: tuple[Cell, ...]) -> None:
    """Raise UserError if a run lacks something; all of it is told."""
    *others, last = [None, *missing_of(settings, cells)]
    for error in others:
        if error is not None:
            say(f"{error}.")
    if last is not None:
        raise last


def hidden() -> tuple[str, ...]:
    """Return the values that must reach no journal."""
    from skillgauge.lift.live import hidden_of

    return hidden_of(os.environ)
