"""Asks a child without waiting for it: for the language server, whose loop must never stand still.

A child that crashes loses what it was asked, and nothing else; one that says nothing for too long
is killed. It is started again with the next question, later each time if it keeps on failing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, cast

from skillgauge.child import ChildEnded, Progress, error_of, request
from skillgauge.errors import UserError

log = logging.getLogger(__name__)

PATIENCE: Final = 120.0
"""Seconds without a word after which a child that was asked something is taken to hang."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 300.0
"""Seconds after a failure in which it is not started again, doubled with each further one."""
_MAX_LINE: Final = 1 << 26
_GRACE: Final = 2.0


class Overtaken(Exception):
    """A newer question about the same document has taken this one's place."""


class Resting(UserError):
    """The child has failed, and is not started again yet."""


@dataclass(slots=True)
class _Question:
    answer: asyncio.Future[dict[str, Any]]
    progress: Progress | None


@dataclass(slots=True)
class _Running:
    process: asyncio.subprocess.Process
    reader: asyncio.Task[None] | None = None
    questions: dict[int, _Question] = field(default_factory=dict[int, _Question])
    heard: float = 0.0


class AsyncChild:
    """A child that is started with the first question, and again when it has ended."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        patience: float = PATIENCE,
        first_pause: float = FIRST_PAUSE,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Start nothing yet."""
        self._command = list(command)
        self._patience, self._first_pause = patience, first_pause
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._ids = count(1)
        self._running: _Running | None = None
        self._starting = asyncio.Lock()
        self._failures = 0
        self._rest_until = 0.0

    @property
    def pid(self) -> int | None:
        """The id of the child's process while there is one."""
        return self._running.process.pid if self._running else None

    async def ask(
        self, method: str, params: dict[str, Any], progress: Progress | None = None
    ) -> Any:
        """Ask one thing; if the caller is cancelled, the child is told.

        UserError if the child says so or ends, Overtaken if a newer question took its place.
        """
        running = await self._start()
        identity = next(self._ids)
        question = _Question(asyncio.get_running_loop().create_future(), progress)
        running.questions[identity] = question
        running.heard = self._clock()
        try:
            self._write(running, request(identity, method, params))
            message = await self._wait(running, question)
        except asyncio.CancelledError:
            with contextlib.suppress(ChildEnded):
                self._write(running, request(0, "cancel", {"id": identity}))
            raise
        finally:
            running.questions.pop(identity, None)
        self._failures = 0
        if message.get("cancelled"):
            raise Overtaken
        if (error := message.get("error")) is not None:
            raise error_of(error)
        return message["result"]

    async def close(self) -> None:
        """End the child, whatever it is doing."""
        running, self._running = self._running, None
        if running is None:
            return
        if (target := running.process.stdin) is not None:
            target.close()
        try:
            await asyncio.wait_for(running.process.wait(), _GRACE if not running.questions else 0)
        except TimeoutError:
            _kill(running.process)
            await running.process.wait()
        if running.reader is not None:
            await running.reader

    async def _start(self) -> _Running:
        async with self._starting:
            if self._running is not None:
                return self._running
            if (rest := self._rest_until - self._clock()) > 0:
                raise Resting(f"The scorer has failed, and is tried again in {rest:.0f} s")
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_MAX_LINE,
            )
            self._running = running = _Running(process)
            running.reader = asyncio.create_task(self._read(running))
            return running

    def _write(self, running: _Running, line: bytes) -> None:
        target = running.process.stdin
        if running is not self._running or target is None or target.is_closing():
            raise ChildEnded(running.process.returncode, self._command)
        target.write(line)

    async def _wait(self, running: _Running, question: _Question) -> dict[str, Any]:
        """Wait for an answer as long as the child gives signs of life."""
        while True:
            left = running.heard + self._patience - self._clock()
            if left <= 0:
                log.error("The scorer has said nothing for %.0f s, and is ended", self._patience)
                _kill(running.process)
                left = self._patience
            done, _ = await asyncio.wait({question.answer}, timeout=left)
            if done:
                return question.answer.result()

    async def _read(self, running: _Running) -> None:
        """Hand over what a child says until it ends."""
        source = cast("asyncio.StreamReader", running.process.stdout)
        try:
            while line := await source.readline():
                running.heard = self._clock()
                self._take(running, line)
        except (ValueError, KeyError, TypeError, AttributeError):  # no message of ours
            log.exception("The scorer says what can't be understood")
            _kill(running.process)
        status = await running.process.wait()
        expected = self._running is not running
        if not expected:
            self._running = None
        if running.questions and not expected:
            self._failures += 1
            pause = min(self._first_pause * 2 ** (self._failures - 1), LONGEST_PAUSE)
            self._rest_until = self._clock() + pause
            log.error(
                "The scorer ended with status %s, and is left alone for %.0f s", status, pause
            )
        for question in running.questions.values():
            if not question.answer.done():
                question.answer.set_exception(ChildEnded(status, self._command))

    def _take(self, running: _Running, line: bytes) -> None:
        message = cast("dict[str, Any]", json.loads(line))
        question = running.questions.get(message["id"])
        if question is None or question.answer.done():
            return
        if (step := message.get("progress")) is None:
            question.answer.set_result(message)
        elif question.progress is not None:
            question.progress(step["step"], step["done"], step["total"])


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
