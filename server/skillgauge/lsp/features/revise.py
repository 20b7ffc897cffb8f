"""Revisions that were scored first: as code actions, and by the request `skillgauge/revisions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

REQUEST = "skillgauge/revisions"


def register(server: SkillgaugeServer) -> None:
    """Register the request; code actions ask `_revise`."""

    @server.feature(REQUEST)
    async def request(params: Any) -> dict[str, Any]:
        from skillgauge.lsp.features._revise import as_json

        uri = str(getattr(params, "uri", ""))
        await server.scores.wait(uri)
        if (snapshot := server.session.snapshot(uri)) is not None:
            server.revisions.look(snapshot)
            await server.revisions.wait(uri)
        return as_json(server, uri)
