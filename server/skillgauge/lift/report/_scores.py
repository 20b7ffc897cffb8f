"""From the trials of a run to its figures: scores of attempts, pass rates, what a success costs.

An attempt is scored over the dimensions that both arms of its case have on its harness, as the lift
is. Else the arm with the skill would be held to more than the other, or would gain by finding it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from skillgauge.lift.metrics.dimensions import OUTCOME, PASS
from skillgauge.lift.pairing import CONTROL, TREATED, Pair, Scored, Values, case_differences, pairs
from skillgauge.lift.passing import (
    PassRates,
    context_cost,
    paired_outcomes,
    pass_rates,
    per_success,
)
from skillgauge.lift.plan import Arm, Cell
from skillgauge.lift.report._model import ArmFigures, Attempt, CaseResult, Level, Missing, Scope
from skillgauge.lift.statistics import Estimate, estimate

FOUND: Final = frozenset({"discoverability", "efficiency"})
"""Dimensions that only an arm with the skill can have."""

Units = dict[str, list[float]]
Firsts = dict[str, list[float]]


def score(dimensions: Values, shared: Iterable[str] | None) -> float | None:
    """Return the mean of the shared dimensions; without a pair, of those that any arm can have."""
    names = [name for name in dimensions if name not in FOUND] if shared is None else shared
    known = [value for name in names if (value := dimensions.get(name)) is not None]
    return math.fsum(known) / len(known) if known else None


def passed(value: float | None) -> bool | None:
    """Return whether a score is one of a success."""
    return None if value is None else value >= PASS


def scope(
    cases: Sequence[CaseResult], arms: Sequence[Arm], cell: Cell | None, lift: Estimate | None
) -> Scope:
    """Return the figures of the cases on one harness, or of all."""
    chosen = [one for one in cases if cell is None or one.cell == cell]
    single = len({one.cell for one in chosen}) <= 1
    units = {arm: _units(chosen, arm) for arm in arms}
    outcomes = paired_outcomes(units.get(TREATED, {}), units.get(CONTROL, {}))
    treated, control = (
        _by_case((one.case.id, value) for one, value in column if value is not None)
        for column in (
            [(one, one.treated) for one in chosen if one.lift is not None],
            [(one, one.control) for one in chosen if one.lift is not None],
        )
    )
    told = single and outcomes.skill_only + outcomes.baseline_only > 0
    return Scope(
        cell=cell,
        lift=lift,
        treated=treated,
        control=control,
        arms={arm: _figures(chosen, arm, units[arm], single=single) for arm in arms},
        outcomes=outcomes,
        p=outcomes.p if told else None,
        context=context_cost(*_first_prompts(chosen)),
    )


def _units(cases: Iterable[CaseResult], arm: Arm) -> Units:
    """Return the scores of each case on each harness."""
    made = {one.key: [a.score for a in one.of(arm) if a.score is not None] for one in cases}
    return {key: scores for key, scores in made.items() if scores}


def _figures(cases: Sequence[CaseResult], arm: Arm, units: Units, *, single: bool) -> ArmFigures:
    rates = pass_rates(units)
    done = [one for case in cases for one in case.of(arm) if one.state == "done" and one.ran]
    scored = [one for one in done if one.score is not None]
    scores = [one.score or 0.0 for one in scored]
    return ArmFigures(
        arm=arm,
        trials=len(done),
        rates=rates if single else _bare(rates),
        tokens=_mean([one.tokens for one in done]),
        cost_usd=_mean([_cost(one) for one in done]),
        seconds=_mean([one.ran.seconds if one.ran else None for one in done]),
        tokens_per_success=per_success([one.tokens for one in scored], scores),
        cost_per_success=per_success([_cost(one) for one in scored], scores),
    )


def _bare(rates: PassRates) -> PassRates:
    """Return rates without intervals."""
    any_, every = (replace(share, low=None, high=None) for share in (rates.any, rates.every))
    return replace(rates, any=any_, every=every)


def _cost(one: Attempt) -> float | None:
    return one.ran.usage.cost_usd if one.ran else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def _first_prompts(cases: Iterable[CaseResult]) -> tuple[Firsts, Firsts]:
    """Return each arm's first prompts by case, for the harnesses on which both arms have them.

    Harnesses differ by thousands of tokens: one that only one arm has would be taken for the skill.
    """
    treated: Firsts = {}
    control: Firsts = {}
    for case in cases:
        first, second = (_first(case.of(arm)) for arm in (TREATED, CONTROL))
        if first is not None and second is not None:
            treated.setdefault(case.case.id, []).append(first)
            control.setdefault(case.case.id, []).append(second)
    return treated, control


def _first(attempts: Iterable[Attempt]) -> float | None:
    known = [
        one.ran.usage.first_prompt_tokens
        for one in attempts
        if one.state == "done" and one.ran and one.ran.usage.first_prompt_tokens is not None
    ]
    return math.fsum(known) / len(known) if known else None


def level(name: str, trials: Sequence[Scored], view: Callable[[Values], float | None]) -> Level:
    """Return one value that is made of a trial's metrics, in both arms."""

    def only(metrics: Values) -> Values:
        return {name: view(metrics)}

    found = pairs(trials, only)
    difference = estimate(list(case_differences(found).values()))
    estimates = {name: difference} if difference else {}
    return levels([name], estimates, found, trials, only, {})[0]


def outcome(metrics: Values) -> float | None:
    """Return the mean of the metrics of the outcome that have a value."""
    known = [value for name in OUTCOME if (value := metrics.get(name)) is not None]
    return math.fsum(known) / len(known) if known else None


def levels(
    names: Iterable[str],
    estimates: Mapping[str, Estimate],
    found: Sequence[Pair],
    trials: Sequence[Scored],
    view: Callable[[Values], Values],
    missing: Mapping[str, Sequence[Missing]],
) -> tuple[Level, ...]:
    """Return each metric's means; of the paired cases, or of one arm where only that has any."""
    made: list[Level] = []
    for name in names:
        rows = [(pair.case_id, pair.treated[name], pair.control[name])
                for pair in found if name in pair.treated]  # fmt: skip
        if rows:
            treated = _by_case((case, value) for case, value, _ in rows)
            control = _by_case((case, value) for case, _, value in rows)
        else:
            treated, control = (_alone(trials, arm, name, view) for arm in (TREATED, CONTROL))
        told = tuple(missing.get(name, ()))
        made.append(Level(name, treated, control, estimates.get(name), told))
    return tuple(made)


def _alone(
    trials: Iterable[Scored], arm: Arm, name: str, view: Callable[[Values], Values]
) -> float | None:
    rows = ((one.case_id, view(one.metrics).get(name)) for one in trials if one.arm == arm)
    return _by_case((case, value) for case, value in rows if value is not None)


def _by_case(rows: Iterable[tuple[str, float]]) -> float | None:
    """Return the mean over cases of the means within each."""
    made: dict[str, list[float]] = {}
    for case, value in rows:
        made.setdefault(case, []).append(value)
    means = [math.fsum(values) / len(values) for values in made.values()]
    return math.fsum(means) / len(means) if means else None


def reasons(cases: Iterable[CaseResult]) -> dict[str, list[Missing]]:
    """Return why metrics have no value, the most frequent reason first."""
    counts: dict[str, Counter[tuple[Arm, str]]] = {}
    for one in (attempt for case in cases for attempt in case.attempts):
        for name, measure in one.measures.items():
            if measure.value is None:
                counts.setdefault(name, Counter())[one.trial.arm, measure.reason] += 1
    return {
        name: [Missing(*key, count) for key, count in found.most_common()]
        for name, found in counts.items()
    }
