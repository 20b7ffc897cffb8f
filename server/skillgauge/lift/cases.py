"""From an evaluation file to the cases of a run, or to what keeps them out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile
from skillgauge.document.folder import Folder, normalise
from skillgauge.document.nodes import Scalar
from skillgauge.text import Span

FILES: Final = "evals/files/"
"""What lies there is given to a case that names no files."""
SECRET: Final = frozenset(
    {
        "SKILL.md",
        "evals/EVAL.md",
        *(f"evals/evals.{end}" for end in ("json", "jsonl", "yaml", "yml")),
    }
)
"""What is never a file of a case: the answers, and the skill, which the baseline must not see."""
MAX_ID: Final = 128
_ID: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")


@dataclass(frozen=True, slots=True)
class Case:
    """What an agent is asked, and what is expected; texts are as the file has them."""

    id: str
    prompt: str
    expected_output: str = ""
    assertions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Paths from the skill's folder on, of files that are there."""
    negative: bool = False
    """Whether the skill should stay out."""
    expected_skill: str = ""
    expected_script: str = ""
    acceptable_skills: tuple[str, ...] = ()
    line: int = 1
    """Where the case begins in its file, from 1."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a case from being run, or a whole file; the line counts from 1."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class CaseList:
    """The cases that can be run, and the problems of those that can't."""

    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def load_cases(file: EvalFile) -> CaseList:
    """Return the cases of a file of any dialect. Never raises."""
    top = file.text.position(file.top.start).line + 1
    if file.problem:
        return CaseList((), (Problem(1, f"The file can't be read: {file.problem}."),))
    if file.faults:
        first = file.faults[0].at
        message = "The file can't be parsed from here on; `skillgauge fix` mends what it can."
        return CaseList((), (Problem(_line(file, first), message),))
    if not file.cases:
        return CaseList((), (Problem(top, "There is no case in this file."),))
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: dict[str, EvalCase] = {}
    for case in file.cases:
        line = _line(file, case.head)
        found = list(_problems(file, case, seen))
        problems += [Problem(line, message) for message in found]
        if not found:
            cases.append(_case(file, case, line))
    return CaseList(tuple(cases), tuple(problems))


def _line(file: EvalFile, span: Span) -> int:
    return file.text.position(span.start).line + 1


def _problems(file: EvalFile, case: EvalCase, seen: dict[str, EvalCase]) -> Iterator[str]:
    """Yield why a case can't be run; `seen` has the ids before it, letter case aside."""
    name = _id(case)
    if len(name) > MAX_ID or not _ID.fullmatch(name):
        yield f"The id “{name[:40]}” can't name a folder: letters, digits, “.”, “_”, “-” only."
    first = seen.setdefault(name.casefold(), case)
    if first is not case:
        yield f"The id “{name}” is there twice, first in line {_line(file, first.head)}."
    if not _text(case.prompt).strip():
        yield f"{case.label[:1].upper()}{case.label[1:]} has no prompt."
    folder = file.skill.folder if file.skill else None
    for path in case.files:
        if normalise(path.text.strip()) in SECRET:
            yield f"No agent may be given “{path.text.strip()}”: it would know the answers."
        elif path.text.strip() and folder and not _staged(folder, path.text.strip()):
            yield f"The file “{path.text.strip()}” is not in the skill's folder."


def _case(file: EvalFile, case: EvalCase, line: int) -> Case:
    own = file.own_name or _text(file.skill_name)
    negative = case.is_negative(own or None)
    return Case(
        id=_id(case),
        prompt=_text(case.prompt),
        expected_output=_text(case.expected_output).strip(),
        assertions=tuple(item.text for item in case.assertions if item.text),
        files=tuple(_files(file, case)),
        negative=negative,
        expected_skill="" if negative else _text(case.expected_skill) or own,
        expected_script=_text(case.expected_script).strip(),
        acceptable_skills=tuple(item.text for item in case.acceptable_skills if item.text),
        line=line,
    )


def _files(file: EvalFile, case: EvalCase) -> Iterator[str]:
    """Yield the files that a case gets: those it names, or all if it doesn't say."""
    folder = file.skill.folder if file.skill else None
    if folder is None:
        return
    given = case.entry("files") is not None
    named = [item.text.strip() for item in case.files if item.text.strip()]
    for path in named if given else [FILES.rstrip("/")]:
        yield from _staged(folder, path)


def _staged(folder: Folder, path: str) -> list[str]:
    """Return the files that a path stands for: one, or all of a folder; none that leads out."""
    for tried in (path, f"evals/{path}"):
        plain = normalise(tried)
        if plain is None or path.startswith(("/", "~")):
            continue
        below = f"{plain}/"
        found = [
            name
            for name, info in folder.files.items()
            if (name == plain or name.startswith(below)) and not info.outside and name not in SECRET
        ]
        if found:
            return sorted(found)
    return []


def _id(case: EvalCase) -> str:
    return case.id.text.strip() if case.id and case.id.text.strip() else f"case-{case.index + 1}"


def _text(value: Scalar | None) -> str:
    return value.text if value else ""
