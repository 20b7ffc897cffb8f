"""Moves a section to a reference file and leaves behind when to read it."""

from __future__ import annotations

from skillgauge.document.anchors import anchors, slug
from skillgauge.document.markdown import Section
from skillgauge.document.skill import Skill
from skillgauge.refactor import Refactoring
from skillgauge.refactor._links import relink, shift_headings
from skillgauge.rule import Edit
from skillgauge.text import Span

MIN_LINES = 4
"""A shorter section is not worth a file of its own."""


def offer(skill: Skill, span: Span) -> Refactoring | None:
    """Offer to move the innermost section at the range, below the title."""
    section = skill.markdown.section_at(span.start)
    if section is None or section.heading.level == 1 or skill.folder is None:
        return None
    text = skill.text.slice(section.body)
    if text.strip().count("\n") + 1 < MIN_LINES:
        return None
    folder = "reference" if "reference" in skill.folder.directories else "references"
    path = _free(skill, f"{folder}/{slug(section.heading.text)[:60].strip('-') or 'section'}")
    heading = section.heading.text
    newline = "\r\n" if "\r\n" in skill.source else "\n"
    whole = Span(section.heading.span.start, section.span.end)
    moved = relink(skill.markdown, whole, "", folder, skill.file_name, path)
    content = shift_headings(skill.markdown, moved, whole, 1 - section.heading.level)
    pointer = (
        f"{newline}{newline}Read [{path}]({path}) when the task is about "
        f"{_lower_first(heading)}.{newline}{newline}"
    )
    after = Span(section.heading.span.end, section.span.end)
    edits = [Edit(after, pointer.rstrip("\r\n") + newline + _gap(skill, section, newline))]
    edits.extend(_links_to(skill, section, path))
    return Refactoring(
        f"Move “{heading}” to {path}",
        "refactor.extract",
        tuple(edits),
        {path: content.rstrip() + newline},
    )


def _free(skill: Skill, stem: str) -> str:
    assert skill.folder is not None
    names = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 100)))
    return next(name for name in names if name not in skill.folder.files)


def _gap(skill: Skill, section: Section, newline: str) -> str:
    return newline if section.span.end < len(skill.source) else ""


def _lower_first(text: str) -> str:
    if len(text) > 1 and text[1].isupper():  # an abbreviation
        return text
    return text[:1].lower() + text[1:]


def _links_to(skill: Skill, section: Section, path: str) -> list[Edit]:
    """Return the edits of links elsewhere that lead to a heading which moves."""
    names = anchors(skill.markdown)
    own = section.heading.span
    return [
        Edit(link.target, path + link.destination)
        for link in skill.markdown.links
        if link.kind == "inline"
        and link.destination.startswith("#")
        and not section.span.start <= link.span.start < section.span.end
        and (where := names.get(link.destination[1:])) is not None
        and section.span.start <= where.start < section.span.end
        and where != own
    ]
