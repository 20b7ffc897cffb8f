"""The processes that a test has started, in however many steps: their environment has a mark."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

NAME = "SKILLGAUGE_TEST_RUN"
PROC = Path("/proc")


def marked() -> dict[str, str]:
    """Return an environment with a mark of its own."""
    return {**os.environ, NAME: uuid.uuid4().hex}


def left_behind(environment: dict[str, str], seconds: float = 10.0) -> list[str]:
    """Return the command lines of processes with that mark that don't end; [] without a /proc."""
    mark = f"{NAME}={environment[NAME]}".encode()
    deadline = time.monotonic() + seconds
    while (found := list(_running(mark))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _running(mark: bytes) -> Iterator[str]:
    for folder in PROC.glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes()  # empty: it has ended already
        except OSError:
            continue
        if mark in environment and command:
            yield command.replace(b"\0", b" ").decode(errors="replace")
