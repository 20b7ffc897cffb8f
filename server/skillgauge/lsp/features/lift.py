"""Lift runs: the commands that start, end and show them. `docs/editors/lift-protocol.md` has all.

The answers are worked out by modules that are loaded with the first question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

PLAN: Final = "skillgauge.lift.plan"
RUN: Final = "skillgauge.lift.run"
CANCEL: Final = "skillgauge.lift.cancel"
RESUME: Final = "skillgauge.lift.resume"
STATUS: Final = "skillgauge.lift.status"
REPORT: Final = "skillgauge.lift.report"
COMMANDS: Final = (PLAN, RUN, CANCEL, RESUME, STATUS, REPORT)
REQUEST: Final = "skillgauge/lift"
TRUST: Final = "skillgauge/trust"
KIND: Final = "skillgauge.lift"
"""The kind of the code actions."""


def register(server: SkillgaugeServer) -> None:
    """Register the commands, the request, and what ends a run."""
    for name in COMMANDS:
        _command(server, name)

    @server.feature(REQUEST)
    async def request(params: Any) -> dict[str, Any]:
        from skillgauge.lsp.features._lift_commands import state

        return await state(server, params)

    @server.feature(TRUST)
    async def trust(params: Any) -> None:
        from skillgauge.lsp.features.lifecycle import take_trust

        given = getattr(params, "trusted", None)
        if isinstance(given, bool):
            await take_trust(server, given)

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    async def cancelled(params: lsp.WorkDoneProgressCancelParams) -> None:
        from skillgauge.lsp.features._lift_commands import answer
        from skillgauge.lsp.lift_progress import PREFIX

        token = str(params.token)
        if token.startswith(PREFIX):
            await answer(server, CANCEL, {"run": token.removeprefix(PREFIX)})


def _command(server: SkillgaugeServer, name: str) -> None:
    @server.command(name)
    async def run(*given: Any) -> dict[str, Any]:
        from skillgauge.lsp.features._lift_commands import answer

        return await answer(server, name, given[0] if given else None)
