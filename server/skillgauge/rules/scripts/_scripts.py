"""The scripts that a skill bundles, and the commands of its text that run them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.document.references import Reference
from skillgauge.document.shell import SCRIPT
from skillgauge.document.skill import Skill
from skillgauge.rule import Related
from skillgauge.text import Position, Span

MAX_SIZE: Final = 128 * 1024
"""A larger script is not looked into."""

MAX_SCRIPTS: Final = 50
"""More scripts than that in one skill are not looked into."""

_RUN: Final = re.compile(
    r"\b(?:run|runs|execute|executes|call|invoke|start)\W{1,5}\Z", re.IGNORECASE
)
_NOT_RUN: Final = ("test", "fixture", "template", "example", "vendor", "node_modules", "evals")


@dataclass(frozen=True, slots=True)
class Script:
    """A script of the folder with its text; `place` is where SKILL.md first names it."""

    path: str
    text: str
    place: Span


def bundled(skill: Skill, *endings: str) -> Iterator[Script]:
    """Yield the scripts with one of the endings that the text names or that lie below `scripts/`.

    Tests, templates and the like are left out: no agent runs them.
    """
    folder = skill.folder
    if folder is None:
        return
    named: dict[str, Span] = {}
    for reference in skill.references:
        if reference.target and reference.exists:
            named.setdefault(reference.target, reference.path_span)
    left = MAX_SCRIPTS
    for path, info in folder.files.items():
        if not path.endswith(endings) or info.size > MAX_SIZE or left == 0:
            continue
        below = path.startswith("scripts/")
        if path not in named and (not below or any(word in path.lower() for word in _NOT_RUN)):
            continue
        if not below and any(word in path.lower() for word in _NOT_RUN):
            continue
        text = folder.read(path)
        if text:
            left -= 1
            yield Script(path, text, named.get(path, skill.head))


def runs(skill: Skill) -> Iterator[Reference]:
    """Yield the references that are commands running a script that is there."""
    for reference in skill.references:
        if reference.invocation and reference.exists and reference.target:
            yield reference


def runs_itself(skill: Skill, reference: Reference) -> bool:
    """Return whether a command calls a script by its own path, with no interpreter before it.

    A code span is a command only with `./` before the path or with a word such as “run” before it.
    """
    invocation = reference.invocation
    if invocation is None or invocation.interpreter:
        return False
    if reference.kind == "fence" or invocation.script.text.startswith("./"):
        return True
    start = reference.span.start
    return bool(_RUN.search(skill.source, max(start - 30, 0), start))


def read_script(skill: Skill, path: str) -> str | None:
    """Return the text of a script; None if unknown, too large, or no script by its name."""
    folder = skill.folder
    info = folder.files.get(path) if folder else None
    if folder is None or info is None or info.size > MAX_SIZE or not SCRIPT.search(path):
        return None
    return folder.read(path)


def at_line(skill: Skill, path: str, line: int, column: int, message: str) -> tuple[Related, ...]:
    """Return the place in a script, line from 1 and column from 0, as a related place."""
    if skill.path is None:
        return ()
    start = Position(max(line - 1, 0), max(column, 0))
    return (Related(message, path=skill.path.parent / path, start=start, end=start),)
