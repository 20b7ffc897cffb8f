"""Apply the fixes that keep the author's meaning, or show them as a diff.

All bytes outside of a fix stay as they are. A fix that would cause another finding is left out.
“-” reads a skill from standard input and writes the mended text to standard output.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skillgauge.cli._common import (
    add_choice_of_files,
    add_choice_of_rules,
    add_configuration,
    project_of,
    targets_of,
)
from skillgauge.cli._diff import show_diff
from skillgauge.cli._output import say, write, write_file
from skillgauge.cli._parser import Namespace, Parser
from skillgauge.errors import UserError
from skillgauge.project import shown
from skillgauge.report._terminal import safe

if TYPE_CHECKING:
    from skillgauge.fix import Fixed


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_choice_of_files(parser)
    parser.add_argument(
        "--unsafe", action="store_true", help="also fixes that may change what the text means"
    )
    parser.add_argument(
        "--diff", action="store_true", help="write nothing, show a diff; status 1 if there is one"
    )
    add_choice_of_rules(parser)
    add_configuration(parser)


@dataclass(frozen=True, slots=True)
class _Change:
    """What fixes make of a file."""

    path: str
    before: bytes
    after: bytes
    fixed: Fixed

    @property
    def target(self) -> str:
        """The file's new path."""
        return os.path.join(os.path.dirname(self.path), self.fixed.rename or self.path)


def run(options: Namespace) -> int:
    """Fix, say what was done, and return the exit status."""
    changes = _changes(options)
    for change in changes:
        if change.fixed.stopped:
            name = shown(change.path) if change.path else "Standard input"
            say(f"{name} took too long and is fixed in part; another run goes on from there")
    if options.diff:
        for change in changes:
            _show(change)
        return 1 if any(change.fixed.applied for change in changes) else 0
    if options.paths == ["-"]:
        sys.stdout.buffer.write(changes[0].after)
        return 0
    done, failed = _apply_all([change for change in changes if change.fixed.applied])
    write("".join(f"{line}\n" for change in done for line in _described(change)))
    number = sum(len(change.fixed.applied) for change in done)
    write(
        f"Fixed {number} finding{'' if number == 1 else 's'} in {len(done)} of"
        f" {len(changes)} file{'' if len(changes) == 1 else 's'}.\n"
    )
    return 2 if failed else 0


def _changes(options: Namespace) -> list[_Change]:
    from skillgauge.checker import Checker, Options
    from skillgauge.document.files import encode
    from skillgauge.fix import fix

    project = project_of(options)
    targets, given = targets_of(options, project)
    changes: list[_Change] = []
    for target, document, data in Checker(project, Options()).documents(targets, given):
        path = Path(target.path) if target.path else None
        fixed = fix(document, target.config.settings(path), unsafe=options.unsafe)
        after = data if document.problem else encode(fixed.text)
        changes.append(_Change(target.path, data, after, fixed))
    return changes


def _apply_all(changes: list[_Change]) -> tuple[list[_Change], bool]:
    """Write what can be written; return those changes, and whether a file couldn't be."""
    done: list[_Change] = []
    failed = False
    for change in changes:
        try:
            if _apply(change):
                done.append(change)
        except UserError as error:  # the other files go on
            say(f"{error}.")
            failed = True
    return done, failed


def _apply(change: _Change) -> bool:
    """Write a change; False, with a word why, where that would destroy something."""
    path = Path(change.path)
    try:
        now = path.read_bytes()
    except OSError:
        now = None
    if now != change.before:
        say(f"{shown(change.path)} was changed meanwhile; nothing is written")
        return False
    if change.after != change.before:
        write_file(path, change.after)
    if change.fixed.rename and not _rename(path, change.fixed.rename):
        say(f"{shown(change.path)} is not renamed: {change.fixed.rename} exists")
        return change.after != change.before
    return True


def _rename(path: Path, name: str) -> bool:
    """Rename a file in its folder; False if the name is taken by another file."""
    target = path.with_name(name)
    if os.path.lexists(target) and not target.samefile(path):  # one file where case is ignored
        return False
    try:
        os.rename(path, target)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UserError(f"“{path}” can't be renamed", why) from error
    return True


def _described(change: _Change) -> list[str]:
    counts = Counter(
        (finding.code, finding.rule, finding.fix.title if finding.fix else "")
        for finding in change.fixed.applied
    )
    lines = [
        f"  {code} {rule}: {safe(title)}{f' (×{count})' if count > 1 else ''}"
        for (code, rule, title), count in counts.items()
    ]
    return [safe(shown(change.path)), *lines]


def _show(change: _Change) -> None:
    """Print what becomes of a file as a diff."""
    old, new = shown(change.path) if change.path else "-", shown(change.target)
    if change.fixed.rename:
        print(f"rename from {safe(old)}\nrename to {safe(new)}")
    show_diff(old, new, change.before, change.after)
