"""The Markdown files beside SKILL.md, read; kept by their text, so that reading again is cheap."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skillgauge.document.anchors import anchors
from skillgauge.document.frontmatter import find_frontmatter
from skillgauge.document.markdown import Markdown
from skillgauge.document.markdown_reader import read_again, rendered_links
from skillgauge.document.paths import is_url
from skillgauge.document.skill import Skill

MAX_SIZE: Final = 256 * 1024
"""A larger Markdown file is not looked into."""

_MARKDOWN: Final = (".md", ".markdown", ".mdx")


def is_markdown(path: str) -> bool:
    """Return whether a file is Markdown by its name."""
    return path.lower().endswith(_MARKDOWN)


def read_sibling(skill: Skill, path: str) -> str | None:
    """Return the text of a Markdown file of the folder; None if unknown or too large."""
    folder = skill.folder
    if folder is None or not is_markdown(path):
        return None
    info = folder.files.get(path)
    return folder.read(path) if info is not None and info.size <= MAX_SIZE else None


def _parsed(text: str) -> Markdown:
    front = find_frontmatter(text)
    return read_again(text, front.span.end if front else 0)


@lru_cache(maxsize=512)
def anchors_of(text: str) -> frozenset[str]:
    """Return the anchors of a Markdown file."""
    return frozenset(anchors(_parsed(text)))


@lru_cache(maxsize=512)
def links_of(text: str) -> tuple[str, ...]:
    """Return the destinations, percent-encoded, of a text's links to Markdown files, in order."""
    if "](" not in text and "]:" not in text and "href" not in text:
        return ()
    found = (destination.partition("#")[0] for destination in rendered_links(text))
    return tuple(path for path in found if path and is_markdown(path) and not is_url(path))
