"""A run's progress in the editor: made once the client agrees, and ended with the run."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from skillgauge.lsp.lift_state import Run
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

PREFIX: Final = "skillgauge-lift-"
PATIENCE: Final = 10.0
"""Seconds for a client to agree."""


class RunProgress:
    """The progress of one run; does nothing for clients that show none."""

    def __init__(self, server: SkillgaugeServer, run: str) -> None:
        """Begin nothing yet."""
        self.server = server
        self.token = f"{PREFIX}{run}"
        self._begun = False
        self._told = ""

    async def begin(self, run: Run) -> None:
        """Show a run, if the client can."""
        window = self.server.client_capabilities.window
        if self._begun or window is None or not window.work_done_progress:
            return
        try:
            params = lsp.WorkDoneProgressCreateParams(self.token)
            async with asyncio.timeout(PATIENCE):  # wait_for of Python 3.11 may lose a cancel
                await self.server.window_work_done_progress_create_async(params)
        except Exception as error:  # whatever a client answers, the run goes on
            log.info("The client shows no progress: %s", error)
            return
        self._begun, self._told = True, message_of(run)
        start = lsp.WorkDoneProgressBegin(
            title=f"Lift of {run.skill or run.folder.name}",
            cancellable=True,
            message=self._told,
            percentage=percentage_of(run),
        )
        self.server.work_done_progress.begin(self.token, start)

    def report(self, run: Run) -> None:
        """Show how far it is, if that has changed."""
        message = message_of(run)
        if self._begun and message != self._told:
            self._told = message
            step = lsp.WorkDoneProgressReport(message=message, percentage=percentage_of(run))
            self.server.work_done_progress.report(self.token, step)

    def end(self, message: str) -> None:
        """Show no more of it."""
        if self._begun:
            self._begun = False
            self.server.work_done_progress.end(self.token, lsp.WorkDoneProgressEnd(message=message))


def message_of(run: Run) -> str:
    """Return how many trials are done, what they cost, and how long it will take."""
    from skillgauge.lsp.lift_words import cost_text, time_text

    parts = [f"{run.done}/{run.trials} trials"]
    if run.cost is not None:
        parts.append(cost_text(run.cost))
    if run.seconds_left is not None and run.is_open:
        parts.append(f"{time_text(run.seconds_left)} left")
    return ", ".join(parts)


def percentage_of(run: Run) -> int:
    """Return the share of trials that have ended, from 0 to 100."""
    return min(100 * run.done // run.trials, 100) if run.trials else 0
