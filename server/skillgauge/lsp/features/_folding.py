"""What can be folded, and the ranges around a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Mapping, Sequence, walk
from skillgauge.document.skill import Skill
from skillgauge.lsp.uris import Kind
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot


def folds(snapshot: Snapshot) -> list[lsp.FoldingRange]:
    """Return what can be folded, each as whole lines, no two from the same line."""
    found: dict[int, lsp.FoldingRange] = {}
    region, comment = lsp.FoldingRangeKind.Region, lsp.FoldingRangeKind.Comment
    for span, kind in _parts_of(snapshot):
        text = snapshot.text.slice(span).rstrip()
        first = snapshot.text.line_of(span.start)
        last = snapshot.text.line_of(span.start + max(len(text) - 1, 0))
        if last > first and first not in found:
            found[first] = lsp.FoldingRange(first, last, kind=comment if kind else region)
    return [found[line] for line in sorted(found)]


def _parts_of(snapshot: Snapshot) -> Iterator[tuple[Span, bool]]:
    """Yield the ranges, and whether each is a comment."""
    if isinstance(snapshot.document, EvalFile):
        yield from ((case.span, False) for case in snapshot.document.cases)
    elif snapshot.kind is Kind.SKILL:
        yield from _foldable(snapshot.skill)


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


def around(snapshot: Snapshot, offset: int) -> list[Span]:
    """Return the nested ranges that hold an offset, from the whole text inwards."""
    text = snapshot.text
    spans = {Span(0, len(text)), text.line_span(text.line_of(offset))}
    spans.update(span for span in _all(snapshot) if span.start <= offset <= span.end)
    chain: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if not chain or (chain[-1].start <= span.start and span.end <= chain[-1].end):
            chain.append(span)
    return chain


def _all(snapshot: Snapshot) -> Iterator[Span]:
    if isinstance(snapshot.document, EvalFile):
        return (node.span for node in walk(snapshot.document.reading.root))
    return _inside(snapshot.skill)


def _inside(skill: Skill) -> Iterator[Span]:
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
