"""What the backbone reads of a skill: its name and description, then its body in parts.

A skill is encoded part by part, each behind the same prefix, so that an edit costs its own part
only and a score belongs to parts by their content. A part is a section; long ones are cut where a
heading or a blank line stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from skillgauge.document.skill import Skill
from skillgauge.text import Span, Text

Scope = Literal["description", "body"]
Mode = Literal["full", "sections"]

LEAD: Final = "Skill: "
"""Stands before everything: a decoder's first token draws attention and is like no other."""
PART: Final = 1600
"""Characters that a part has at most, but for a block without a blank line."""
SMALL: Final = 400
"""A part with fewer characters is joined with what follows, so that few are tiny."""
_LONGEST: Final = 4 * PART
_BLANK: Final = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the body, as it stands in the source from offset `start` on."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class View:
    """What is encoded of a skill; `prefix` holds the description in `described`."""

    skill: Skill
    prefix: str
    described: Span
    parts: tuple[Part, ...]

    def source_of(self, start: int, end: int) -> Span:
        """Return where characters of the prefix stand in the source; they are the description's."""
        value = self.skill.value("description")
        assert value is not None
        shift = self.described.start
        return self.skill.find_in_value(value, start - shift, end - shift)


def read(source: str, mode: Mode = "sections") -> View:
    """Return what is encoded of a text; any text has a view, maybe with empty scopes."""
    skill = Skill(Text(source))
    value = skill.value("description")
    description = value.text if value else ""
    head = f"{LEAD}{skill.name or 'unnamed'}\n"
    described = Span(len(head), len(head) + len(description))
    body = skill.body
    spans = [body] if mode == "full" else list(_joined(_parts(skill, body)))
    parts = [Part(source[slice(*span)], span.start) for span in spans]
    kept = tuple(part for part in parts if part.text.strip())
    return View(skill, f"{head}{description}\n\n", described, kept)


def _parts(skill: Skill, body: Span) -> Iterator[Span]:
    """Yield the parts of a body in order: they cover it all."""
    sections = skill.markdown.sections
    cuts = [(one.heading.level, one.span.start) for one in sections if one.span.start > body.start]
    yield from _cut(skill.source, body, cuts)


def _joined(spans: Iterator[Span]) -> Iterator[Span]:
    """Yield stretches with small ones joined to those behind them."""
    held: Span | None = None
    for span in spans:
        if held is not None and span.end - held.start > PART:
            yield held
            held = None
        held = Span(held.start if held else span.start, span.end)
        if held.end - held.start >= SMALL:
            yield held
            held = None
    if held is not None:
        yield held


def _cut(source: str, span: Span, cuts: list[tuple[int, int]]) -> Iterator[Span]:
    """Yield a stretch in pieces that are short enough, cut at the highest headings in it.

    `cuts` holds the level and the place of each heading within the stretch, its first excepted.
    """
    if not cuts or span.end - span.start <= PART:
        yield from _paragraphs(source, span)
        return
    level = min(level for level, _ in cuts)
    places = [place for at, place in cuts if at == level]
    bounds = [span.start, *places, span.end]
    for start, end in pairwise(bounds):
        inner = [(at, place) for at, place in cuts if start < place < end]
        yield from _cut(source, Span(start, end), inner)


def _paragraphs(source: str, span: Span) -> Iterator[Span]:
    """Yield a stretch without headings in pieces that are short enough where blank lines allow."""
    start = span.start
    while span.end - start > PART:
        window = source[start : min(span.end, start + _LONGEST)]
        blanks = [match.end() for match in _BLANK.finditer(window)]
        within = [end for end in blanks if end <= PART]
        length = within[-1] if within else blanks[0] if blanks else len(window)
        if length <= 0 or start + length >= span.end:
            break
        yield Span(start, start + length)
        start += length
    yield Span(start, span.end)
