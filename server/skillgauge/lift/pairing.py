"""From the scores of trials to the lift: attempts to cases, cases to pairs, pairs to estimates.

Within an arm the attempts at a case are averaged. A case is scored by the dimensions that both arms
have for it, so that finding the skill, which the baseline can't, is no lift by itself. A case that
ran on several harnesses counts once, with the mean over them: resampling it whole keeps together
what depends on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skillgauge.lift.metrics.dimensions import OUTCOME, dimension_scores
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.statistics import Estimate, Signs, estimate, signs

Values = Mapping[str, float | None]
View = Callable[[Values], Values]
"""What makes the values to compare of a trial's metrics."""
TREATED: Arm = "with-skill"
CONTROL: Arm = "baseline"


@dataclass(frozen=True, slots=True)
class Scored:
    """The metrics of one trial that ended; None for what could not be measured."""

    case_id: str
    arm: Arm
    cell: Cell
    metrics: Values


@dataclass(frozen=True, slots=True)
class Pair:
    """A case on one harness: each arm's means of the attempts, for what both arms have."""

    case_id: str
    cell: Cell
    treated: Mapping[str, float]
    control: Mapping[str, float]

    def difference(self, names: Sequence[str] | None = None) -> float | None:
        """Return the mean difference of some values, or of all; None if the pair lacks them."""
        chosen = [name for name in names or self.treated if name in self.treated]
        if not chosen:
            return None
        return sum(self.treated[name] - self.control[name] for name in chosen) / len(chosen)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run says of a skill."""

    lift: Estimate | None
    """The headline: over the dimensions that both arms of a case have."""
    outcome: Estimate | None
    """Over accuracy and goal accuracy alone."""
    dimensions: Mapping[str, Estimate]
    metrics: Mapping[str, Estimate]
    cells: Mapping[Cell, Estimate]
    """The headline for each harness and model."""
    signs: Signs
    by_case: Mapping[str, float]
    treated: float | None
    """The mean score of the paired cases with the skill, and without it."""
    control: float | None
    unpaired: tuple[str, ...] = field(default=())
    """Cases that only one arm has a score for."""


def summarise(trials: Iterable[Scored]) -> Summary:
    """Return the lift with its intervals; None where there is no pair."""
    scored = list(trials)
    by_dimension = pairs(scored, dimension_scores)
    by_metric = pairs(scored, lambda metrics: metrics)
    by_case = case_differences(by_dimension)
    cells = sorted({pair.cell for pair in by_dimension}, key=str)
    within = {c: [pair for pair in by_dimension if pair.cell == c] for c in cells}
    per_cell = {cell: _estimate(case_differences(found)) for cell, found in within.items()}
    treated, control = _levels(by_dimension)
    return Summary(
        lift=_estimate(by_case),
        outcome=_estimate(case_differences(by_metric, OUTCOME)),
        dimensions=_each(by_dimension),
        metrics=_each(by_metric),
        cells={cell: found for cell, found in per_cell.items() if found},
        signs=signs(list(by_case.values())),
        by_case=by_case,
        treated=treated,
        control=control,
        unpaired=tuple(sorted({trial.case_id for trial in scored} - by_case.keys())),
    )


def pairs(trials: Sequence[Scored], view: View) -> list[Pair]:
    """Return the cases that both arms have a value of, on the same harness and model."""
    made: dict[tuple[str, Cell], dict[Arm, list[Values]]] = {}
    for trial in trials:
        arms = made.setdefault((trial.case_id, trial.cell), {})
        arms.setdefault(trial.arm, []).append(view(trial.metrics))
    found: list[Pair] = []
    for (case_id, cell), arms in sorted(made.items(), key=lambda item: str(item[0])):
        treated, control = (_means(arms.get(arm, ())) for arm in (TREATED, CONTROL))
        shared = sorted(treated.keys() & control.keys())
        if shared:
            found.append(
                Pair(
                    case_id,
                    cell,
                    {name: treated[name] for name in shared},
                    {name: control[name] for name in shared},
                )
            )
    return found


def case_differences(found: Sequence[Pair], names: Sequence[str] | None = None) -> dict[str, float]:
    """Return each case's difference, the mean over its harnesses, sorted by case."""
    made: dict[str, list[float]] = {}
    for pair in found:
        difference = pair.difference(names)
        if difference is not None:
            made.setdefault(pair.case_id, []).append(difference)
    return {case_id: sum(values) / len(values) for case_id, values in sorted(made.items())}


def _means(attempts: Iterable[Values]) -> dict[str, float]:
    made: dict[str, list[float]] = {}
    for values in attempts:
        for name, value in values.items():
            if value is not None:
                made.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in made.items()}


def _each(found: Sequence[Pair]) -> dict[str, Estimate]:
    names = sorted({name for pair in found for name in pair.treated})
    made = {name: _estimate(case_differences(found, [name])) for name in names}
    return {name: one for name, one in made.items() if one}


def _estimate(differences: Mapping[str, float]) -> Estimate | None:
    return estimate(list(differences.values()))


def _levels(found: Sequence[Pair]) -> tuple[float | None, float | None]:
    made: dict[str, list[tuple[float, float]]] = {}
    for pair in found:
        arms = (pair.treated, pair.control)
        with_skill, without = (sum(arm.values()) / len(arm) for arm in arms)
        made.setdefault(pair.case_id, []).append((with_skill, without))
    if not made:
        return None, None
    cases = [[sum(column) / len(rows) for column in zip(*rows, strict=True)]
             for rows in made.values()]  # fmt: skip
    first, second = (sum(column) / len(cases) for column in zip(*cases, strict=True))
    return first, second
