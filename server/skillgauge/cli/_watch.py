"""`check --watch`: checks again when a file changes, found out by looking at times and sizes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

from skillgauge.cache import digest, folder_signature
from skillgauge.cli._common import project_of
from skillgauge.cli._output import plain
from skillgauge.cli._parser import Namespace
from skillgauge.config import FILE_NAME, PYPROJECT
from skillgauge.errors import UserError
from skillgauge.report._terminal import cells
from skillgauge.text import split_lines

SECONDS: Final = 0.5
_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")


class _Captured(io.StringIO):
    """Standard output, kept to be shown at once and taken back before the next time."""

    def isatty(self) -> bool:
        return sys.__stdout__ is not None and sys.__stdout__.isatty()

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return sys.__stdout__.encoding if sys.__stdout__ else "utf-8"


def watch(options: Namespace, once: Callable[[], int]) -> int:
    """Check whenever something changes, until Ctrl-C."""
    before = shown = ""
    try:
        while True:
            now = signature(options)
            if now != before:
                before = now
                shown = _show(shown, _check(once))
            time.sleep(SECONDS)
    except KeyboardInterrupt:
        return 0


def _check(once: Callable[[], int]) -> str:
    with contextlib.redirect_stdout(_Captured()) as captured:
        try:
            once()
        except UserError as error:  # a half-written configuration is no reason to stop watching
            print(f"skillgauge: {error}")
    return captured.getvalue() + time.strftime("[%H:%M:%S] Watching; Ctrl-C ends it\n")


def _show(before: str, text: str) -> str:
    """Print a report; on a terminal in place of the last one as long as that is all in sight."""
    if before and sys.stdout.isatty():
        columns, lines = shutil.get_terminal_size()
        used = sum(_height(line, columns) for line in split_lines(before))
        sys.stdout.write(f"\x1b[{used}F\x1b[J" if used < lines else "\n")
    sys.stdout.write(plain(text, sys.stdout))
    sys.stdout.flush()
    return text


def _height(line: str, columns: int) -> int:
    """Return how many rows a line takes on the terminal."""
    width = sum(cell.width for cell in cells(_STYLE.sub("", line)))
    return max(-(-width // columns), 1)


def signature(options: Namespace) -> str:
    """Return a hash of everything that a check would look at, made without reading any file."""
    try:
        project = project_of(options)
        targets = project.targets(options.paths or ["."])
    except UserError as error:
        return str(error)
    folders = {os.path.dirname(target.path) for target in targets}
    roots = {target.root for target in targets}
    neighbours = {path for root in roots for path in project.neighbours(root)}
    configs = {os.path.join(root, name) for root in roots for name in (FILE_NAME, PYPROJECT)}
    files = sorted({*(target.path for target in targets), *neighbours, *configs})
    stamps = [f"{path} {_stamp(path)}" for path in files]
    return digest(*stamps, *(folder_signature(folder) for folder in sorted(folders)))


def _stamp(path: str) -> str:
    try:
        stat = os.stat(path)
    except OSError:
        return ""
    return f"{stat.st_size} {stat.st_mtime_ns}"
