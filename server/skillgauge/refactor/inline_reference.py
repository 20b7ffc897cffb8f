"""Puts the text of a reference file in the place of the paragraph that links to it."""

from __future__ import annotations

import posixpath

from skillgauge.document.anchors import slug
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.refactor import Refactoring
from skillgauge.refactor._links import relink, shift_headings
from skillgauge.rule import Edit
from skillgauge.text import Span

MAX_CHARACTERS = 40_000
"""A longer file belongs outside."""


def offer(skill: Skill, span: Span) -> Refactoring | None:
    """Offer to inline the Markdown file that the reference at the range names."""
    reference = next((item for item in skill.references if item.touches(span.start)), None)
    if reference is None or not reference.exists or not reference.target or skill.folder is None:
        return None
    target = reference.target
    if reference.link is None or not target.lower().endswith(".md"):
        return None
    text = skill.folder.read(target)
    block = next((item for item in skill.markdown.paragraphs if item.contains(span.start)), None)
    if not text or len(text) > MAX_CHARACTERS or text.startswith("---") or block is None:
        return None
    if block.start < skill.body.start or _nested(skill, block):
        return None
    markdown = read_markdown(text)
    section = skill.markdown.section_at(block.start)
    level = (section.heading.level if section else 0) + 1
    first = min((heading.level for heading in markdown.headings), default=1)
    whole = Span(0, len(text))
    moved = relink(markdown, whole, posixpath.dirname(target), "", target, skill.file_name)
    content = shift_headings(markdown, moved, whole, max(level - first, 0))
    newline = "\r\n" if "\r\n" in skill.source else "\n"
    if newline == "\r\n":
        content = content.replace("\r\n", "\n").replace("\n", "\r\n")
    last = block.end
    edits = [Edit(Span(last, last), f"{newline}{newline}{content.strip()}")]
    title = markdown.headings[0].text if markdown.headings else ""
    if title:
        edits.append(Edit(reference.span, f"#{slug(title)}"))
    deleted = (target,) if _only_here(skill, reference) else ()
    return Refactoring(f"Inline {target}", "refactor.inline", tuple(edits), {}, deleted)


def _nested(skill: Skill, block: Span) -> bool:
    inside = [item.span for item in skill.markdown.lists]
    inside += skill.markdown.quotes
    return any(span.start <= block.start < span.end for span in inside)


def _only_here(skill: Skill, reference: Reference) -> bool:
    """Return whether nothing else in the folder's Markdown names the file."""
    assert skill.folder is not None
    assert reference.target is not None
    if sum(item.target == reference.target for item in skill.references) > 1:
        return False
    name = posixpath.basename(reference.target)
    others = (
        skill.folder.read(path)
        for path in skill.folder.files
        if path.endswith(".md") and path not in (skill.file_name, reference.target)
    )
    return not any(text is None or name in text for text in others)
