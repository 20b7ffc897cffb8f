"""Links to files as a link checker reads them: Markdown links and HTML anchors, as local paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from skillgauge.document.markdown_reader import read_again, rendered_links
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.markdown import Markdown

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_OUTER: Final = "".join(map(chr, range(0x21))) + "\x7f"
# What holds no links in HTML; an element of these that is never closed swallows all that follows.
_OPAQUE: Final = "script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext|template"
_TAG: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>{_OPAQUE}|a)(?=[\s/>])(?P<rest>[^>]*)>",
    re.IGNORECASE | re.DOTALL,
)
_HREF: Final = re.compile(
    r"""(?:^|\s)href\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))""",
    re.IGNORECASE,
)
_MARKDOWN: Final = re.compile(r"(?:\.|%2e|&)(?:m|%[46]d|[#\w]+;)", re.IGNORECASE)


def local_path(destination: str) -> str | None:
    """Return the file that a destination names, relative and without `.` parts; None if none.

    Percent signs are decoded once, query and fragment dropped, backslashes read as slashes. What
    has a scheme or a host, is absolute, or names a directory is no local file.
    """
    text = destination.strip(_OUTER)
    if _SCHEME.match(text) or text.startswith("//"):
        return None
    text = unquote(re.split(r"[?#]", text, maxsplit=1)[0]).replace("\\", "/")
    if not text or text.startswith("/") or _SCHEME.match(text):
        return None
    if text.endswith(("/", "/.", "/..")) or text in (".", ".."):
        return None
    return posixpath.normpath(text)


def local_links(markdown: Markdown) -> Iterator[tuple[Span, str]]:
    """Yield the range and the local path of each link and HTML anchor, in document order."""
    found: list[tuple[Span, str | None]] = [
        (link.span, link.destination) for link in markdown.links if not link.image
    ]
    for html in markdown.html:
        for tag in _TAG.finditer(markdown.text, html.span.start, html.span.end):
            if tag["name"]:
                found.append((Span(*tag.span()), None))
    found.sort(key=lambda item: item[0].start)
    opaque = ""
    for span, destination in found:
        if destination is None:
            tag = _TAG.match(markdown.text, span.start, span.end)
            assert tag is not None
            name = tag["name"].lower()
            if opaque:
                opaque = "" if tag["close"] and name == opaque else opaque
                continue
            if name != "a":
                opaque = "" if tag["close"] else name
                continue
            href = _HREF.search(tag["rest"]) if not tag["close"] else None
            if href is None:
                continue
            destination = unescape(href["double"] or href["single"] or href["bare"] or "")
        if not opaque and (path := local_path(destination)):
            yield span, path


@lru_cache(maxsize=64)
def first_markdown_link(text: str, except_for: str) -> str | None:
    """Return the first local link of a Markdown text to another `.md` file, or None.

    `except_for` is a path, in lower case, that doesn't count.
    """

    def counts(path: str | None) -> bool:
        folded = path.casefold() if path else ""
        return folded.endswith(".md") and folded != except_for

    # Spares many files the parser; plain search is ten times as fast as a pattern.
    linked = "](" in text or "]:" in text or "href" in text.lower()
    if not (linked and _MARKDOWN.search(text)):
        return None
    if not any(counts(local_path(destination)) for destination in rendered_links(text)):
        return None
    links = local_links(read_again(text, _behind_frontmatter(text)))
    return next((path for _, path in links if counts(path)), None)


def _behind_frontmatter(text: str) -> int:
    match = re.match(r"---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", text, re.DOTALL)
    return match.end() if match else 0
