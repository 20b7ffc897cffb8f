"""Hover: why a rule fires and how to mend it; what a frontmatter key means to each client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_position, markup, to_range

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register hover."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        from skillgauge.lsp.features._hover import parts

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        encoding = server.session.encoding
        offset = from_position(snapshot.text, params.position, encoding)
        found = list(parts(server.session, snapshot, offset))
        if server.scores.of(snapshot) is not None:
            from skillgauge.lsp.features._scores import hover_parts

            found += hover_parts(server, snapshot, offset)
        if server.lift.of(snapshot) is not None:
            from skillgauge.lsp.features import _lift

            found += _lift.hover_parts(server, snapshot, offset)
        if not found:
            return None
        where = min((span for span, _ in found), key=lambda span: span.end - span.start)
        text = "\n\n---\n\n".join(text for _, text in found)
        document = server.client_capabilities.text_document
        known = document.hover if document else None
        value = markup(text, known.content_format if known else None)
        return lsp.Hover(value, to_range(snapshot.text, where, encoding))
