"""What the scorer says of a skill, as values; the scorer itself is a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

FORMAT: Final = "A1"
"""The metric that passes or fails; the others have numbers."""
WEAK: Final = 0.35
"""A metric whose probability is below is shown where the text pulls it down."""


@dataclass(frozen=True, slots=True)
class About:
    """A metric as people read of it."""

    code: str
    name: str
    dimension: str
    sees: str
    meaning: str
    low: str
    hint: str
    label: str
    shown: bool
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """What a section adds to a score; lines count from 1, both ends included."""

    title: str
    line: int
    end_line: int
    contribution: float


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's score; `reason` says why there is none."""

    z: float | None
    probability: float | None
    lines: Mapping[int, float]
    """What each line adds to z, from 1."""
    sections: tuple[Section, ...]
    """The lowest first."""
    reason: str = ""

    @property
    def worst(self) -> Section | None:
        """The section that pulls the score down most; None if none does."""
        first = self.sections[0] if self.sections else None
        return first if first is not None and first.contribution < 0 else None


@dataclass(frozen=True, slots=True)
class Profile:
    """All scores of one text."""

    tokens: int
    truncated: bool
    bundle: str
    passed: bool
    reasons: tuple[str, ...]
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Scorer:
    """What the scorer says of itself."""

    title: str
    bundle: str
    max_tokens: int
    metrics: Mapping[str, About]

    @property
    def hidden(self) -> tuple[str, ...]:
        """The metrics that are not shown, because something simpler measures as well."""
        return tuple(code for code, item in self.metrics.items() if not item.shown)

    def shown(self, profile: Profile) -> Iterator[tuple[About, Score]]:
        """Yield the numbers that are shown, in the order of the codes."""
        for code, about in self.metrics.items():
            if about.shown and code in profile.scores:
                yield about, profile.scores[code]


def read_scorer(value: Mapping[str, Any]) -> Scorer:
    """Return what the scorer answers to `describe`."""
    metrics = {
        str(item["code"]): About(
            code=str(item["code"]),
            name=str(item["name"]),
            dimension=str(item["dimension"]),
            sees=str(item["sees"]),
            meaning=str(item["meaning"]),
            low=str(item["low"]),
            hint=str(item["hint"]),
            label=str(item.get("label", "")),
            shown=bool(item.get("shown", True)),
            figures=dict(item.get("figures") or {}),
        )
        for item in value["metrics"]
    }
    return Scorer(str(value["title"]), str(value["bundle"]), int(value["max_tokens"]), metrics)


def read_profile(value: Mapping[str, Any]) -> Profile:
    """Return what the scorer answers to `score`."""
    metrics: dict[str, Any] = dict(value["metrics"])
    form = metrics.pop(FORMAT)
    return Profile(
        tokens=int(value["tokens"]),
        truncated=bool(value["truncated"]),
        bundle=str(value["bundle"]),
        passed=bool(form["passed"]),
        reasons=tuple(map(str, form["reasons"])),
        scores={code: _score(item) for code, item in metrics.items()},
    )


def _score(value: Mapping[str, Any]) -> Score:
    return Score(
        z=value["z"],
        probability=value["probability"],
        lines={item["line"]: item["contribution"] for item in value["lines"]},
        sections=tuple(
            Section(item["title"], item["line"], item["end_line"], item["contribution"])
            for item in value["sections"]
        ),
        reason=str(value.get("reason", "")),
    )
