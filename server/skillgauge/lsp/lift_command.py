"""Runs `skillgauge lift …` as children: the only way from the language server to lift runs.

A child's output is read with bounds and taken for nothing but JSON; whatever else it is becomes a
UserError. Children that only watch end with the server. A run itself is nobody's child: it goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final, cast

from skillgauge.child import command_of
from skillgauge.errors import UserError

PATIENCE: Final = 60.0
"""Seconds that an answer may take; planning looks at the container engine."""
MAX_BYTES: Final = 1 << 26
"""Of an answer, or of a line."""
MAX_SAID: Final = 600
"""Characters of what a child says went wrong."""
_GRACE: Final = 2.0
_MARK: Final = "skillgauge: "

Process = asyncio.subprocess.Process


class LiftCommand:
    """Starts children, and ends those that are left."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self.command: Sequence[str] | None = None
        """How the command line is started, None for the usual way."""
        self.patience = PATIENCE
        self._running: set[Process] = set()

    @property
    def busy(self) -> int:
        """How many children there are."""
        return len(self._running)

    async def ask(self, *words: str) -> dict[str, Any]:
        """Return the JSON object that a command answers; UserError if it gives none."""
        out, said, status = await self._answer(words)
        if status != 0 and not out.strip():
            raise UserError(_fault(said, words[0], status))
        return _object(out, words[0])

    async def tell(self, *words: str) -> None:
        """Have a command do something; its output is of no interest."""
        _, said, status = await self._answer(words)
        if status != 0:
            raise UserError(_fault(said, words[0], status))

    async def follow(self, run: str) -> AsyncGenerator[dict[str, Any], None]:
        """Yield what is told of a run, line by line, until it ends; UserError for other output."""
        words = ("status", run, "--follow", "--format", "jsonl")
        async with self._child(words, quiet=True) as process:
            source = cast("asyncio.StreamReader", process.stdout)
            while True:
                try:
                    line = await source.readline()
                except ValueError:  # longer than any of ours
                    raise UserError("`skillgauge lift status` says too much in one line") from None
                if not line:
                    break
                yield _object(line, "status")
            if (status := await process.wait()) != 0:
                raise UserError(f"`skillgauge lift status` ended with status {status}")

    async def close(self) -> None:
        """End all children."""
        for process in list(self._running):
            await _end(process)

    async def _answer(self, words: Sequence[str]) -> tuple[bytes, bytes, int]:
        """Return what a child writes, and with which status it ends."""
        try:
            async with self._child(words) as process, asyncio.timeout(self.patience):
                return await _output(process)
        except TimeoutError:
            what = f"`skillgauge lift {words[0]}` did not answer in {self.patience:.0f} s"
            raise UserError(what) from None

    @contextlib.asynccontextmanager
    async def _child(self, words: Sequence[str], *, quiet: bool = False) -> AsyncGenerator[Process]:
        try:
            process = await asyncio.create_subprocess_exec(
                *(self.command or command_of(("skillgauge",))),
                "lift",
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=None if quiet else asyncio.subprocess.PIPE,
                cwd=os.path.abspath(os.sep),
                limit=MAX_BYTES,
            )
        except (OSError, ValueError) as error:  # an argument with a null character, say
            raise UserError("`skillgauge lift` can't be started", str(error)) from error
        self._running.add(process)
        try:
            yield process
        finally:
            self._running.discard(process)
            await asyncio.shield(_end(process))


async def _output(process: Process) -> tuple[bytes, bytes, int]:
    """Return what a child wrote, cut to what is looked at, and with which status it ended."""
    source, errors = process.stdout, process.stderr
    assert source is not None
    assert errors is not None
    out, said = await asyncio.gather(_read(source, MAX_BYTES), _read(errors, 1 << 16))
    return out, said, await process.wait()


async def _read(source: asyncio.StreamReader, most: int) -> bytes:
    kept = bytearray()
    while part := await source.read(1 << 16):
        kept += part[: most - len(kept)]
    return bytes(kept)


async def _end(process: Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_GRACE):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _object(data: bytes, name: str) -> dict[str, Any]:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UserError(f"`skillgauge lift {name}` answers what can't be understood")
    return cast("dict[str, Any]", found)


def _fault(said: bytes, name: str, status: int) -> str:
    """Return what a child says went wrong: the last line that is meant for people."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    ours = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
    if ours:
        return ours[-1][:MAX_SAID]
    last = f": {lines[-1][:MAX_SAID]}" if lines else ""
    return f"`skillgauge lift {name}` ended with status {status}{last}"
