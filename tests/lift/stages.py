"""A stage of tests: no engine and no model, what a trial does is told by the test.

The real engine and real harnesses are in tests/lift/docker; this one is for what they can't be
made to do on command.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from skillgauge.lift.cases import Case
from skillgauge.lift.engines import Ended, EngineFault
from skillgauge.lift.plan import Trial
from skillgauge.lift.results import Judged, Ran
from skillgauge.lift.stage import Part, Played
from skillgauge.lift.trajectory._types import Trajectory

from . import trajectory_logs

HARNESS = "claude-code"
KIT = SimpleNamespace(
    TITLE="Claude Code",
    PACKAGE=None,
    DIALECT="anthropic",
    MODEL="m-1",
    SKILLS=".claude/skills",
    PLACES=(".claude/skills",),
    files=lambda setup: {".claude/settings.json": "{}"},
    environment=lambda setup: {},
    command=lambda setup: ("claude", "-p", setup.prompt),
    fault=lambda ended: "API error 529" if b"529" in ended.stdout else "",
)
FINE = Played(Ended(0, "exit", 0.5, stdout=b"{}"))

Play = Callable[[Part, int], Played]


@dataclass
class ToldStage:
    """Plays what `play` says; the number is how often that trial was played, from 1."""

    play_it: Play = lambda part, number: FINE
    seconds: float = 0.0
    played: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    most: int = 0
    closed: bool = False
    booked: float = 0.0
    budget: float = float("inf")
    fault: Exception | None = None
    _now: int = 0

    async def prepare(self, is_alive: Callable[[str], bool]) -> None:
        if self.fault:
            raise self.fault

    async def play(self, part: Part) -> Played:
        self.played.append(part.trial.id)
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.stopped.append(part.trial.id)
            raise
        finally:
            self._now -= 1
        log = part.room.home / ".claude/projects/-w/s1.jsonl"
        trajectory_logs.write(log, trajectory_logs.claude())
        return self.play_it(part, self.played.count(part.trial.id))

    async def judge(
        self, trial: Trial, case: Case, trajectory: Trajectory | None, ran: Ran
    ) -> Mapping[str, Judged]:
        return {}

    def logs(self, part: Part) -> list[Path]:
        return sorted(part.room.home.glob(".claude/projects/*/*.jsonl"))

    def book(self, amount: float) -> None:
        self.booked += amount

    @property
    def is_spent(self) -> bool:
        return self.booked >= self.budget

    async def close(self) -> None:
        self.closed = True


def no_engine(part: Part, number: int) -> Played:
    raise EngineFault("it was stopped")
