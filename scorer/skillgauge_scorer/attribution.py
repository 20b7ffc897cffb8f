"""Where a score comes from: what each line adds to it, and each section.

A mean of tokens times a vector is the mean of the products, so that z is exactly the sum of what
the tokens add. The state of the last token is no such sum; there a section's share is what the
score loses when the text is scored without it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from skillgauge.text import Span
from skillgauge_scorer.bundle import Metric
from skillgauge_scorer.projection import Projection, key
from skillgauge_scorer.views import View

MAX_LEFT_OUT: Final = 40
"""Sections that are left out in turn; what is beyond has no share of its own."""
DESCRIPTION: Final = "description"
TOP: Final = "before the first heading"


@dataclass(frozen=True, slots=True)
class Section:
    """What a section adds to z; lines count from 1, both ends included."""

    title: str
    line: int
    end_line: int
    contribution: float


def lines_of(found: Projection, metric: Metric) -> dict[int, float]:
    """Return what each line adds to z, by its number from 1."""
    starts = np.array(found.view.skill.text.starts, np.int64)
    sums = np.zeros(len(starts) + 1)
    share = metric.mu / len(metric.terms)
    seen = np.zeros(len(sums), bool)
    for term in metric.terms:
        piece = found.scopes[term.scope]
        values = piece.values[found.rows[key(term)]].astype(np.float64) - share
        lines = np.searchsorted(starts, piece.starts, side="right")
        np.add.at(sums, lines, values / (len(values) * metric.sigma))
        seen[lines] = True
    return {int(line): float(sums[line]) for line in np.flatnonzero(seen)}


def sections_of(view: View, lines: Mapping[int, float]) -> tuple[Section, ...]:
    """Return what each section adds to z, the lowest first."""
    found: list[Section] = []
    numbers = sorted(lines)
    for title, first, last in _ranges(view):
        own = numbers[bisect_right(numbers, first - 1) : bisect_right(numbers, last)]
        if own:
            found.append(Section(title, first, last, sum(lines[line] for line in own)))
    return tuple(sorted(found, key=lambda item: (item.contribution, item.line)))


def leave_one_out(
    view: View, whole: float, again: Callable[[str], float | None]
) -> tuple[Section, ...]:
    """Return what z loses without each section of the body, the lowest first.

    `again` scores a text.
    """
    source, found = view.skill.source, list[Section]()
    text = view.skill.text
    for title, span in list(_body(view))[:MAX_LEFT_OUT]:
        rest = again(source[: span.start] + source[span.end :])
        if rest is not None:
            first, last = _lines(view, span)
            found.append(Section(title, first, min(last, text.line_count), whole - rest))
    return tuple(sorted(found, key=lambda item: (item.contribution, item.line)))


def _ranges(view: View) -> Iterator[tuple[str, int, int]]:
    """Yield title, first and last line of the description and of each section, from 1."""
    value = view.skill.value("description")
    if value is not None:
        yield DESCRIPTION, *_lines(view, value.span)
    for title, span in _body(view):
        yield title, *_lines(view, span)


def _body(view: View) -> Iterator[tuple[str, Span]]:
    """Yield each stretch of the body up to the next heading, with its title."""
    body, source = view.skill.body, view.skill.source
    sections = view.skill.markdown.sections
    first = min((section.own.start for section in sections), default=body.end)
    if source[body.start : first].strip():
        yield TOP, Span(body.start, first)
    for section in sections:
        title = section.heading.text if section.heading.text.strip() else "untitled"
        yield title, section.own


def _lines(view: View, span: Span) -> tuple[int, int]:
    """Return the first and the last line that a range has a character on, from 1."""
    text = view.skill.text
    first = text.line_of(span.start)
    return first + 1, max(first, text.line_of(max(span.end - 1, span.start))) + 1
