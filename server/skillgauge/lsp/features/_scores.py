"""What there is to say of scores: in a lens, in a hover, as text, and as values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from skillgauge.lsp.uris import Kind
from skillgauge.scores import FORMAT, About, Score

if TYPE_CHECKING:
    from skillgauge.document.markdown import Section
    from skillgauge.lsp.scores import Scored
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.scores import Scorer
    from skillgauge.text import Span

NOTE = "How much the text reads like skills with the quality, not how well an agent works with it."


def lens_title(server: SkillgaugeServer, snapshot: Snapshot) -> str:
    """Return what the lens says; empty where there is nothing to say."""
    scores = server.scores
    known = scores.of(snapshot)
    if scores.scorer is None or snapshot.kind is not Kind.SKILL:
        return ""
    if known is None:
        return "scoring …" if scores.is_pending(snapshot.uri) else ""
    parts = [f"{FORMAT} {'ok' if known.profile.passed else 'failed'}"]
    for about, score in scores.scorer.shown(known.profile):
        note = " (surface)" if about.label == "surface" and score.probability is not None else ""
        parts.append(f"{about.code} {_percent(score)}{note}")
    return " · ".join(parts)


def explanation(server: SkillgaugeServer, snapshot: Snapshot) -> str:
    """Return the profile as text, empty without one."""
    known, scorer = server.scores.of(snapshot), server.scores.scorer
    if known is None or scorer is None:
        return ""
    lines = [_format(known)]
    for about, score in scorer.shown(known.profile):
        value = score.reason if score.z is None else f"{_percent(score)} ({score.z:+.2f})"
        lines.append(f"{about.code} {about.name}: {value}")
    return "\n".join([*lines, NOTE])


def as_json(server: SkillgaugeServer, uri: str) -> dict[str, Any]:
    """Return the profile with each line's part as values; without one, `reason` says why."""
    snapshot = server.session.snapshot(uri)
    known = server.scores.of(snapshot) if snapshot else None
    scorer = server.scores.scorer
    made: dict[str, Any] = {"uri": uri, "version": snapshot.version if snapshot else None}
    if known is None or scorer is None:
        reason = server.scores.reason if server.scores.wanted else "Scores are switched off"
        return {**made, "profile": None, "reason": reason}
    profile = known.profile
    metrics: dict[str, Any] = {FORMAT: {"passed": profile.passed, "reasons": list(profile.reasons)}}
    for code, score in profile.scores.items():
        if code in scorer.metrics:
            metrics[code] = _values(scorer.metrics[code], score)
    facts = {"tokens": profile.tokens, "truncated": profile.truncated, "bundle": profile.bundle}
    return {**made, "profile": {**facts, "metrics": metrics}, "reason": ""}


def _values(about: About, score: Score) -> dict[str, Any]:
    lines = [{"line": line, "contribution": part} for line, part in sorted(score.lines.items())]
    return {
        "name": about.name,
        "label": about.label,
        "shown": about.shown,
        "z": score.z,
        "probability": score.probability,
        "lines": lines,
        "reason": score.reason,
    }


def hover_parts(
    server: SkillgaugeServer, snapshot: Snapshot, offset: int
) -> Iterator[tuple[Span, str]]:
    """Yield the profile on the description and the title, and a section's part on its heading."""
    known, scorer = server.scores.of(snapshot), server.scores.scorer
    if known is None or scorer is None or snapshot.kind is not Kind.SKILL:
        return
    front = snapshot.skill.frontmatter
    for entry in front.entries if front else ():
        place = entry.span if entry.key == "description" else entry.key_span
        if entry.key in ("name", "description") and place.contains(offset):
            yield place, _table(scorer, known)
    if front and front.opening.contains(offset):
        yield front.opening, _table(scorer, known)
    for section in snapshot.skill.markdown.sections if offset >= snapshot.skill.body.start else ():
        if section.heading.span.contains(offset):
            title = section.heading.level == 1
            text = _table(scorer, known) if title else _section(scorer, known, snapshot, section)
            if text:
                yield section.heading.span, text


def _table(scorer: Scorer, known: Scored) -> str:
    """Return the profile, with what has changed since it was first scored."""
    rows: list[str] = []
    for about, score in scorer.shown(known.profile):
        before = known.first.scores.get(about.code)
        change = ""
        if before is not None and before.z is not None and score.z is not None:
            moved = score.z - before.z
            change = f"{moved:+.2f}" if abs(moved) >= 0.005 else ""
        value = score.reason if score.z is None else f"{score.z:+.2f}"
        name = f"{about.name} (surface)" if about.label == "surface" else about.name
        rows.append(f"| {about.code} {name} | {_percent(score)} | {value} | {change} |")
    head = "| metric | like good ones | z | since opened |\n| --- | --- | --- | --- |\n"
    size = f"{known.profile.tokens:,} tokens"
    if known.profile.truncated:
        size += f", of which only the first {scorer.max_tokens:,} were read"
    return f"**{_format(known)}**\n\n{head}" + "\n".join(rows) + f"\n\n{size}. {NOTE}"


def _section(scorer: Scorer, known: Scored, snapshot: Snapshot, section: Section) -> str:
    """Return what a section adds to each score."""
    first = snapshot.text.line_of(section.own.start) + 1
    rows: list[str] = []
    for about, score in scorer.shown(known.profile):
        own = next((item for item in score.sections if item.line == first), None)
        if own is not None:
            rows.append(f"- {about.code} {about.name}: {own.contribution:+.2f}")
    return "What this section adds to the scores:\n\n" + "\n".join(rows) if rows else ""


def _format(known: Scored) -> str:
    if known.profile.passed:
        return f"{FORMAT} Format validity: passed"
    return f"{FORMAT} Format validity: failed. {'. '.join(known.profile.reasons)}"


def _percent(score: Score) -> str:
    return "–" if score.probability is None else f"{score.probability:.0%}"
