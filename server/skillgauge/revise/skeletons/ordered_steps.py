"""C1: bullets that are orders become numbered steps; a list that are a procedure in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.revise.candidate import Draft
from skillgauge.revise.facts import Facts
from skillgauge.revise.skeletons._verbs import is_order
from skillgauge.rule import Edit
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.markdown import List
    from skillgauge.document.skill import Skill

METRIC: Final = "C1"
STEPS: Final = re.compile(
    r"\b(?:steps?|workflow|process|procedure|instructions?|how to|usage|approach|method|guide"
    r"|quick ?start|getting started|tasks?|phase|stage|implementation|setup|use it|run)\b",
    re.IGNORECASE,
)
NOT_STEPS: Final = re.compile(
    r"\b(?:when|best practices?|features?|tips?|principles?|guidelines?|rules?|avoid|anti|never"
    r"|always|do not|don't|don’t|capabilit|overview|benefits?|examples?|reference|resources?"
    r"|notes?|checklist|limitations?|troubleshoot\w*|errors?|considerations?|constraints?)\b",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"[ \t]*([-*+])([ \t]+)")
MIN_ITEMS: Final = 3
SHARE: Final = 0.6
"""The part of a list's items that have to be orders."""


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield one draft a list, and one of all where there are several."""
    skill = facts.skill
    lists = [item for item in skill.markdown.lists if _is_procedure(skill, item)]
    found = [edits for item in lists if (edits := numbered(skill, item))]
    if len(found) > 1:
        together = tuple(edit for edits in found for edit in edits)
        yield Draft(f"Number the steps of {len(found)} lists", together)
    for edits in found[:6]:
        yield Draft("Number the steps of this list", edits)


def _is_procedure(skill: Skill, item: List) -> bool:
    if item.start is not None or item.depth > 0 or len(item.items) < MIN_ITEMS:
        return False
    section = skill.markdown.section_at(item.span.start)
    heading = section.heading.text if section else ""
    if NOT_STEPS.search(heading) or any(entry.checked is not None for entry in item.items):
        return False
    orders = sum(is_order(_first_line(skill, entry.span)) for entry in item.items)
    fits = STEPS.search(heading) is not None or is_order(heading)
    return fits and orders >= SHARE * len(item.items)


def _first_line(skill: Skill, span: Span) -> str:
    line = skill.source[span.start : span.end].split("\n", 1)[0]
    match = _BULLET.match(line)
    return line[match.end() :] if match else line


def numbered(skill: Skill, item: List) -> tuple[Edit, ...]:
    """Return the edits that number a list, what lies in an item moved along; () if it's unusual."""
    edits: list[Edit] = []
    for number, entry in enumerate(item.items, 1):
        match = _BULLET.match(skill.source, entry.span.start)
        if match is None or match.end() > entry.span.end:
            return ()
        marker = f"{number}."
        wider = len(marker) + 1 - (match.end() - match.start(1))
        edits.append(Edit(Span(match.start(1), match.end()), f"{marker} "))
        if wider > 0:
            edits += _indented(skill, entry.span, wider)
    return tuple(edits)


def _indented(skill: Skill, span: Span, by: int) -> Iterator[Edit]:
    """Yield the edits that indent the further lines of an item, as they have to."""
    text = skill.text
    first, last = text.line_of(span.start), text.line_of(max(span.end - 1, span.start))
    for line in range(first + 1, last + 1):
        if text.line(line)[:1] in (" ", "\t"):
            at = text.starts[line]
            yield Edit(Span(at, at), " " * by)
