"""What the journal holds, as it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from skillgauge.lift.plan import Trial

State = Literal["planned", "running", "done", "infra-error", "cancelled"]


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run; times are seconds since 1970."""

    id: str
    created: float
    ended: float | None
    state: Literal["open", "done", "cancelled", "failed"]
    reason: str
    cancel_asked: float | None
    worker: int | None
    """The process that works on it, as far as is known: one that was killed stays written."""
    skill: str
    digest: str
    settings: dict[str, Any]


class Row(NamedTuple):
    """A trial and how far it is."""

    trial: Trial
    state: State
    reason: str


class Try(NamedTuple):
    """One time that a trial was begun."""

    number: int
    started: float
    ended: float | None
    outcome: str | None
    reason: str


class Event(NamedTuple):
    """Something that happened; `seq` grows, so that a reader can ask for what is new."""

    seq: int
    trial: str | None
    at: float
    kind: str
    detail: dict[str, Any]
