"""Runs the small server of the tests as a process of its own."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .raw_client import TIMEOUT, RawClient, RawServer, running

SERVER = Path(__file__).parent / "fixtures" / "small_server.py"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes")


@contextlib.contextmanager
def small_server(*flags: str) -> Iterator[RawServer]:
    with running([sys.executable, SERVER, *flags]) as server:
        yield server


def command(client: RawClient, name: str) -> int:
    return client.ask("workspace/executeCommand", {"command": name, "arguments": []})


def until_stderr(server: RawServer, pattern: str) -> re.Match[str]:
    deadline = time.monotonic() + TIMEOUT
    while not (found := re.search(pattern, server.stderr)):
        assert time.monotonic() < deadline, server.stderr
        assert server.process.poll() is None or server.wait() is None, server.stderr
        time.sleep(0.01)
    return found


def address(server: RawServer) -> tuple[str, int]:
    found = until_stderr(server, r"listening on \w+://(127\.0\.0\.1):(\d+)\n")
    return found[1], int(found[2])
