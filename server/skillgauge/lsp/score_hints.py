"""Diagnostics of scores: for each weak metric, a hint on the lines that pull it down most."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import SOURCE, to_range
from skillgauge.scores import WEAK, About, Score, Section
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot


def hints(server: SkillgaugeServer, snapshot: Snapshot) -> list[lsp.Diagnostic]:
    """Return the hints on a text; none while its scores are not known."""
    encoding = server.session.encoding
    return [
        lsp.Diagnostic(
            range=to_range(snapshot.text, span, encoding),
            message=message_of(about, score),
            severity=lsp.DiagnosticSeverity.Hint,
            code=about.code,
            source=SOURCE,
            data={"metric": about.code},
        )
        for about, score, span in weak(server, snapshot)
    ]


def digest(server: SkillgaugeServer, snapshot: Snapshot) -> str:
    """Return a hash of the hints, empty without any."""
    found = [(about.code, score.probability, span) for about, score, span in weak(server, snapshot)]
    return hashlib.blake2b(repr(found).encode(), digest_size=8).hexdigest() if found else ""


def weak(server: SkillgaugeServer, snapshot: Snapshot) -> Iterator[tuple[About, Score, Span]]:
    """Yield the weak metrics that are shown, each with the place that pulls it down most."""
    known, scorer = server.scores.of(snapshot), server.scores.scorer
    if known is None or scorer is None:
        return
    for about, score in scorer.shown(known.profile):
        worst = score.worst
        if worst is None or score.probability is None or score.probability >= WEAK:
            continue
        span = span_of(snapshot.text, worst)
        if span.start < span.end:
            yield about, score, span


def message_of(about: About, score: Score) -> str:
    """Return what a hint says."""
    surface = ", a surface measure" if about.label == "surface" else ""
    return f"{about.low} ({about.name} {score.probability:.0%}{surface}). {about.hint}"


def span_of(text: Text, section: Section) -> Span:
    """Return a section's lines without the blank ones around, nor the indentation of the first."""
    first, last = section.line - 1, min(section.end_line, text.line_count) - 1
    while first < last and not text.line(first).strip():
        first += 1
    while last > first and not text.line(last).strip():
        last -= 1
    start, line = text.line_span(first), text.line(first)
    return Span(start.start + len(line) - len(line.lstrip()), text.line_span(last).end)
