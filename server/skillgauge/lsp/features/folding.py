"""Folding of a skill's parts and of evaluation cases; selections that grow by its structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_position, to_range

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register folding and selection ranges."""

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        from skillgauge.lsp.features._folding import folds

        snapshot = server.session.snapshot(params.text_document.uri)
        return [] if snapshot is None or snapshot.problem else folds(snapshot)

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        from skillgauge.lsp.features._folding import around

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return []
        text, encoding = snapshot.text, server.session.encoding
        made: list[lsp.SelectionRange] = []
        for position in params.positions:
            offset = from_position(text, position, encoding)
            where = to_range(text, text.line_span(text.line_of(offset)), encoding)
            current = lsp.SelectionRange(where)  # in a text that can't be judged, the line
            if not snapshot.problem:
                first, *inner = around(snapshot, offset)
                current = lsp.SelectionRange(to_range(text, first, encoding))
                for span in inner:
                    current = lsp.SelectionRange(to_range(text, span, encoding), current)
            made.append(current)
        return made
