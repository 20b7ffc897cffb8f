"""Folding of frontmatter, sections, code blocks, lists, tables and comments; selection ranges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.nodes import Mapping, Sequence
from skillgauge.document.skill import Skill
from skillgauge.lsp.convert import from_position, to_range
from skillgauge.lsp.session import Kind, Snapshot
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register folding and selection ranges."""

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL:
            return []
        return folds(snapshot)

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return []
        encoding = server.session.encoding
        made: list[lsp.SelectionRange] = []
        for position in params.positions:
            offset = from_position(snapshot.text, position, encoding)
            current: lsp.SelectionRange | None = None
            for span in around(snapshot.skill, offset):
                current = lsp.SelectionRange(to_range(snapshot.text, span, encoding), current)
            assert current is not None  # the whole text is always there
            made.append(current)
        return made


def folds(snapshot: Snapshot) -> list[lsp.FoldingRange]:
    """Return what can be folded, each as whole lines, no two from the same line."""
    skill = snapshot.skill
    found: dict[int, lsp.FoldingRange] = {}
    region, comment = lsp.FoldingRangeKind.Region, lsp.FoldingRangeKind.Comment
    for span, kind in _foldable(skill):
        text = snapshot.text.slice(span).rstrip()
        first = snapshot.text.line_of(span.start)
        last = snapshot.text.line_of(span.start + max(len(text) - 1, 0))
        if last > first and first not in found:
            found[first] = lsp.FoldingRange(first, last, kind=comment if kind else region)
    return [found[line] for line in sorted(found)]


def _foldable(skill: Skill) -> Iterator[tuple[Span, bool]]:
    if skill.frontmatter is not None:
        yield skill.frontmatter.span, False
        for entry in skill.frontmatter.entries:
            yield entry.span, False
    body = skill.markdown
    for section in body.sections:
        yield section.span, False
    for span in body.comments:
        yield span, True
    for block in body.code_blocks:
        yield block.span, False
    for table in body.tables:
        yield table.span, False
    for listing in body.lists:
        for item in listing.items:
            yield item.span, False


def around(skill: Skill, offset: int) -> list[Span]:
    """Return the nested ranges that hold an offset, from the whole text inwards."""
    spans = {Span(0, len(skill.source))}
    spans.update(span for span in _parts(skill) if span.start <= offset <= span.end)
    line = skill.text.line_span(skill.text.line_of(offset))
    spans.add(line)
    chain: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if not chain or (chain[-1].start <= span.start and span.end <= chain[-1].end):
            chain.append(span)
    return chain


def _parts(skill: Skill) -> Iterator[Span]:
    if skill.frontmatter is not None:
        yield skill.frontmatter.span
        yield skill.frontmatter.inner
        for entry in skill.frontmatter.entries:
            yield entry.span
            yield entry.key_span
            yield entry.value.span
            if isinstance(entry.value, Mapping):
                for item in entry.value.entries:
                    yield item.span
                    yield item.value.span
            elif isinstance(entry.value, Sequence):
                yield from (item.span for item in entry.value.items)
    body = skill.markdown
    for section in body.sections:
        yield section.span
        yield section.body
        yield section.heading.span
    for block in body.code_blocks:
        yield block.span
        yield block.content
    for table in body.tables:
        yield table.span
        for row in table.rows:
            yield from row
    for listing in body.lists:
        yield listing.span
        yield from (item.span for item in listing.items)
    yield from body.paragraphs
    yield from body.quotes
    for code in body.code_spans:
        yield code.span
        yield code.content
    for link in body.links:
        yield link.span
        yield link.text_span
        yield link.target
