"""Asks a child that answers in JSON lines: the way to the scorer, which is never imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import count
from types import TracebackType
from typing import IO, Any, Final, Self, cast

from skillgauge.errors import UserError

SCORER: Final = ("skillgauge_scorer",)

Progress = Callable[[str, int, int], None]
"""Told (step, done, total)."""


def command_of(module: Sequence[str] = SCORER) -> list[str]:
    """Return how a module of this Python is started as a child.

    Without -P, a module of the current folder would be imported first: a workspace's own code.
    """
    return [sys.executable, "-P", "-m", *module]


def request(identity: int, method: str, params: dict[str, Any]) -> bytes:
    """Return a request as a line."""
    return json.dumps({"id": identity, "method": method, "params": params}).encode() + b"\n"


def error_of(value: dict[str, Any]) -> UserError:
    """Return what a child says went wrong."""
    return UserError(str(value["what"]), str(value["why"]), str(value["how"]))


class ChildEnded(UserError):
    """A child ended before it had answered."""

    def __init__(self, status: int | None, command: Sequence[str]) -> None:
        """Say with which status, and how to see why."""
        told = "" if status is None else f" with status {status}"
        how = f"`{' '.join(command)} < /dev/null` may say why"
        super().__init__(f"The scorer ended{told} and gave no answer", how=how)


class Child:
    """A child that is started with the first question, and again when it has ended."""

    def __init__(self, module: Sequence[str] = SCORER) -> None:
        """Start nothing yet."""
        self._command = command_of(module)
        self._process: subprocess.Popen[bytes] | None = None
        self._ids = count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, method: str, params: dict[str, Any], progress: Progress) -> Any:
        """Ask one thing and wait for the answer; UserError if the child says so, or ends."""
        process = self._running()
        identity = next(self._ids)
        try:
            target = cast("IO[bytes]", process.stdin)
            target.write(request(identity, method, params))
            target.flush()
            for line in cast("IO[bytes]", process.stdout):
                message = cast("dict[str, Any]", json.loads(line))
                if message.get("id") != identity:
                    continue  # the answer to a question that was interrupted
                if (step := message.get("progress")) is not None:
                    progress(step["step"], step["done"], step["total"])
                elif (error := message.get("error")) is not None:
                    raise error_of(error)
                else:
                    return message["result"]
        except (BrokenPipeError, ValueError):
            pass  # it has ended, or died in the middle of a line; its status is told below
        self.close()
        raise ChildEnded(process.returncode, self._command)

    def close(self) -> None:
        """Let the child end."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        return self._process


def ask(
    method: str,
    params: dict[str, Any],
    progress: Progress,
    *,
    module: Sequence[str] = SCORER,
) -> Any:
    """Start a child, ask it one thing, and return the result; UserError if it says so."""
    with Child(module) as child:
        return child.ask(method, params, progress)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Let a child that is done end by itself, and one that isn't clean up behind itself."""
    try:
        if child.stdin is not None:
            child.stdin.close()
    except BrokenPipeError:
        pass  # what it did not read is still in the buffer
    if child.stdout is not None:
        child.stdout.close()
    try:
        child.wait(2)
    except subprocess.TimeoutExpired:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
