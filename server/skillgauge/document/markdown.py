"""Markdown → blocks and inlines with ranges, on pulldown-cmark's events (CommonMark with tables).

All ranges are code point offsets in the whole document, the frontmatter included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from skillgauge.document.collector import CollectorAtRest
from skillgauge.text import Span

LinkKind = Literal["inline", "reference", "autolink"]


class Heading(NamedTuple):
    """An ATX or setext heading; `text` is its plain text."""

    level: int
    span: Span
    text_span: Span
    text: str


class Section(NamedTuple):
    """A heading with all below it up to the next of its level or above.

    `own` ends at the next heading of any level. The text before the first heading is no section.
    """

    heading: Heading
    span: Span
    own: Span
    parent: int | None
    """Index of the enclosing section in `Markdown.sections`."""

    @property
    def body(self) -> Span:
        """The section without its heading line."""
        return Span(self.heading.span.end, self.span.end)


class CodeBlock(NamedTuple):
    """A fenced or indented code block. `content` is the code alone, `info` the info string."""

    span: Span
    content: Span
    info: str
    fenced: bool
    closed: bool

    @property
    def language(self) -> str:
        """The first word of the info string, in lower case."""
        words = self.info.split(None, 1)
        return words[0].strip("{}.").lower() if words else ""


class CodeSpan(NamedTuple):
    """A code span; `content` is the text between the backticks, blanks included."""

    span: Span
    content: Span
    text: str


class Link(NamedTuple):
    """A link or image. `target` is the destination as written (of the definition, for references).

    `destination` is the destination decoded: entities and backslash escapes are resolved, percent
    signs are not.
    """

    span: Span
    kind: LinkKind
    image: bool
    destination: str
    target: Span
    text: str
    text_span: Span
    title: str


class Definition(NamedTuple):
    """A link reference definition `[label]: destination`."""

    span: Span
    label: str
    destination: str
    target: Span


class ListItem(NamedTuple):
    """A list item with everything in it. `checked` is None without a task checkbox."""

    span: Span
    depth: int
    checked: bool | None


class List(NamedTuple):
    """A bullet or ordered list; `start` is None for bullets. A nested list is one of its own."""

    span: Span
    start: int | None
    depth: int
    items: tuple[ListItem, ...]


class Table(NamedTuple):
    """A table; `rows[0]` is the header. Cells are ranges without the pipes and outer blanks."""

    span: Span
    rows: tuple[tuple[Span, ...], ...]


class Html(NamedTuple):
    """An HTML block, or one inline tag or comment."""

    span: Span
    inline: bool


@dataclass(frozen=True)
class Markdown:
    """A document's body, read. `text` is the whole document; `body` the part that is Markdown."""

    text: str
    body: Span
    headings: tuple[Heading, ...]
    code_blocks: tuple[CodeBlock, ...]
    code_spans: tuple[CodeSpan, ...]
    links: tuple[Link, ...]
    definitions: tuple[Definition, ...]
    lists: tuple[List, ...]
    tables: tuple[Table, ...]
    html: tuple[Html, ...]
    quotes: tuple[Span, ...]
    paragraphs: tuple[Span, ...]
    """Paragraphs, also those of loose list items; the text of a tight item is none."""
    rules: tuple[Span, ...]
    """Thematic breaks."""

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections in document order."""
        with CollectorAtRest():
            return tuple(_sections(self.headings, self.body.end))

    @cached_property
    def comments(self) -> tuple[Span, ...]:
        """The HTML comments outside code; one that is never closed runs to its block's end."""
        found: list[Span] = []
        for html in self.html:
            for match in _COMMENT.finditer(self.text, html.span.start, html.span.end):
                found.append(Span(*match.span()))
        return tuple(found)

    @cached_property
    def prose(self) -> str:
        """The document with all that is not prose masked by U+FFFC; offsets stay the same.

        Masked: frontmatter, code, HTML tags and comments, link destinations, block quotes and
        link reference definitions. Line breaks stay.
        """
        cuts = [
            Span(0, self.body.start),
            *(block.span for block in self.code_blocks),
            *(code.span for code in self.code_spans),
            *(html.span for html in self.html),
            *(Span(link.text_span.end, link.span.end) for link in self.links),
            *(link.span for link in self.links if link.kind == "autolink"),
            *(definition.span for definition in self.definitions),
            *self.quotes,
        ]
        return mask(self.text, cuts)

    @cached_property
    def unquoted(self) -> str:
        """The prose with text in quotation marks masked too: words mentioned, not used."""
        prose = self.prose
        curly = any(mark in prose for mark in "“‘«")  # one kind alone is found much faster
        quoted = (_QUOTED if curly else _STRAIGHT).finditer(prose)
        return mask(prose, [Span(*match.span()) for match in quoted])

    @cached_property
    def folded(self) -> str:
        """`unquoted` in lower case; offsets stay the same."""
        low = self.unquoted.lower()
        if len(low) == len(self.text):
            return low
        return "".join(char.lower() if len(char.lower()) == 1 else char for char in self.unquoted)

    def section_at(self, offset: int) -> Section | None:
        """Return the innermost section that holds `offset`."""
        found = None
        for section in self.sections:
            if section.span.start > offset:
                break
            if offset < section.span.end:
                found = section
        return found

    def find_sections(self, pattern: re.Pattern[str]) -> Iterator[Section]:
        """Yield the sections whose heading text matches (`search`)."""
        return (section for section in self.sections if pattern.search(section.heading.text))

    def in_code(self, offset: int) -> bool:
        """Return whether `offset` lies in a code block or code span."""
        return any(
            code.span.start <= offset < code.span.end
            for group in (self.code_blocks, self.code_spans)
            for code in group
        )


MASK: Final = "\ufffc"
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_STRAIGHT: Final = re.compile('"[^"\n\ufffc]{1,200}"')
_QUOTED: Final = re.compile(_STRAIGHT.pattern + "|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|«[^»\n]{1,200}»")
_HIDDEN: Final = re.compile(r"[^\r\n]+")


def mask(text: str, cuts: list[Span]) -> str:
    """Return `text` with the characters of `cuts` replaced by U+FFFC, line breaks kept."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(cuts):
        start = max(start, at)
        if end <= start:
            continue
        parts.append(text[at:start])
        parts.append(_masked(text[start:end]))
        at = end
    if not parts:
        return text
    parts.append(text[at:])
    return "".join(parts)


def _masked(text: str) -> str:
    if "\r" in text:
        return _HIDDEN.sub(lambda line: MASK * len(line[0]), text)
    return "\n".join([MASK * len(line) for line in text.split("\n")])  # the same, but faster


def _sections(headings: tuple[Heading, ...], end: int) -> Iterator[Section]:
    stops = [end] * len(headings)  # where each section ends
    parents: list[int | None] = []
    open_at: list[int] = []
    for index, heading in enumerate(headings):
        while open_at and headings[open_at[-1]].level >= heading.level:
            stops[open_at.pop()] = heading.span.start
        parents.append(open_at[-1] if open_at else None)
        open_at.append(index)
    for index, heading in enumerate(headings):
        start = heading.span.start
        own = headings[index + 1].span.start if index + 1 < len(headings) else end
        yield Section(heading, Span(start, stops[index]), Span(start, own), parents[index])
