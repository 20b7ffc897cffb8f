"""Completion of keys, values, tools, paths, anchors, sections and rule codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_position, markup, plain, to_range

if TYPE_CHECKING:
    from skillgauge.lsp.features._completions import Offer
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Encoding

KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Value,
    "tool": lsp.CompletionItemKind.Function,
    "file": lsp.CompletionItemKind.File,
    "anchor": lsp.CompletionItemKind.Reference,
    "section": lsp.CompletionItemKind.Snippet,
    "rule": lsp.CompletionItemKind.EnumMember,
    "skill": lsp.CompletionItemKind.Module,
}
TRIGGERS = ["(", "`", "/", "#", ":", " ", '"']


def register(server: SkillgaugeServer) -> None:
    """Register completion; documentation comes with resolving."""
    options = lsp.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        from skillgauge.lsp.features._completions import offers

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return lsp.CompletionList(False, [])
        encoding = server.session.encoding
        offset = from_position(snapshot.text, params.position, encoding)
        snippets = _takes_snippets(server)
        items = [
            _item(snapshot, offer, encoding)
            for offer in offers(server.session, snapshot, offset)
            if snippets or not offer.snippet
        ]
        return lsp.CompletionList(False, items)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        from skillgauge.lsp.features._completions import explanation

        known: Any = item.data
        data = cast("dict[str, Any]", known) if isinstance(known, dict) else {}
        snapshot = server.session.snapshot(str(data.get("uri", "")))
        if snapshot is not None and (topic := str(data.get("topic", ""))):
            text = explanation(server.session, snapshot, topic)
            item.documentation = _documentation(server, text) if text else None
        return item


def _known_item(server: SkillgaugeServer) -> lsp.ClientCompletionItemOptions | None:
    """Return what the client can do with one completion."""
    document = server.client_capabilities.text_document
    completion = document.completion if document else None
    return completion.completion_item if completion else None


def _documentation(server: SkillgaugeServer, text: str) -> lsp.MarkupContent | str:
    """Return an explanation in the form that the client takes: without a word of it, plain text."""
    known = _known_item(server)
    formats = known.documentation_format if known else None
    return markup(text, formats) if formats else plain(text)


def _takes_snippets(server: SkillgaugeServer) -> bool:
    item = _known_item(server)
    return bool(item and item.snippet_support)


def _item(snapshot: Snapshot, offer: Offer, encoding: Encoding) -> lsp.CompletionItem:
    where = to_range(snapshot.text, offer.span, encoding)
    return lsp.CompletionItem(
        offer.label,
        kind=KINDS[offer.kind],
        detail=offer.detail or None,
        filter_text=offer.text.split("\n", 1)[0] if not offer.snippet else offer.label,
        insert_text_format=lsp.InsertTextFormat.Snippet if offer.snippet else None,
        text_edit=lsp.TextEdit(where, offer.text),
        data={"uri": snapshot.uri, "topic": offer.topic} if offer.topic else None,
    )
