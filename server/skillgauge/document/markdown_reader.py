"""Pulldown-cmark's events → `Markdown`. The one module that knows the parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from typing import Any, Final

import pyromark

from skillgauge.document.collector import CollectorAtRest
from skillgauge.document.markdown import (
    CodeBlock,
    CodeSpan,
    Definition,
    Heading,
    Html,
    Link,
    LinkKind,
    List,
    ListItem,
    Markdown,
    Table,
)
from skillgauge.text import ByteMap, Span, encodable

_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_STRIKETHROUGH
)
MAX_MARKDOWN: Final = 1024 * 1024
"""Characters that are read; what an editor holds may be larger than any file that we open."""

_KINDS: Final[dict[str, LinkKind]] = {
    "Inline": "inline",
    "Autolink": "autolink",
    "Email": "autolink",
}
_TARGET: Final = r"(?:<((?:[^<>\r\n\\]|\\.)*)>|(\S*))"
_INLINE_TARGET: Final = re.compile(r"\]\(\s*" + _TARGET)
_DEFINITION: Final = re.compile(r"\]:\s*" + _TARGET)
_LONE_CR: Final = re.compile(r"\r(?!\n)")
_BREAK: Final = re.compile(r"\r\n|\n|\r")


_HREF: Final = re.compile(
    r"<a\b[^>]*?\bhref\s*=\s*(?:\"([^\"]*)|'([^']*)|([^\s\"'>]+))", re.IGNORECASE
)


@lru_cache(maxsize=512)
def rendered_links(text: str) -> tuple[str, ...]:
    """Return the destinations of all links and HTML anchors, percent-encoded as in a page.

    Found in the rendered page, which costs a tenth of reading the text: one may be hidden from a
    reader, in a comment for example, but none that a reader finds is missing.
    """
    page = pyromark.html(encodable(text), options=_OPTIONS)
    found = (match[1] or match[2] or match[3] or "" for match in _HREF.finditer(page))
    return tuple(unescape(destination) for destination in found)


@lru_cache(maxsize=16)
def read_again(text: str, start: int = 0) -> Markdown:
    """Return the same as `read_markdown`, kept for the next rule that reads the same file."""
    return read_markdown(text, start)


def read_markdown(text: str, start: int = 0) -> Markdown:
    """Read the Markdown of `text` from offset `start` on, up to MAX_MARKDOWN. Never raises."""
    source = encodable(text[start : start + MAX_MARKDOWN])
    if "\r" in source:  # the parser doesn't take a lone CR for a line break
        source = _LONE_CR.sub("\n", source)
    with CollectorAtRest():
        return _Reader(text, source, start).read()


class _Open:
    """An open heading, link or code block: its text so far, and the bytes that this stands in."""

    __slots__ = ("details", "end", "start", "words")

    def __init__(self, details: Any) -> None:
        self.details = details
        self.words: list[str] = []
        self.start, self.end = -1, -1

    def take(self, word: str, where: Any) -> None:
        self.words.append(word)
        self.stretch(where)

    def stretch(self, where: Any) -> None:
        if self.start < 0:
            self.start = where["start"]
        self.end = max(self.end, where["end"])


class _OpenList:
    """An open list: its first number, and its items so far."""

    __slots__ = ("checked", "items", "start")

    def __init__(self, start: int | None) -> None:
        self.start = start
        self.items: list[ListItem] = []
        self.checked: bool | None = None  # of the open item, and of no other


class _Reader:
    """Collects what the events tell; stacks hold what is open."""

    def __init__(self, text: str, source: str, start: int) -> None:
        self.text, self.source, self.start = text, source, start
        self.at = ByteMap(source)
        self.ascii = source.isascii()  # then bytes and characters are counted alike
        self.headings: list[Heading] = []
        self.code_blocks: list[CodeBlock] = []
        self.code_spans: list[CodeSpan] = []
        self.links: list[tuple[Link, str]] = []  # each with its label
        self.lists: list[List] = []
        self.tables: list[Table] = []
        self.html: list[Html] = []
        self.quotes: list[Span] = []
        self.paragraphs: list[Span] = []
        self.rules: list[Span] = []
        self.open: list[_Open] = []
        self.open_lists: list[_OpenList] = []
        self.rows: list[list[Span]] = []
        self.quote_depth = 0

    def read(self) -> Markdown:
        open_ = self.open
        events: Any = pyromark.events_with_range(self.source, options=_OPTIONS)
        for event, where in events:
            if "Text" in event:  # the most frequent by far; in a string, `in` is False as well
                if open_:  # what `take` does, without the calls
                    top, end = open_[-1], where["end"]
                    top.words.append(event["Text"])
                    if top.start < 0:
                        top.start = where["start"]
                    if end > top.end:
                        top.end = end
                continue
            if "End" in event:
                kind, handlers = event["End"], _CLOSED
            elif "Start" in event:
                kind, handlers = event["Start"], _OPENED
            else:
                kind, handlers = event, _LEAVES
            value = None
            if type(kind) is not str:
                ((kind, value),) = kind.items()
            if handler := handlers.get(kind):
                handler(self, value, where)
            elif open_:
                open_[-1].stretch(where)
        definitions = self.definitions()
        return Markdown(
            self.text,
            Span(self.start, len(self.text)),
            tuple(self.headings),
            tuple(self.code_blocks),
            tuple(self.code_spans),
            tuple(self.aimed(definitions)),
            tuple(definitions),
            tuple(self.lists),
            tuple(self.tables),
            tuple(self.html),
            tuple(self.quotes),
            tuple(self.paragraphs),
            tuple(self.rules),
        )

    # ranges

    def span(self, where: Any) -> Span:
        """The range of an event, without blanks and line breaks at its end."""
        text, offset = self.text, self.start
        start, end = where["start"], where["end"]
        if not self.ascii:
            start, end = self.at.pair(start, end)
        start, end = start + offset, end + offset
        while end > start and text[end - 1] in "\r\n \t":
            end -= 1
        return Span(start, end)

    def inside(self, opened: _Open, default: int) -> Span:
        """The range of an open thing's content, an empty one at `default` if it has none."""
        if opened.start < 0:
            return Span(default, default)
        start, end = opened.start, opened.end
        if not self.ascii:
            start, end = self.at.pair(start, end)
        return Span(start + self.start, end + self.start)

    # what opens

    def open_words(self, value: Any, where: Any) -> None:
        self.open.append(_Open(value))

    def open_list(self, value: Any, where: Any) -> None:
        self.open_lists.append(_OpenList(value))

    def open_table(self, value: Any, where: Any) -> None:
        self.rows = []

    def open_row(self, value: Any, where: Any) -> None:
        self.rows.append([])

    def open_quote(self, value: Any, where: Any) -> None:
        self.quote_depth += 1

    # what closes

    def heading(self, value: Any, where: Any) -> None:
        opened, span = self.open.pop(), self.span(where)
        text = "".join(opened.words).strip()
        self.headings.append(Heading(int(value[1]), span, self.inside(opened, span.end), text))

    def link(self, value: Any, where: Any) -> None:
        self.add_link(where, image=False)

    def image(self, value: Any, where: Any) -> None:
        self.add_link(where, image=True)

    def code_block(self, value: Any, where: Any) -> None:
        opened, span = self.open.pop(), self.span(where)
        fenced = isinstance(opened.details, dict)
        info = str(opened.details["Fenced"]) if fenced else ""
        if opened.start < 0:  # fenced, with nothing inside
            line = _BREAK.search(self.text, span.start, span.end)
            content = Span(line.end(), line.end()) if line else Span(span.end, span.end)
        else:
            content = self.inside(opened, span.end)
        fence = self.text[span.start : span.start + 3]
        closed = not fenced or fence in self.text[content.end : span.end]
        content = Span(min(content.start, span.end), min(content.end, span.end))
        self.code_blocks.append(CodeBlock(span, content, info, fenced, closed))

    def list(self, value: Any, where: Any) -> None:
        opened = self.open_lists.pop()
        span = self.block(where)
        self.lists.append(List(span, opened.start, len(self.open_lists), tuple(opened.items)))

    def item(self, value: Any, where: Any) -> None:
        opened = self.open_lists[-1]
        opened.items.append(ListItem(self.block(where), len(self.open_lists) - 1, opened.checked))
        opened.checked = None

    def block(self, where: Any) -> Span:
        """The range of a list or item, in a quote without the quote's empty last lines."""
        span = self.span(where)
        if not self.quote_depth:
            return span
        start, end = span
        while self.text[end - 1] == ">":
            line = max(self.text.rfind("\n", start, end), self.text.rfind("\r", start, end))
            if line < 0 or self.text[line + 1 : end].strip(" \t>"):
                break
            end = start + len(self.text[start:line].rstrip("\r\n \t"))
        return Span(start, end)

    def cell(self, value: Any, where: Any) -> None:
        start, end = self.span(where)
        while start < end and self.text[start] in " \t":
            start += 1
        self.rows[-1].append(Span(start, end))

    def table(self, value: Any, where: Any) -> None:
        self.tables.append(Table(self.span(where), tuple(tuple(row) for row in self.rows)))

    def quote(self, value: Any, where: Any) -> None:
        self.quote_depth -= 1
        self.quotes.append(self.span(where))

    def paragraph(self, value: Any, where: Any) -> None:
        self.paragraphs.append(self.span(where))

    def html_block(self, value: Any, where: Any) -> None:
        self.html.append(Html(self.span(where), False))

    # what has nothing inside

    def rule(self, value: Any, where: Any) -> None:
        self.rules.append(self.span(where))

    def blank(self, value: Any, where: Any) -> None:
        if self.open:
            self.open[-1].take(" ", where)

    def code(self, value: Any, where: Any) -> None:
        span = self.span(where)
        text, inner = self.text, span.start
        while inner < span.end and text[inner] == "`":
            inner += 1
        content = Span(inner, max(span.end - (inner - span.start), inner))
        self.code_spans.append(CodeSpan(span, content, value))
        if self.open:
            self.open[-1].take(value, where)

    def inline_html(self, value: Any, where: Any) -> None:
        self.html.append(Html(self.span(where), True))
        if self.open:
            self.open[-1].stretch(where)

    def check(self, value: Any, where: Any) -> None:
        if self.open_lists:
            self.open_lists[-1].checked = bool(value)

    # links

    def add_link(self, where: Any, *, image: bool) -> None:
        opened, span = self.open.pop(), self.span(where)
        details = opened.details
        kind = _KINDS.get(details["link_type"], "reference")
        text = "".join(opened.words)
        if self.open:  # a link's text is text of the heading or link around it
            self.open[-1].take(text, where)
        text_span = self.inside(opened, span.start + 1 + image)
        target = text_span
        if kind == "inline":
            target = self.inline_target(text_span.end, span)
        elif kind == "reference":
            if details["link_type"] == "Collapsed" and self.text.startswith("[]", span.end):
                span = Span(span.start, span.end + 2)  # the parser's range ends too soon
            target = Span(span.end, span.end)
        destination, title = str(details["dest_url"]), str(details["title"])
        link = Link(span, kind, image, destination, target, text, text_span, title)
        self.links.append((link, _folded(details["id"])))

    def inline_target(self, behind: int, span: Span) -> Span:
        match = _INLINE_TARGET.search(self.text, behind, span.end)
        if match is None:
            return Span(span.end, span.end)
        if match[1] is not None:
            return Span(*match.span(1))
        start, end = match.span(2)
        if end == span.end:  # the closing parenthesis was taken too
            end -= 1
        return Span(start, max(end, start))

    def definitions(self) -> list[Definition]:
        if "]:" not in self.source:
            return []
        found: list[Definition] = []
        known = pyromark.reference_definitions(self.source, options=_OPTIONS)
        for label, definition in known.items():
            span = self.span(definition["span"])
            match = _DEFINITION.search(self.text, span.start, span.end)
            target = Span(*match.span(1 if match[1] is not None else 2)) if match else span
            found.append(Definition(span, label, str(definition["dest"]), target))
        return found

    def aimed(self, definitions: list[Definition]) -> list[Link]:
        """The links, each reference's target being its definition's destination."""
        targets = {_folded(definition.label): definition.target for definition in definitions}
        return [
            Link(
                link.span,
                link.kind,
                link.image,
                link.destination,
                targets.get(label, link.target) if link.kind == "reference" else link.target,
                link.text,
                link.text_span,
                link.title,
            )
            for link, label in self.links
        ]


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


