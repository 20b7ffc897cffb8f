"""The places of a Markdown document that `#fragment` can name, as GitHub makes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from skillgauge.document.markdown import Markdown
from skillgauge.text import Span

_DROPPED: Final = re.compile(r"[^\w\- ]", re.ASCII)
_ID: Final = re.compile(r"""\b(?:id|name)\s*=\s*["']?([^\s"'<>]+)""", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"\s*\{[^{}]*#(?P<id>[\w:.-]+)[^{}]*\}\s*\Z")
_COMMENT: Final = "<!--"


def slug(heading: str) -> str:
    """Return what a heading is called in a link: lower case, signs dropped, blanks as hyphens."""
    text = heading.strip().lower()
    if text.isascii():
        text = _DROPPED.sub("", text)
    else:
        text = "".join(char for char in text if char in "- _" or _is_word(char))
    return text.replace(" ", "-")


def _is_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M" or char == "_"


def anchors(markdown: Markdown) -> dict[str, Span]:
    """Return each anchor with the range of its heading or tag; the first of a name wins."""
    found: dict[str, Span] = {}
    for name, span in _anchors(markdown):
        found.setdefault(name, span)
    return found


def _anchors(markdown: Markdown) -> Iterator[tuple[str, Span]]:
    taken: dict[str, int] = {}
    for heading in markdown.headings:
        text = heading.text
        if (attribute := _ATTRIBUTE.search(text)) is not None:
            yield attribute["id"], heading.span
            text = text[: attribute.start()]
        name = base = slug(text)
        while name in taken:  # the second “setup” is setup-1
            taken[base] += 1
            name = f"{base}-{taken[base]}"
        taken[name] = 0
        yield name, heading.span
    for html in markdown.html:
        if not markdown.text.startswith(_COMMENT, html.span.start):
            for match in _ID.finditer(markdown.text, html.span.start, html.span.end):
                yield match[1], html.span


def loose(anchor: str) -> str:
    """Return an anchor without case, hyphens and signs, to find the one that was meant."""
    return "".join(char for char in anchor.lower() if char.isalnum())
