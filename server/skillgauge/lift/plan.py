"""What a run will do: case × arm × harness × model × attempt, in an order fixed by a seed.

Trials come in blocks: the arms of one case on one harness, one behind the other. All blocks of the
first attempt come before those of the second, and within an attempt their order is drawn, as is the
order of the arms in a block. So a run that ends early, by a budget or a fault, has whole pairs
spread over all cases, and what changes over time at an endpoint meets both arms alike.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.errors import UserError
from skillgauge.lift.cases import Case

Arm = Literal["with-skill", "baseline", "placebo"]
ARMS: Final[tuple[Arm, ...]] = ("with-skill", "baseline")
MAX_TRIALS: Final = 2_000
"""The bound of a run that names none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A harness with a model; an empty model is the harness's own default."""

    harness: str
    model: str = ""

    def __str__(self) -> str:
        return f"{self.harness} ({self.model})" if self.model else self.harness


@dataclass(frozen=True, slots=True)
class Trial:
    """One agent that works on one case in one arm; `position` is its place in the order, from 0."""

    id: str
    position: int
    case_id: str
    arm: Arm
    cell: Cell
    attempt: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a plan."""

    cells: tuple[Cell, ...]
    attempts: int = 1
    arms: tuple[Arm, ...] = ARMS
    seed: int = 0
    max_trials: int = MAX_TRIALS
    only: tuple[str, ...] = ()
    """Ids of the cases to run; all if empty."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials in their order."""

    trials: tuple[Trial, ...]
    cases: tuple[Case, ...]
    request: Request
    left_out: int = 0
    """Trials that there would be without `max_trials`."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one trial took, as measured before."""

    cost_usd: float | None
    tokens: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a plan will take; None where no trial of such a kind has been measured yet."""

    trials: int
    cost_usd: float | None
    tokens: float | None
    seconds: float | None
    """Of one trial after another; divide by the number that run at once."""


def make_plan(cases: Sequence[Case], request: Request) -> Plan:
    """Return the trials; UserError for what can't be planned, before anything is started."""
    chosen = _chosen(cases, request)
    _check(chosen, request)
    dice = random.Random(request.seed)
    blocks = [block for attempt in range(request.attempts) for block in _blocks(
        chosen, request, attempt + 1, dice)]  # fmt: skip
    size = len(request.arms)
    room = request.max_trials // size
    if not room:
        raise UserError(
            f"A run of {request.max_trials} trials has no place for one case in {size} arms",
            how=f"Allow at least {size} trials",
        )
    planned = [trial for block in blocks[:room] for trial in block]
    trials = tuple(Trial(_id(trial), position, *trial) for position, trial in enumerate(planned))
    return Plan(trials, chosen, request, max(len(blocks) - room, 0) * size)


_Draft = tuple[str, Arm, Cell, int]


def _blocks(
    cases: Sequence[Case], request: Request, attempt: int, dice: random.Random
) -> Iterator[list[_Draft]]:
    """Yield the blocks of one attempt in their drawn order."""
    pairs = [(case.id, cell) for case in cases for cell in request.cells]
    dice.shuffle(pairs)
    for case_id, cell in pairs:
        arms = list(request.arms)
        dice.shuffle(arms)
        yield [(case_id, arm, cell, attempt) for arm in arms]


def _id(trial: _Draft) -> str:
    """Return a name that says nothing else of a trial than what it is, the same in every run."""
    case_id, arm, cell, attempt = trial
    parts = (case_id, arm, cell.harness, cell.model, str(attempt))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _chosen(cases: Sequence[Case], request: Request) -> tuple[Case, ...]:
    known = {case.id: case for case in cases}
    missing = [name for name in request.only if name not in known]
    if missing:
        from skillgauge.selectors import did_you_mean

        hint = did_you_mean(missing[0], list(known)) or f"There are {', '.join(known)}"
        raise UserError(f"There is no case “{missing[0]}”", how=hint)
    return tuple(case for case in cases if not request.only or case.id in request.only)


def _check(cases: Sequence[Case], request: Request) -> None:
    if not cases:
        raise UserError(
            "There is no case to run", how="`skillgauge evals check` says what a file holds"
        )
    doubled = _first_twice([case.id for case in cases])
    if doubled:
        raise UserError(f"The case id “{doubled}” is there twice", how="Give each case its own")
    if not request.cells:
        raise UserError("No harness is named", how="Name one with --harness")
    for values, what in ((request.cells, "harness"), (request.arms, "arm")):
        doubled = _first_twice([str(value) for value in values])
        if doubled:
            raise UserError(f"The {what} “{doubled}” is named twice")
    if request.attempts < 1:
        raise UserError("A run makes at least one attempt at each case")


def _first_twice(names: Sequence[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


def outlook(plan: Plan, history: Mapping[tuple[Cell, Arm], Sequence[Spent]]) -> Outlook:
    """Return what a plan will take, reckoned from the means of trials measured before."""
    totals = [0.0, 0.0, 0.0]
    known = [True, True, True]
    means = {key: _means(spent) for key, spent in history.items()}
    for trial in plan.trials:
        for index, mean in enumerate(means.get((trial.cell, trial.arm), (None, None, None))):
            if mean is None:
                known[index] = False
            else:
                totals[index] += mean
    cost, tokens, seconds = (
        total if is_known else None for total, is_known in zip(totals, known, strict=True)
    )
    return Outlook(len(plan.trials), cost, tokens, seconds)


def _means(spent: Sequence[Spent]) -> tuple[float | None, ...]:
    columns = (
        [one.cost_usd for one in spent],
        [one.tokens for one in spent],
        [one.seconds for one in spent],
    )
    known = [[value for value in column if value is not None] for column in columns]
    return tuple(sum(values) / len(values) if values else None for values in known)
