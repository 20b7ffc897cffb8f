"""Puts the frontmatter's keys into the specification's order, comments staying with their key."""

from __future__ import annotations

from skillgauge.document.frontmatter import SPEC_KEYS, Frontmatter
from skillgauge.document.skill import Skill
from skillgauge.refactor import Refactoring
from skillgauge.rule import Edit
from skillgauge.text import Span

KIND = "source.organizeFrontmatter"


def offer(skill: Skill, span: Span) -> Refactoring | None:
    """Offer the order anywhere in a document whose frontmatter parses and is not in order."""
    front = skill.frontmatter
    if front is None or not front.closed or front.broken or len(front.entries) < 2:
        return None
    chunks = _chunks(skill, front)
    ranked = sorted(range(len(chunks)), key=lambda index: (_rank(front, index), index))
    if chunks[0].start < front.inner.start or ranked == list(range(len(chunks))):
        return None
    whole = Span(chunks[0].start, chunks[-1].end)
    parts = [skill.text.slice(chunks[index]) for index in ranked]
    edit = Edit(whole, "".join(parts))
    return Refactoring("Put the frontmatter into the usual order", KIND, (edit,))


def _rank(front: Frontmatter, index: int) -> int:
    key = front.entries[index].key
    return SPEC_KEYS.index(key) if key in SPEC_KEYS else len(SPEC_KEYS)


def _chunks(skill: Skill, front: Frontmatter) -> list[Span]:
    """Cut the block so that each part has one entry with the comment lines right above it."""
    starts: list[int] = []
    for entry in front.entries:
        line = skill.text.line_of(entry.key_span.start)
        floor = (
            skill.text.line_of(starts[-1]) if starts else skill.text.line_of(front.inner.start) - 1
        )
        while line - 1 > floor and skill.text.line(line - 1).lstrip().startswith("#"):
            line -= 1
        starts.append(skill.text.line_span(line).start)
    ends = [*starts[1:], front.inner.end]
    return [Span(start, end) for start, end in zip(starts, ends, strict=True)]
