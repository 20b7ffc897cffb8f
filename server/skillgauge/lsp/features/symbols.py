"""Outline of a document, and the workspace's skills by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.markdown import Section
from skillgauge.document.nodes import Entry, Mapping, Scalar
from skillgauge.lsp.convert import code_point_range, to_range
from skillgauge.lsp.session import Kind, Snapshot, uri_of
from skillgauge.text import Encoding, Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

MAX_DETAIL = 60
MAX_SYMBOLS = 500
"""More skills than this are not sent: nobody reads a longer list."""


def register(server: SkillgaugeServer) -> None:
    """Register document and workspace symbols."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL:
            return []
        return document_symbols(snapshot, server.session.encoding)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def skills(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        await server.scanner.wait()
        found: dict[str, lsp.WorkspaceSymbol] = {}
        for root, workspace in server.session.workspaces().items():
            for summary in workspace.skills:
                if not is_subsequence(params.query.lower(), summary.name.lower()):
                    continue
                uri = uri_of(summary.path)
                where = code_point_range(summary.start, summary.end)
                parent = summary.path.parent.parent
                inside = parent.relative_to(root) if parent.is_relative_to(root) else parent
                found[uri] = lsp.WorkspaceSymbol(
                    lsp.Location(uri, where),
                    summary.name,
                    lsp.SymbolKind.Module,
                    container_name=inside.as_posix(),
                )
                if len(found) >= MAX_SYMBOLS:
                    return list(found.values())
        return list(found.values())


def is_subsequence(query: str, name: str) -> bool:
    """Return whether the letters of `query` stand in `name` in that order, as editors match."""
    letters = iter(name)
    return all(letter in letters for letter in query)


def document_symbols(snapshot: Snapshot, encoding: Encoding) -> list[lsp.DocumentSymbol]:
    """Return the frontmatter with its keys, then the sections as a tree."""
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
