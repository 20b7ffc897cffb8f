"""Scores for clients that ask, or want to be told: `skillgauge/scores`, with each line's part.

A client that has `"skillgaugeScores": true` among its experimental capabilities is sent a
notification of this name whenever a document's scores have come or gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

REQUEST = "skillgauge/scores"
SHOW_SCORES = "skillgauge.showScores"


def register(server: SkillgaugeServer) -> None:
    """Register the request, and the command behind the lens."""

    @server.feature(REQUEST)
    async def request(params: Any) -> dict[str, Any]:
        from skillgauge.lsp.features._scores import as_json

        uri = str(getattr(params, "uri", ""))
        await server.scores.wait(uri)
        return as_json(server, uri)

    @server.command(SHOW_SCORES)
    def show(uri: str) -> dict[str, Any] | None:
        from skillgauge.lsp.features._scores import as_json, explanation

        snapshot = server.session.snapshot(uri)
        text = explanation(server, snapshot) if snapshot else ""
        if text:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))
        return as_json(server, uri) if text else None
