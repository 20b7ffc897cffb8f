"""Pulldown-cmark's events → `Markdown`. The one module that knows the parser."""

from __future__ import annotations

import re
from typing import Any, Final

import pyromark

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
_KINDS: Final[dict[str, LinkKind]] = {
    "Inline": "inline",
    "Autolink": "autolink",
    "Email": "autolink",
}
_INLINE_TARGET: Final = re.compile(r"\]\(\s*(?:<([^<>\r\n]*)>|([^\s]*))")
_DEFINITION: Final = re.compile(r"\]:\s*(?:<([^<>\r\n]*)>|(\S+))")
_TICKS: Final = re.compile(r"`+")


def read_markdown(text: str, start: int = 0) -> Markdown:
    """Read the Markdown of `text` from offset `start` on. Never raises."""
    source = encodable(text[start:])
    return _Reader(text, source, start).read()


class _Reader:
    """Collects what the events tell; a stack holds what is open."""

    def __init__(self, text: str, source: str, start: int) -> None:
        self.text, self.source, self.start = text, source, start
        self.at = ByteMap(source)
        self.headings: list[Heading] = []
        self.code_blocks: list[CodeBlock] = []
        self.code_spans: list[CodeSpan] = []
        self.links: list[Link] = []
        self.lists: list[List] = []
        self.tables: list[Table] = []
        self.html: list[Html] = []
        self.quotes: list[Span] = []
        self.paragraphs: list[Span] = []
        self.rules: list[Span] = []
        self.words: list[list[str]] = []  # plain text of each open heading or link
        self.inner: list[list[int]] = []  # first and last offset inside each open heading or link
        self.items: list[list[ListItem]] = []
        self.rows: list[list[Span]] = []
        self.checks: list[bool | None] = []  # the checkbox of each open list item
        self.pending: list[Any] = []  # what the parser said of each open link, list or code block
        self.code: list[int] = []  # where the text of the open code block begins and ends

    def span(self, where: Any) -> Span:
        at, start = self.at, self.start
        return Span(at(where["start"]) + start, at(where["end"]) + start)

    def read(self) -> Markdown:
        for event, where in pyromark.events_with_range(self.source, options=_OPTIONS):
            if isinstance(event, str):
                if event == "Rule":
                    self.rules.append(self.trimmed(self.span(where)))
                elif self.words:
                    self.words[-1].append(" ")
            elif "Text" in event:  # by far the most frequent
                if self.words or self.code:
                    self.plain(event["Text"], where)
            elif "Start" in event:
                self.opened(event["Start"], where)
            elif "End" in event:
                self.closed(event["End"], where)
            else:
                for kind, value in event.items():
                    self.leaf(kind, value, where)
        definitions = self.definitions()
        return Markdown(
            self.text,
            Span(self.start, len(self.text)),
            tuple(self.headings),
            tuple(self.code_blocks),
            tuple(self.code_spans),
            tuple(self.links),
            tuple(definitions),
            tuple(self.lists),
            tuple(self.tables),
            tuple(self.html),
            tuple(self.quotes),
            tuple(self.paragraphs),
            tuple(self.rules),
        )

    def plain(self, value: str, where: Any) -> None:
        if self.words:
            self.words[-1].append(value)
            self.stretch(self.span(where))
        elif self.code:
            span = self.span(where)
            self.code[0] = min(self.code[0], span.start)
            self.code[1] = max(self.code[1], span.end)

    def stretch(self, span: Span) -> None:
        for inner in self.inner:
            inner[0] = min(inner[0], span.start)
            inner[1] = max(inner[1], span.end)

    def leaf(self, kind: str, value: Any, where: Any) -> None:
        span = self.span(where)
        if kind == "Code":
            ticks = _TICKS.match(self.text, span.start, span.end)
            behind = ticks.end() if ticks else span.start
            content = Span(behind, max(span.end - behind + span.start, behind))
            self.code_spans.append(CodeSpan(span, content, value))
            if self.words:
                self.words[-1].append(value)
        elif kind == "InlineHtml":
            self.html.append(Html(span, True))
        elif kind == "TaskListMarker":
            if self.checks:
                self.checks[-1] = bool(value)
        if self.inner:
            self.stretch(span)

    def opened(self, value: Any, where: Any) -> None:
        kind = value if isinstance(value, str) else next(iter(value))
        if kind in ("Heading", "Link", "Image"):
            self.words.append([])
            self.inner.append([len(self.text), 0])
        elif kind == "List":
            self.items.append([])
        elif kind == "Item":
            self.checks.append(None)
        elif kind == "Table":
            self.rows = []
        elif kind in ("TableHead", "TableRow"):
            self.rows.append([])
        elif kind == "TableCell":
            self.rows[-1].append(self.trimmed(self.span(where), " \t|"))
        elif kind == "CodeBlock":
            self.code = [len(self.text), 0]
        elif kind == "HtmlBlock":
            self.html.append(Html(self.trimmed(self.span(where)), False))
        if kind in ("Link", "Image", "List", "CodeBlock"):
            self.pending.append(value if isinstance(value, str) else value[kind])

    def closed(self, value: Any, where: Any) -> None:
        kind = value if isinstance(value, str) else next(iter(value))
        span = self.trimmed(self.span(where))
        if kind == "Heading":
            words, inner = self.words.pop(), self.inner.pop()
            level = int(str(value["Heading"])[-1])
            inner_span = Span(inner[0], inner[1]) if inner[1] else Span(span.end, span.end)
            self.headings.append(Heading(level, span, inner_span, "".join(words).strip()))
        elif kind in ("Link", "Image"):
            self.link(kind, self.pending.pop(), span)
        elif kind == "CodeBlock":
            self.code_block(self.pending.pop(), span)
        elif kind == "List":
            items = tuple(self.items.pop())
            start = self.pending.pop()
            self.lists.append(List(span, start, len(self.items), items))
        elif kind == "Item":
            self.items[-1].append(ListItem(span, len(self.items) - 1, self.checks.pop()))
        elif kind == "Table":
            self.tables.append(Table(span, tuple(tuple(row) for row in self.rows)))
        elif kind == "BlockQuote":
            self.quotes.append(span)
        elif kind == "Paragraph":
            self.paragraphs.append(span)

    def link(self, kind: str, details: Any, span: Span) -> None:
        words, inner = self.words.pop(), self.inner.pop()
        text = "".join(words)
        link_type = str(details["link_type"])
        link_kind = _KINDS.get(link_type, "reference")
        text_span = Span(inner[0], inner[1]) if inner[1] else Span(span.start + 1, span.start + 1)
        target = text_span
        if link_kind == "inline":
            target = self.inline_target(text_span.end, span)
        elif link_kind == "reference":
            target = Span(span.end, span.end)
        if self.words:  # a link's text is text of the heading or link around it
            self.words[-1].append(text)
            self.stretch(span)
        self.links.append(
            Link(
                span,
                link_kind,
                kind == "Image",
                str(details["dest_url"]),
                target,
                text,
                text_span,
                str(details["title"]),
            )
        )

    def inline_target(self, behind: int, span: Span) -> Span:
        match = _INLINE_TARGET.search(self.text, max(behind - 1, span.start), span.end)
        if match is None:
            return Span(span.end, span.end)
        if match[1] is not None:
            return Span(*match.span(1))
        start, end = match.span(2)
        if end == span.end:  # the closing parenthesis was taken too
            end -= 1
        return Span(start, max(end, start))

    def code_block(self, details: Any, span: Span) -> None:
        code, self.code = self.code, []
        fenced = isinstance(details, dict)
        info = str(details["Fenced"]) if fenced else ""
        content = Span(code[0], code[1]) if code[1] else Span(span.end, span.end)
        closed = True
        if fenced:
            source = self.text[span.start : span.end]
            opening = re.match(r"(`{3,}|~{3,})", source)
            last = re.split(r"\r\n|\n|\r", source)[-1].lstrip(" \t>")
            fence = opening[1] if opening else "```"
            closed = (
                len(source) > len(fence)
                and ("\n" in source or "\r" in source)
                and last.rstrip(" \t") == fence[0] * len(last.rstrip(" \t"))
                and len(last.rstrip(" \t")) >= len(fence)
            )
            if not code[1]:
                first = re.search(r"\r\n|\n|\r", source)
                inner = span.start + first.end() if first else span.end
                content = Span(inner, inner)
        self.code_blocks.append(CodeBlock(span, content, info, fenced, closed))

    def trimmed(self, span: Span, chars: str = "\r\n") -> Span:
        text = self.text
        start, end = span
        while end > start and text[end - 1] in chars:
            end -= 1
        if chars != "\r\n":
            while start < end and text[start] in chars:
                start += 1
        return Span(start, end)

    def definitions(self) -> list[Definition]:
        if "]:" not in self.source:
            return []
        found: list[Definition] = []
        known = pyromark.reference_definitions(self.source, options=_OPTIONS)
        for label, definition in known.items():
            span = self.trimmed(self.span(definition["span"]))
            match = _DEFINITION.search(self.text, span.start, span.end)
            target = Span(*match.span(1 if match[1] is not None else 2)) if match else span
            found.append(Definition(span, label, str(definition["dest"]), target))
        self.aim(found)
        return found

    def aim(self, definitions: list[Definition]) -> None:
        """Point each reference link's target at its definition's destination."""
        by_destination = {definition.destination: definition for definition in definitions}
        for index, link in enumerate(self.links):
            if link.kind == "reference" and (found := by_destination.get(link.destination)):
                self.links[index] = Link(
                    link.span,
                    link.kind,
                    link.image,
                    link.destination,
                    found.target,
                    link.text,
                    link.text_span,
                    link.title,
                )

