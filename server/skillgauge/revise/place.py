"""Where new text goes so that it fits: below a heading that is there, or under a new one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from skillgauge.rule import Edit
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.markdown import Section
    from skillgauge.document.skill import Skill

LAST: Final = re.compile(
    r"\b(?:trouble|limitation|known issues|reference|resources|see also|further|licen[cs]e"
    r"|credits|links|changelog|faq)",
    re.IGNORECASE,
)
"""Sections that belong at the end, so that others go before them."""
_LETTERS: Final = re.compile(r"[`*_<>\[\]\\]")


def table(skill: Skill, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in the style of those that the text has."""
    spaced = not any(
        "|--" in line for at in skill.markdown.tables for line in _lines(skill, at.span)[1:2]
    )
    rule = "| " + " | ".join("---" for _ in header) + " |"
    lines = [f"| {' | '.join(header)} |", rule if spaced else rule.replace(" ", "")]
    return "\n".join([*lines, *(row_of(cells) for cells in rows)])


def row_of(cells: Sequence[str]) -> str:
    """Return one line of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") or "–" for cell in cells) + " |"


def code(text: str) -> str:
    """Return text as a code span; a backtick in it is written as an apostrophe."""
    return "`" + " ".join(text.replace("`", "'").split()) + "`"


def prose(text: str) -> str:
    """Return text of a source as plain words: nothing in it is Markdown or HTML."""
    return _LETTERS.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def find(skill: Skill, pattern: re.Pattern[str]) -> Section | None:
    """Return the highest section with such a heading, the first of them."""
    found = skill.markdown.find_sections(pattern)
    return min(found, key=lambda item: item.heading.level, default=None)


def add(skill: Skill, pattern: re.Pattern[str], title: str, block: str) -> Edit:
    """Return the edit that puts a block into the section with such a heading, or makes one."""
    section = find(skill, pattern)
    if section is None:
        return new_section(skill, title, block)
    return _insert(skill, _end_of(skill, section.own), f"\n\n{block}")


def add_rows(
    skill: Skill, pattern: re.Pattern[str], title: str, header: Sequence[str], rows: list[list[str]]
) -> Edit:
    """Return the edit that adds a table, or rows to one in that section with as many columns.

    A table that has one column less takes the second cell in brackets behind the first.
    """
    section = find(skill, pattern)
    for known in skill.markdown.tables if section else ():
        inside = section is not None and section.own.overlaps(known.span)
        missing = len(header) - len(known.rows[0])
        if inside and missing in (0, 1):
            fitting = [[f"{row[0]} ({row[1]})", *row[2:]] for row in rows] if missing else rows
            lines = "".join(f"\n{row_of(cells)}" for cells in fitting)
            return _insert(skill, _end_of(skill, known.span), lines)
    return add(skill, pattern, title, table(skill, header, rows))


def new_section(skill: Skill, title: str, block: str, *, first: bool = False) -> Edit:
    """Return the edit that adds a section: before those that belong at the end, or as the first."""
    level = level_of(skill)
    text = f"{'#' * level} {title}\n\n{block}"
    tops = [item for item in skill.markdown.sections if item.heading.level == level]
    for section in tops:
        if first or LAST.search(section.heading.text):
            at = section.span.start
            return Edit(Span(at, at), with_breaks(skill, f"{text}\n\n"))
    return _insert(skill, _end_of(skill, skill.body), f"\n\n{text}")


def level_of(skill: Skill) -> int:
    """Return the level of the headings that divide the document."""
    levels = Counter(heading.level for heading in skill.markdown.headings)
    if levels[1] > 1:
        return 1
    return 2


def with_breaks(skill: Skill, text: str) -> str:
    """Return text with the line breaks of the document."""
    return text.replace("\n", "\r\n") if "\r\n" in skill.source else text


def _insert(skill: Skill, at: int, text: str) -> Edit:
    return Edit(Span(at, at), with_breaks(skill, text))


def _end_of(skill: Skill, span: Span) -> int:
    """Return the end of the last line of a range that is not blank."""
    return span.start + len(skill.source[span.start : span.end].rstrip())


def _lines(skill: Skill, span: Span) -> list[str]:
    return skill.source[span.start : span.end].split("\n")
