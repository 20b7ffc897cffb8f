"""What a trial asked of its models: counts, cost, and what went wrong."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from skillgauge.lift.prices import Counts
from skillgauge.lift.results import Usage

QUIET: Final = 30.0
"""Seconds without a byte after which a request counts as one that is not answered."""
MAX_FAULTS: Final = 50


@dataclass(slots=True)
class Meter:
    """The account of one trial, open to be read at any time."""

    faults: list[str] = field(default_factory=list[str])
    """What the endpoint answered in errors or failed to answer, also if a later try went well."""
    diverged: str = ""
    """What was asked for that the recording does not hold."""
    strayed: int = 0
    """Requests of a replay whose words differ from the recorded ones', though not their turns."""
    over_budget: bool = False
    """Whether a request was refused because the money is spent."""
    refused: list[str] = field(default_factory=list[str])
    """What was asked for beside the models, or of a model that may not be asked."""
    removed: set[str] = field(default_factory=set[str])
    """Tools that the vendor would have run, and that were taken out of requests."""
    broken: OSError | None = None
    """Why the record could not be written."""
    _asked: int = 0
    _answered: int = 0
    _counts: Counts | None = field(default_factory=lambda: Counts(0, 0))
    _cost: float | None = 0.0
    _first: tuple[int, int | None] | None = None
    _flying: dict[int, float] = field(default_factory=dict[int, float])

    def usage(self) -> Usage:
        """Return what was counted until now."""
        counts = self._counts
        return Usage(
            requests=self._asked,
            prompt_tokens=counts.prompt if counts else None,
            completion_tokens=counts.completion if counts else None,
            cached_tokens=counts.cached if counts else None,
            cost_usd=None if self._cost is None else round(self._cost, 8),
            first_prompt_tokens=self._first[1] if self._first else None,
        )

    @property
    def waiting(self) -> bool:
        """Whether a request is not being answered.

        An agent spends most of its time waiting for its model, so a request that is under way says
        nothing by itself: it is one that has been quiet for long, or the first of all.
        """
        now = time.monotonic()
        quiet = (now - since > QUIET for since in self._flying.values())
        return bool(self._flying) and (not self._answered or any(quiet))

    def fault(self, text: str) -> None:
        """Keep what the endpoint did wrong."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(text)

    def refuse(self, text: str) -> None:
        """Keep what was refused."""
        if len(self.refused) < MAX_FAULTS:
            self.refused.append(text)

    def sent(self, number: int) -> None:
        """Count a request for an answer."""
        self._asked += 1
        self._flying[number] = time.monotonic()

    def heard(self, number: int) -> None:
        """Note that more of an answer came."""
        if number in self._flying:
            self._flying[number] = time.monotonic()

    def landed(self, number: int) -> None:
        """Note that a request is over, however."""
        self._flying.pop(number, None)

    def answered(
        self, number: int, counts: Counts | None, cost: float | None, *, offers_tools: bool
    ) -> None:
        """Count an answer; an answer without a count makes the sums unknown."""
        self._answered += 1
        if counts and self._counts:
            pairs = zip(self._counts, counts, strict=True)
            self._counts = Counts(*(before + more for before, more in pairs))
        else:
            self._counts = None
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        if offers_tools and (self._first is None or number < self._first[0]):
            self._first = (number, counts.prompt if counts else None)
