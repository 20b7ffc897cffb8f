"""Inlay hints: estimated tokens a section, and where a client cuts the description in its list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_range, to_position
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register inlay hints."""

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        from skillgauge.lsp.features._inlay_hints import hints

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL or snapshot.problem:
            return []
        encoding = server.session.encoding
        shown = from_range(snapshot.text, params.range, encoding)
        return [
            lsp.InlayHint(
                to_position(snapshot.text, offset, encoding),
                label,
                tooltip=tooltip,
                padding_left=True,
            )
            for offset, label, tooltip in hints(snapshot)
            if shown.contains(offset)
        ]
