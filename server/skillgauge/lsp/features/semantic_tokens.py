"""Semantic tokens for placeholders and file references, which no grammar of Markdown colours.

VS Code colours a SKILL.md itself, and a second provider would take the place of its own: there the
feature is withdrawn unless the client asks for it, see `lifecycle.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

TYPES: Final = ("macro", "variable", "string", "decorator")


def register(server: SkillgaugeServer) -> None:
    """Register semantic tokens of whole documents."""
    legend = lsp.SemanticTokensLegend(list(TYPES), [])

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def full(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        from skillgauge.lsp.features._semantic_tokens import encode

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL or snapshot.problem:
            return lsp.SemanticTokens([])
        return lsp.SemanticTokens(encode(snapshot, server.session.encoding))
