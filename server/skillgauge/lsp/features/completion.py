"""Completion of keys, values, tools, paths, anchors, sections and rule codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp

from skillgauge.lsp.convert import from_position, markup, to_range
from skillgauge.lsp.features._completions import Offer, offers
from skillgauge.lsp.features.hover import about_key
from skillgauge.lsp.session import Snapshot
from skillgauge.rules import by_key
from skillgauge.text import Encoding

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

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
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return lsp.CompletionList(False, [])
        encoding = server.session.encoding
        offset = from_position(snapshot.text, params.position, encoding)
        snippets = _takes_snippets(server)
        items = [
            _item(snapshot, offer, encoding)
            for offer in offers(snapshot, offset)
            if snippets or not offer.snippet
        ]
        return lsp.CompletionList(False, items)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        known: Any = item.data
        data = cast("dict[str, str]", known) if isinstance(known, dict) else {}
        text = _explain(server, data.get("uri", ""), data.get("topic", ""))
        if text:
            item.documentation = _documentation(server, text)
        return item


def _known_item(server: SkillgaugeServer) -> lsp.ClientCompletionItemOptions | None:
    """Return what the client can do with one completion."""
    document = server.client_capabilities.text_document
    completion = document.completion if document else None
    return completion.completion_item if completion else None


def _documentation(server: SkillgaugeServer, text: str) -> lsp.MarkupContent | str:
    """Return text in a format that the client named; one that named none gets a plain string."""
    item = _known_item(server)
    formats = item.documentation_format if item else None
    return markup(text, formats) if formats else markup(text, []).value


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


def _explain(server: SkillgaugeServer, uri: str, topic: str) -> str:
    kind, _, name = topic.partition(":")
    snapshot = server.session.snapshot(uri)
    if kind == "key":
        return about_key(name, snapshot.clients if snapshot else ())
    if kind == "rule" and (rule := by_key().get(name)):
        return f"**{rule.code} {rule.name}**\n\n{rule.summary}"
    if kind == "file" and snapshot is not None and snapshot.folder is not None:
        text = snapshot.folder.read(name)
        if text:
            return f"````\n{text[:600].replace('````', '')}\n````"
    return ""
