"""Outline of a document, and the workspace's skills by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_location

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

MAX_SYMBOLS = 500
"""More skills than this are not sent: nobody reads a longer list."""


def register(server: SkillgaugeServer) -> None:
    """Register document and workspace symbols."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        from skillgauge.lsp.features._symbols import document_symbols

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return []
        return document_symbols(snapshot, server.session.encoding)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def skills(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        await server.scanner.wait()
        session = server.session
        found: dict[str, lsp.WorkspaceSymbol] = {}
        for workspace in session.around.workspaces().values():
            for summary in workspace.skills:
                root = session.around.root_of(summary.path)
                if root is None or not is_subsequence(params.query.lower(), summary.name.lower()):
                    continue
                location = to_location(session, summary.path, summary.start, summary.end)
                found[location.uri] = lsp.WorkspaceSymbol(
                    location,
                    summary.name,
                    lsp.SymbolKind.Module,
                    container_name=summary.path.parent.parent.relative_to(root).as_posix(),
                )
                if len(found) >= MAX_SYMBOLS:
                    return list(found.values())
        return list(found.values())


def is_subsequence(query: str, name: str) -> bool:
    """Return whether the letters of `query` stand in `name` in that order, as editors match."""
    letters = iter(name)
    return all(letter in letters for letter in query)
