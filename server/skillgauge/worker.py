"""Runs the rules over documents, in this process or in several."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from skillgauge.config import Layer, settings_of
from skillgauge.document.files import check_size
from skillgauge.records import Plain, to_plain

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.document.workspace import Workspace
    from skillgauge.engine import Document
    from skillgauge.rule import Rule

POOL_FROM: Final = 32
"""With fewer documents another process would cost more time than it saves."""

_CHUNK: Final = 8


class Job(NamedTuple):
    """One document to check, with all that another process needs for it."""

    path: str
    kind: str
    data: bytes
    problem: str
    layers: tuple[Layer, ...]
    clients: tuple[str, ...]
    neighbourhood: int | None
    """The index of its workspace; None for a text without a file."""
    structure: bool
    before: Plain | None = None
    """An earlier result of the same file that is out of date only in what it says of neighbours."""

    @property
    def partial(self) -> bool:
        """Whether it is enough to run the rules that look at neighbours.

        With comments that suppress findings, what is unused depends on all of them.
        """
        return self.before is not None and b"skillgauge:" not in self.data


class Outcome(NamedTuple):
    """What came of a job; with rules that raised it is not whole, and must not be kept."""

    plain: Plain
    failures: tuple[str, ...]


class _Failures(logging.Handler):
    """Remembers what the engine logs of rules that raised."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


_workspaces: Sequence[Workspace] = ()
_last: Skill | None = None
"""The last skill of this run: an evaluation file, which comes next, wants to see it too."""


def run(
    jobs: Sequence[Job], workspaces: Sequence[Workspace], processes: int | None
) -> list[Outcome]:
    """Return the outcome of each job, in order. `processes` None: one for each processor."""
    whole = sum(not job.partial for job in jobs)
    wanted = min(processes or os.cpu_count() or 1, whole // (POOL_FROM // 2))
    if wanted < 2 or whole < POOL_FROM:
        _start(workspaces)
        return [_run(job) for job in jobs]
    return _pooled(jobs, workspaces, wanted)


def _pooled(jobs: Sequence[Job], workspaces: Sequence[Workspace], wanted: int) -> list[Outcome]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A fork shares what is loaded here, and what the first document makes the rules work out over
    # all skills; elsewhere each process does that itself.
    forks = sys.platform == "linux"
    first: list[Outcome] = []
    if forks:
        _start(workspaces)
        first, jobs = [_run(jobs[0])], jobs[1:]
    context = multiprocessing.get_context("fork" if forks else "spawn")
    pool = ProcessPoolExecutor(wanted, context, initializer=_start, initargs=(workspaces,))
    with pool:
        # Neighbours in the list are alike in size; dealing them out evens the load.
        chunk = min(_CHUNK, -(-len(jobs) // wanted))
        return first + list(pool.map(_run, jobs, chunksize=chunk))


def _start(workspaces: Sequence[Workspace]) -> None:
    global _workspaces, _last
    _workspaces, _last = workspaces, None
    # Documents make many objects and hardly a cycle: looking for cycles less often saves 5 %.
    gc.set_threshold(50_000, 20, 20)


def _run(job: Job) -> Outcome:
    from skillgauge import engine
    from skillgauge.document.skill import Skill

    global _last
    failures = _Failures()
    engine.log.addHandler(failures)
    try:
        around = None if job.neighbourhood is None else _workspaces[job.neighbourhood]
        document = document_of(job, around, _last)
        if isinstance(document, Skill):
            _last = document
        settings = settings_of(job.layers)
        if job.before is not None and job.partial:
            result = engine.check(document, settings, rules=_comparing(), structure=False)
            plain = _merged(job.before, to_plain(document, result))
        else:
            result = engine.check(document, settings, structure=job.structure)
            plain = to_plain(document, result)
        return Outcome(plain, tuple(failures.messages))
    finally:
        engine.log.removeHandler(failures)


@cache
def _comparing() -> tuple[Rule, ...]:
    from skillgauge.rules import all_rules

    return tuple(rule for rule in all_rules() if "workspace" in rule.needs)


def _merged(before: Plain, now: Plain) -> Plain:
    """Return an earlier result with what is now said of neighbours."""
    codes = {rule.code for rule in _comparing()}
    kept = [finding for finding in before["findings"] if finding[0] not in codes]
    findings = sorted(kept + now["findings"], key=lambda finding: (*finding[4:6], finding[0]))
    return {**before, "findings": findings}


def document_of(job: Job, workspace: Workspace | None, last: Skill | None = None) -> Document:
    """Return the document of a job.

    An evaluation file takes the skill beside it from `last`, with all that was read of it, if that
    is the same.
    """
    from skillgauge.discover import find_skill
    from skillgauge.document.evals import EvalFile
    from skillgauge.document.folder import DiskFolder
    from skillgauge.document.skill import Skill, load_skill

    text, problem = check_size(job.data)
    problem = job.problem or problem
    if not job.path:
        return Skill(text, None, None, None, job.clients, problem)
    path = Path(job.path)
    if job.kind == "skill":
        return Skill(text, path, DiskFolder(path.parent), workspace, job.clients, problem)
    beside = find_skill(str(path.parent.parent))
    if beside is None:
        return EvalFile(text, path, None, problem)
    skill = load_skill(Path(beside), workspace, job.clients)
    if last is not None and _same(skill, last):
        skill = last
    return EvalFile(text, path, skill, problem)


def _same(one: Skill, other: Skill) -> bool:
    return (
        one.path == other.path
        and one.workspace is other.workspace
        and one.clients == other.clients
        and one.problem == other.problem
        and one.text == other.text
    )
