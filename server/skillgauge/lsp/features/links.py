"""Links to a skill's files and to the web; definition; references from a file back to its skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_position, to_location, to_range
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register document links, definition and references."""
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions())
    def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        from skillgauge.lsp.features._links import document_links

        snapshot = session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is Kind.CONFIG or snapshot.problem:
            return []
        return [
            lsp.DocumentLink(to_range(snapshot.text, span, session.encoding), target)
            for span, target in document_links(session, snapshot)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        from skillgauge.lsp.features._links import skill_named_at, target_of

        snapshot = session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return None
        offset = from_position(snapshot.text, params.position, session.encoding)
        found = target_of(session, snapshot, offset)
        summary = None if found else skill_named_at(snapshot, offset)
        if summary is not None:
            return to_location(session, summary.path, summary.start, summary.end)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        from skillgauge.lsp.features._links import asked_for, referrers

        snapshot = session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return []
        offset = from_position(snapshot.text, params.position, session.encoding)
        wanted = asked_for(session, snapshot, offset)
        return list(referrers(session, snapshot, wanted)) if wanted else []
