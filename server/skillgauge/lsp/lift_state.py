"""What is known of lift runs: read from what the command line tells, with distrust."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, cast

MAX_CASES: Final = 4_000
"""Results of one run that are looked at."""
MAX_UNSATISFIED: Final = 200
"""Assertions of one case that are looked at."""
ENDED: Final = ("done", "infra-error", "cancelled")


@dataclass(frozen=True, slots=True)
class Unsatisfied:
    """An assertion that was not satisfied, and in which arm."""

    assertion: str
    arm: str
    quote: str
    reason: str
    failed: int = 0
    attempts: int = 0
    """In how many attempts, of how many."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case on one harness; a value is None where there is none."""

    id: str
    harness: str
    treated: float | None
    control: float | None
    lift: float | None
    unsatisfied: tuple[Unsatisfied, ...]
    blame: str
    reason: str

    @property
    def tells(self) -> bool:
        """Whether there is a result yet."""
        values = (self.treated, self.control, self.lift)
        return bool(self.blame or self.unsatisfied) or any(one is not None for one in values)


@dataclass(frozen=True, slots=True)
class Lift:
    """The lift of a run."""

    estimate: float
    interval: tuple[float, float] | None
    n_cases: int
    precision: str


@dataclass(frozen=True)
class Run:
    """A run as it was told last."""

    id: str
    state: str
    working: bool
    skill: str
    folder: Path
    stale: bool
    created: float
    trials: int
    done: int
    """Trials that have ended, however."""
    cost: float | None
    seconds_left: float | None
    lift: Lift | None
    cases: tuple[CaseResult, ...]
    reason: str
    """Why it failed, or was cancelled."""
    plain: Mapping[str, Any] = field(repr=False)
    """As it was told."""

    @property
    def is_open(self) -> bool:
        """Whether the run has not come to its end."""
        return self.state == "open"


Found = tuple[Run, CaseResult]


@dataclass(frozen=True)
class SkillRuns:
    """The runs of one skill, the newest first, and its text on disk when they were asked for."""

    runs: tuple[Run, ...] = ()
    text: str | None = None

    @cached_property
    def last(self) -> Run | None:
        """The newest run with a lift; one of a single case counts where there is no other."""
        found = [run for run in self.runs if run.lift is not None]
        whole = [run for run in found if run.lift and run.lift.n_cases > 1]
        return next(iter([*whole, *found]), None)

    @cached_property
    def open(self) -> Run | None:
        """The newest run that has not ended."""
        return next((run for run in self.runs if run.is_open), None)

    @cached_property
    def failed(self) -> Run | None:
        """The newest run, if it has failed."""
        return next((run for run in self.runs[:1] if run.state == "failed"), None)

    @cached_property
    def results(self) -> dict[str, tuple[Found, ...]]:
        """The newest result of each case on each harness, by the case's id."""
        found: dict[str, dict[str, Found]] = {}
        for run in self.runs:
            for result in run.cases:
                if result.tells:
                    found.setdefault(result.id, {}).setdefault(result.harness, (run, result))
        return {name: tuple(by.values()) for name, by in found.items()}

    def with_run(self, new: Run) -> SkillRuns:
        """Return these with one run as it is now."""
        rest = [run for run in self.runs if run.id != new.id]
        ordered = sorted([new, *rest], key=lambda run: (run.created, run.id), reverse=True)
        return SkillRuns(tuple(ordered), self.text)


def read_runs(answer: Mapping[str, Any]) -> tuple[Run, ...]:
    """Return the runs of an answer, the newest first; what can't be read is left out."""
    found = [run for run in map(read_run, _list(answer.get("runs"))) if run is not None]
    return tuple(sorted(found, key=lambda run: (run.created, run.id), reverse=True))


def read_run(value: object) -> Run | None:
    """Return a run, None for what is none."""
    given = _object(value)
    run, path = _text(given.get("run")), _text(given.get("path"))
    if not run or not path or "\0" in path:
        return None
    counts = _object(given.get("counts"))
    return Run(
        id=run,
        state=_text(given.get("state")),
        working=given.get("working") is True,
        skill=_text(given.get("skill")),
        folder=Path(path),
        stale=given.get("stale") is True,
        created=_number(given.get("created")) or 0.0,
        trials=_whole(given.get("trials")),
        done=sum(_whole(counts.get(name)) for name in ENDED),
        cost=_number(given.get("cost_usd")),
        seconds_left=_number(given.get("eta_seconds")),
        lift=_lift(given.get("lift")),
        cases=tuple(_cases(given.get("cases"))),
        reason=_text(given.get("reason")),
        plain=given,
    )


def _lift(value: object) -> Lift | None:
    given = _object(value)
    estimate = _number(given.get("estimate"))
    if estimate is None:
        return None
    bounds = [_number(one) for one in _list(given.get("interval"))]
    low, high = bounds if len(bounds) == 2 else (None, None)
    interval = (low, high) if low is not None and high is not None else None
    precision = _text(given.get("precision"))
    return Lift(estimate, interval, _whole(given.get("n_cases")), precision)


def _cases(value: object) -> list[CaseResult]:
    found: list[CaseResult] = []
    for one in _list(value)[:MAX_CASES]:
        given = _object(one)
        if name := _text(given.get("id")):
            found.append(
                CaseResult(
                    id=name,
                    harness=_text(given.get("harness")),
                    treated=_number(given.get("treated")),
                    control=_number(given.get("control")),
                    lift=_number(given.get("lift")),
                    unsatisfied=tuple(_unsatisfied(given.get("unsatisfied"))),
                    blame=_text(given.get("blame")),
                    reason=_text(given.get("reason")),
                )
            )
    return found


def _unsatisfied(value: object) -> list[Unsatisfied]:
    found: list[Unsatisfied] = []
    for one in _list(value)[:MAX_UNSATISFIED]:
        given = _object(one)
        texts = [_text(given.get(key)) for key in ("assertion", "arm", "quote", "reason")]
        failed, attempts = (_whole(given.get(key)) for key in ("failed", "attempts"))
        found.append(Unsatisfied(*texts, failed=failed, attempts=attempts))
    return found


def _object(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else ()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    """Return a number; JSON readers also take infinities for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _whole(value: object) -> int:
    number = _number(value)
    return int(number) if number is not None and 0 <= number < 1e9 else 0
