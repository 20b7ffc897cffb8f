"""The outline of a skill and of an evaluation file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from skillgauge.document.evals import EvalFile
from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.markdown import Section
from skillgauge.document.nodes import Entry, Mapping, Scalar
from skillgauge.lsp.convert import to_range
from skillgauge.lsp.uris import Kind
from skillgauge.text import Encoding, Span

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot

MAX_DETAIL: Final = 60


def document_symbols(snapshot: Snapshot, encoding: Encoding) -> list[lsp.DocumentSymbol]:
    """Return the frontmatter with its keys, then the sections as a tree; or the cases."""
    if isinstance(snapshot.document, EvalFile):
        return _cases(snapshot, snapshot.document, encoding)
    if snapshot.kind is not Kind.SKILL:
        return []
    skill = snapshot.skill
    found: list[lsp.DocumentSymbol] = []
    if skill.frontmatter is not None:
        found.append(_frontmatter(snapshot, skill.frontmatter, encoding))
    made: list[lsp.DocumentSymbol] = []
    for section in skill.markdown.sections:
        symbol = _section(snapshot, section, encoding)
        made.append(symbol)
        siblings = found
        if section.parent is not None:
            parent = made[section.parent]
            siblings = parent.children = list(parent.children or ())
        siblings.append(symbol)
    return found


def _frontmatter(snapshot: Snapshot, block: Frontmatter, encoding: Encoding) -> lsp.DocumentSymbol:
    children = [_entry(snapshot, entry, encoding) for entry in block.entries if entry.key]
    where = to_range(snapshot.text, _trimmed(snapshot, block.span), encoding)
    selection = to_range(snapshot.text, block.opening, encoding)
    name = snapshot.skill.name or "frontmatter"
    return lsp.DocumentSymbol(
        name, lsp.SymbolKind.Module, where, selection, detail="frontmatter", children=children
    )


def _entry(snapshot: Snapshot, entry: Entry, encoding: Encoding) -> lsp.DocumentSymbol:
    value = entry.value
    detail = value.text if isinstance(value, Scalar) else ""
    children: list[lsp.DocumentSymbol] = []
    if isinstance(value, Mapping):
        children = [_entry(snapshot, item, encoding) for item in value.entries if item.key]
    return lsp.DocumentSymbol(
        entry.key,
        lsp.SymbolKind.Property,
        to_range(snapshot.text, entry.span, encoding),
        to_range(snapshot.text, entry.key_span, encoding),
        detail=detail.split("\n", 1)[0][:MAX_DETAIL],
        children=children or None,
    )


def _section(snapshot: Snapshot, section: Section, encoding: Encoding) -> lsp.DocumentSymbol:
    where = _trimmed(snapshot, section.span)
    return lsp.DocumentSymbol(
        section.heading.text or "(empty heading)",
        lsp.SymbolKind.String,
        to_range(snapshot.text, where, encoding),
        to_range(snapshot.text, section.heading.span, encoding),
    )


def _trimmed(snapshot: Snapshot, span: Span) -> Span:
    text = snapshot.text.slice(span)
    return Span(span.start, span.start + max(len(text.rstrip()), 0))


def _cases(snapshot: Snapshot, document: EvalFile, encoding: Encoding) -> list[lsp.DocumentSymbol]:
    found: list[lsp.DocumentSymbol] = []
    for case in document.cases:
        prompt = case.prompt.text.split("\n", 1)[0][:MAX_DETAIL] if case.prompt else ""
        where = to_range(snapshot.text, case.span, encoding)
        head = to_range(snapshot.text, case.head, encoding)
        found.append(
            lsp.DocumentSymbol(case.label, lsp.SymbolKind.Event, where, head, detail=prompt)
        )
    return found
