"""The metrics of a trial, one a file, found by looking here; and the dimensions that they make.

A metric is a module with `measure(subject)`. Its value lies in [0, 1], higher is better; what can't
be measured has no value but a reason, and counts neither for the skill nor against it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol, cast

from skillgauge.lift.cases import Case
from skillgauge.lift.plan import Arm

if TYPE_CHECKING:
    from skillgauge.lift.metrics._trace import Trace

FindingSeverity = Literal["critical", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a metric; without a value, why."""

    name: str
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was seen in a trial, with redacted evidence."""

    type: str
    severity: FindingSeverity
    message: str
    evidence: str = ""
    step: int = 0
    """The step of the trajectory, 0 if none."""
    after_skill: bool = False
    """Whether the skill had been read before."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a metric says of a trial."""

    value: float | None
    reason: str = ""
    """Why there is no value, or what it comes from."""
    parts: tuple[Part, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's answer to one question."""

    name: str
    passed: bool
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of one metric: verdicts, or why there are none."""

    verdicts: tuple[Verdict, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A trial to be measured."""

    case: Case
    arm: Arm
    trace: Trace | None
    """None if the harness left no trajectory."""
    skill: str
    """The name of the skill under test."""
    supporting: frozenset[str] = frozenset()
    """Skills that lie beside it in both arms."""
    canaries: tuple[str, ...] = ()
    """Synthetic secrets planted in the workspace."""
    artifacts: Mapping[str, str] = field(default_factory=dict[str, str])
    """The text of the files that the agent left, by path."""
    judgements: Mapping[str, Judgement] = field(default_factory=dict[str, Judgement])
    """By metric."""


class Metric(Protocol):
    """What the module of a metric has."""

    def measure(self, subject: Subject) -> Measure:
        """Return what it says of a trial."""
        ...


@cache
def names() -> tuple[str, ...]:
    """Return the names of all metrics."""
    files = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    known = (name for name in files if name.isidentifier() and not name.startswith("_"))
    return tuple(sorted(name for name in known if name != "dimensions"))


def measure_all(subject: Subject, chosen: Sequence[str] | None = None) -> dict[str, Measure]:
    """Return all metrics of a trial, or those chosen."""
    return {
        name: cast("Metric", import_module(f"{__name__}.{name}")).measure(subject)
        for name in chosen or names()
    }


def mean_of(parts: Sequence[Part], reason: str = "nothing in it could be measured") -> Measure:
    """Return the mean of the components that have a value."""
    values = [part.value for part in parts if part.value is not None]
    if not values:
        return Measure(None, reason, tuple(parts))
    return Measure(sum(values) / len(values), "", tuple(parts))
