"""Follows one run: a child tells of it, the client sees its progress, until it ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from skillgauge.errors import UserError
from skillgauge.lsp.lift_progress import RunProgress
from skillgauge.lsp.lift_state import read_run

if TYPE_CHECKING:
    from skillgauge.lsp.lift_state import Run
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

MAX_FAILURES: Final = 5
"""Children in a row that end before the run does; then it is lost sight of."""
STEADY: Final = 30.0
"""Seconds after which a child's end is no longer counted with earlier ones."""
FIRST_PAUSE: Final = 0.5
"""Seconds before the next child, doubled each time."""


class Follower:
    """Follows a run from its making on."""

    def __init__(self, server: SkillgaugeServer, run: Run, ended: Callable[[Run], None]) -> None:
        """Begin to follow; `ended` is called unless the follower is closed before."""
        self.server = server
        self.run = run
        self._ended = ended
        self._progress = RunProgress(server, run.id)
        self._task = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Follow no more, and show no more of it."""
        self._task.cancel()
        await asyncio.wait({self._task})
        self._progress.end("No longer followed")

    async def _follow(self) -> None:
        try:
            await self._progress.begin(self.run)
            await self._listen()
        except Exception:
            log.exception("Run %s can't be followed", self.run.id)
        self._progress.end(_outcome(self.run))
        self._ended(self.run)

    async def _listen(self) -> None:
        """Start one child after another until the run has ended or none tells of it."""
        failures, clock = 0, asyncio.get_running_loop().time
        while failures < MAX_FAILURES:
            since = clock()
            try:
                heard = await self._hear()
            except UserError as error:
                log.warning("Run %s: %s", self.run.id, error)
                heard = False
            if heard and not (self.run.is_open and self.run.working):
                return
            failures = 1 if clock() - since > STEADY else failures + 1
            await asyncio.sleep(FIRST_PAUSE * 2 ** (failures - 1))

    async def _hear(self) -> bool:
        """Take what one child tells; return whether that was of use."""
        heard = False
        lines = self.server.lift.command.follow(self.run.id)
        async with contextlib.aclosing(lines):
            async for line in lines:
                if line.get("kind") == "event":
                    self.server.lift.news.happened(self.run, line)
                    continue
                run = read_run(line)
                if run is None or run.id != self.run.id:
                    continue
                run = replace(run, folder=self.run.folder)
                heard, self.run = True, run
                self._progress.report(run)
                self.server.lift.took(run)
        return heard


def _outcome(run: Run) -> str:
    """Return what the progress says last."""
    from skillgauge.lsp.lift_words import lift_text, state_text

    if run.lift is not None and run.state == "done":
        return f"lift {lift_text(run.lift)}"
    return state_text(run)
