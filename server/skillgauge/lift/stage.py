"""What a trial is played on: a live stage with an engine and models, or a recorded one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from skillgauge.lift.cases import Case
from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import Harness, Setup
from skillgauge.lift.plan import Trial
from skillgauge.lift.results import Judged, Ran, Usage
from skillgauge.lift.trajectory._types import Trajectory
from skillgauge.lift.workspace import Room


@dataclass(frozen=True, slots=True)
class Part:
    """What is to be played."""

    trial: Trial
    room: Room
    harness: Harness
    setup: Setup


@dataclass(frozen=True, slots=True)
class Played:
    """How it went, as seen from outside of the harness."""

    ended: Ended
    usage: Usage = field(default_factory=Usage)
    version: str = ""
    faults: tuple[str, ...] = ()
    """What the model's endpoint answered in errors, or failed to answer."""
    notes: tuple[str, ...] = ()
    """What else is to be known: requests that were refused, tools that were taken out."""
    waiting: bool = False
    """Whether a request was without an answer when it ended."""
    over_budget: bool = False
    diverged: str = ""
    """What was asked for that a recording does not hold."""
    requests: Callable[[], Iterable[str]] | None = None
    """What the models were asked, as text; None where that was not seen."""


class Stage(Protocol):
    """Where trials are played and judged."""

    async def prepare(self, is_alive: Callable[[str], bool]) -> None:
        """Get ready, and clear away what runs left that nobody works on; UserError if it can't."""
        ...

    async def play(self, part: Part) -> Played:
        """Play a trial; EngineFault if it could not be."""
        ...

    async def judge(
        self, trial: Trial, case: Case, trajectory: Trajectory | None, ran: Ran
    ) -> Mapping[str, Judged]:
        """Return what the judge says, by metric; empty without a judge."""
        ...

    def logs(self, part: Part) -> list[Path]:
        """Return the harness's own logs of a trial that was played."""
        ...

    def book(self, amount: float) -> None:
        """Count what was spent before towards the budget, in US dollars."""
        ...

    @property
    def is_spent(self) -> bool:
        """Whether the run's budget is."""
        ...

    async def close(self) -> None:
        """Let go of all."""
        ...