_Handler = Callable[[_Reader, Any, Any], None]

_OPENED: Final[dict[str, _Handler]] = {
    "Heading": _Reader.open_words,
    "Link": _Reader.open_words,
    "Image": _Reader.open_words,
    "CodeBlock": _Reader.open_words,
    "List": _Reader.open_list,
    "Table": _Reader.open_table,
    "TableHead": _Reader.open_row,
    "TableRow": _Reader.open_row,
    "BlockQuote": _Reader.open_quote,
}
_CLOSED: Final[dict[str, _Handler]] = {
    "Heading": _Reader.heading,
    "Link": _Reader.link,
    "Image": _Reader.image,
    "CodeBlock": _Reader.code_block,
    "List": _Reader.list,
    "Item": _Reader.item,
    "Table": _Reader.table,
    "TableCell": _Reader.cell,
    "BlockQuote": _Reader.quote,
    "Paragraph": _Reader.paragraph,
    "HtmlBlock": _Reader.html_block,
}
_LEAVES: Final[dict[str, _Handler]] = {
    "Rule": _Reader.rule,
    "SoftBreak": _Reader.blank,
    "HardBreak": _Reader.blank,
    "Code": _Reader.code,
    "InlineHtml": _Reader.inline_html,
    "TaskListMarker": _Reader.check,
}
