"""From what is asked to a run in the journal, and to the process that works on it.

All that can be wrong is found before anything is written or started.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from skillgauge.document.evals import EvalFile
from skillgauge.document.files import read_file
from skillgauge.document.folder import DiskFolder
from skillgauge.errors import InputError, UserError
from skillgauge.lift import folders
from skillgauge.lift.cases import Case, CaseList, Problem, load_cases
from skillgauge.lift.engines import Limits
from skillgauge.lift.harnesses import IMAGE, harness
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import ARMS, MAX_TRIALS, Arm, Cell, Plan, Request, make_plan
from skillgauge.lift.settings import RunSettings, plain_settings, settings_of
from skillgauge.lift.source import SkillSource
from skillgauge.lift.workspace import check_files

EVALS: Final = ("evals.json", "evals.jsonl", "evals.yaml", "evals.yml")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user asks for."""

    path: Path
    """A skill's folder, its SKILL.md, or its evaluation file."""
    harnesses: tuple[str, ...] = ()
    """NAME or NAME=MODEL."""
    model: str = ""
    """For the harnesses that name none."""
    attempts: int = 1
    only: tuple[str, ...] = ()
    arms: tuple[Arm, ...] = ARMS
    max_trials: int = MAX_TRIALS
    max_cost: float | None = None
    jobs: int = 2
    seed: int = 0
    image: str = ""
    prices: tuple[str, ...] = ()
    """MODEL=IN,OUT in US dollars for a million tokens."""
    judge: str = ""
    script: str = ""
    limits: Limits = field(default_factory=Limits)
    retries: int = 2


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that could begin."""

    plan: Plan
    settings: RunSettings
    skill: str
    digest: str
    problems: tuple[Problem, ...]
    """Of cases that are left out because they can't be run."""


def prepare(asked: Asked) -> Prepared:
    """Return the run that was asked for; UserError if there can be none. Starts nothing."""
    evals, found = load(asked.path)
    source = SkillSource(evals.parent.parent)
    if found.problems:
        raise InputError(
            f"“{evals}” can't be run",
            " ".join(f"Line {one.line}: {one.message}" for one in found.problems[:3]).rstrip("."),
            "`skillgauge evals check` shows all that is wrong",
        )
    for case in found.cases:
        check_files(case)
    cells = tuple(_cell(text, asked) for text in asked.harnesses)
    request = Request(cells, asked.attempts, asked.arms, asked.seed, asked.max_trials, asked.only)
    plan = make_plan(found.cases, request)
    settings = RunSettings(
        skill_path=str(source.folder),
        evals_path=str(evals),
        image=asked.image or IMAGE,
        jobs=asked.jobs,
        retries=asked.retries,
        max_cost=asked.max_cost,
        prices=asked.prices,
        judge=asked.judge,
        script=asked.script,
        limits=asked.limits,
    )
    return Prepared(plan, settings, source.name, source.digest, found.problems)


def load(path: Path) -> tuple[Path, CaseList]:
    """Return a skill's evaluation file with its cases; UserError if there is none."""
    folder, evals = _places(path)
    text, problem = read_file(evals)
    skill = replace(SkillSource(folder).skill, folder=DiskFolder(folder))
    return evals, load_cases(EvalFile(text, evals, skill, problem))


def _places(path: Path) -> tuple[Path, Path]:
    """Return the skill's folder and its evaluation file."""
    path = path.absolute()
    if path.name in EVALS and path.parent.name == "evals":
        folder, evals = path.parent.parent, path
    else:
        folder = path.parent if path.name == "SKILL.md" else path
        there = [folder / "evals" / name for name in EVALS if (folder / "evals" / name).is_file()]
        if (folder / "SKILL.md").is_file() and not there:
            raise InputError(
                f"“{folder}” has no evaluation cases",
                how="Write evals/evals.json, with a prompt and what is expected in each case",
            )
        evals = there[0] if there else folder / "evals" / EVALS[0]
    if not (folder / "SKILL.md").is_file():
        raise InputError(f"There is no skill in “{folder}”", how="Name the folder of a SKILL.md")
    if not evals.is_file():
        raise InputError(f"There is no file “{evals}”")
    return folder, evals


def _cell(text: str, asked: Asked) -> Cell:
    name, _, model = text.partition("=")
    found = harness(name)
    if name == "script" and not asked.script:
        raise UserError("The harness “script” has nothing to run", how="Give it with --script")
    return Cell(name, model or asked.model or found.MODEL)


def begin(data: Path, prepared: Prepared, hidden: tuple[str, ...] = ()) -> str:
    """Write a run into the journal and return its id; `hidden` are values to keep out of it."""
    run = new_id()
    with Journal(folders.journal_path(data), secrets=hidden) as journal:
        journal.begin(
            run,
            prepared.plan,
            skill=prepared.skill,
            digest=prepared.digest,
            settings=plain_settings(prepared.settings),
        )
    return run


def begin_replay(data: Path, run: str) -> str:
    """Write a run that does what another did, with its recorded exchanges in the models' place."""
    with JournalReader(folders.journal_path(data)) as reader:
        row = reader.run(run)
        trials = tuple(one.trial for one in reader.trials(run))
        cases = tuple(case_of(body) for body in reader.cases(run))
    settings = settings_of(row.settings)
    source = SkillSource(Path(settings.skill_path))
    cells = tuple(dict.fromkeys(trial.cell for trial in trials))
    plan = Plan(trials, cases, Request(cells))
    settings = replace(settings, replay_of=settings.replay_of or run, max_cost=None)
    return begin(data, Prepared(plan, settings, source.name, source.digest, ()))


def case_of(body: Mapping[str, object]) -> Case:
    """Return a case from the journal; lists have become tuples again."""
    values: dict[str, Any] = {
        name: tuple(cast("list[object]", value)) if isinstance(value, list) else value
        for name, value in body.items()
        if name in Case.__slots__
    }
    return Case(**values)


def new_id() -> str:
    """Return the id of a run: its time for people, and dice so that no two are the same."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"


def spawn(data: Path, run: str) -> int:
    """Start the process that works on a run, and return its id; it outlives who started it."""
    folder = folders.run_folder(data, run)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = [sys.executable, "-m", "skillgauge.lift", run, "--data", str(data)]
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=os.path.abspath(os.sep),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    return process.pid
