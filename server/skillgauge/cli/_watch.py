"""`check --watch`: checks again when a file changes, found out by looking at times and sizes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Final

from skillgauge.cache import digest, folder_signature
from skillgauge.cli._common import project_of
from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.config import FILE_NAME, PYPROJECT
from skillgauge.errors import UserError

SECONDS: Final = 0.5
CLEAR: Final = "\x1b[2J\x1b[H"
"""Clears what is on the screen, and leaves what was scrolled out of it."""


def watch(options: Namespace, once: Callable[[], int]) -> int:
    """Check whenever something changes, until Ctrl-C."""
    before = ""
    try:
        while True:
            now = signature(options)
            if now != before:
                before = now
                _check(once)
            time.sleep(SECONDS)
    except KeyboardInterrupt:
        return 0


def _check(once: Callable[[], int]) -> None:
    if sys.stdout.isatty():
        sys.stdout.write(CLEAR)
    try:
        once()
    except UserError as error:  # a half-written configuration is no reason to stop watching
        say(str(error))
    print(time.strftime("[%H:%M:%S] watching; Ctrl-C ends it"), flush=True)


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
