"""A profile: what is said of one text, a score for each metric, and where each score comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from skillgauge_scorer.attribution import Section, leave_one_out, lines_of, sections_of
from skillgauge_scorer.bundle import Metric
from skillgauge_scorer.metrics import format_validity
from skillgauge_scorer.projection import Progress, Projection, Projector, Stop, key

FORMAT: Final = format_validity.METRIC.code
_EMPTY: Final = {
    "description": "The skill has no description",
    "body": "The body has no text",
}


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's score with its source; `reason` says why there is none."""

    z: float | None
    probability: float | None
    lines: Mapping[int, float]
    """What each line adds to z, by its number from 1; empty where the sum says nothing."""
    sections: tuple[Section, ...]
    """What each section adds to z, the lowest first."""
    label: str
    shown: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is said of one text."""

    tokens: int
    truncated: bool
    bundle: str
    reasons: tuple[str, ...]
    """Why the format is not valid; nothing if it is."""
    scores: Mapping[str, Score]

    def as_json(self) -> dict[str, Any]:
        """Return the profile as plain values."""
        metrics: dict[str, Any] = {
            FORMAT: {"passed": not self.reasons, "reasons": list(self.reasons)}
        }
        metrics |= {code: _as_json(score) for code, score in self.scores.items()}
        return {
            "tokens": self.tokens,
            "truncated": self.truncated,
            "bundle": self.bundle,
            "metrics": metrics,
        }


def profile(
    projector: Projector,
    source: str,
    file_name: str = "SKILL.md",
    *,
    explain: frozenset[str] = frozenset(),
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Profile:
    """Return the profile of a text.

    Metrics whose scores are no sums of what tokens add have their sections looked into only if
    `explain` names them: each section is left out in turn, and the rest is scored again.
    """
    found = projector.project(source, stop, progress)
    scores: dict[str, Score] = {}
    for code, metric in projector.bundle.metrics.items():
        scores[code] = _score(found, metric)
    for code in explain & scores.keys():
        metric = projector.bundle.metrics[code]
        whole = scores[code].z
        if whole is None or metric.linear:
            continue

        def again(text: str, metric: Metric = metric) -> float | None:
            return z_of(projector.project(text, stop, progress), metric)

        sections = leave_one_out(found.view, whole, again)
        scores[code] = _with_sections(scores[code], sections)
    return Profile(
        tokens=found.tokens,
        truncated=found.truncated,
        bundle=projector.bundle.id,
        reasons=format_validity.reasons(source, file_name),
        scores=scores,
    )


def z_of(found: Projection, metric: Metric) -> float | None:
    """Return a metric's score, None where something that it needs is empty."""
    total = 0.0
    for term in metric.terms:
        piece = found.scopes.get(term.scope)
        if piece is None:
            return None
        values = piece.values[found.rows[key(term)]]
        total += float(values[-1] if term.pooling == "last" else values.mean(dtype="f8"))
    return (total - metric.mu) / metric.sigma


def _score(found: Projection, metric: Metric) -> Score:
    z = z_of(found, metric)
    if z is None:
        empty = next(scope for scope in metric.scopes if scope not in found.scopes)
        return Score(None, None, {}, (), metric.label, metric.shown, _EMPTY[empty])
    lines = lines_of(found, metric) if metric.linear else {}
    sections = sections_of(found.view, lines) if metric.linear else ()
    return Score(z, metric.probability(z), lines, sections, metric.label, metric.shown)


def _with_sections(score: Score, sections: tuple[Section, ...]) -> Score:
    return Score(score.z, score.probability, {}, sections, score.label, score.shown)


def _as_json(score: Score) -> dict[str, Any]:
    made: dict[str, Any] = {
        "z": score.z,
        "probability": score.probability,
        "lines": [
            {"line": line, "contribution": value} for line, value in sorted(score.lines.items())
        ],
        "sections": [
            {
                "title": item.title,
                "line": item.line,
                "end_line": item.end_line,
                "contribution": item.contribution,
            }
            for item in score.sections
        ],
        "label": score.label,
        "shown": score.shown,
    }
    if score.reason:
        made["reason"] = score.reason
    return made
