"""Passed or not: pass@k, pass^k, the paired table with McNemar's test, and what a success costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skillgauge.lift.distributions import fair_tail
from skillgauge.lift.statistics import Estimate, Share, paired_estimate, wilson

THRESHOLD: Final = 0.5
"""From that score on, an attempt has passed."""
MIN_PAIRS: Final = 3
"""Fewer pairs of first turns say nothing of the context that a skill takes."""


def pass_at_k(attempts: int, passed: int, k: int) -> float:
    """Return the chance that of k attempts, drawn from those made, any passed.

    Source: Chen et al., “Evaluating Large Language Models Trained on Code” (2021), eq. 1:
    1 - C(n-c, k) / C(n, k). With k = n it is 1 if any attempt passed, else 0.
    """
    _check(attempts, passed, k)
    return 1 - math.comb(attempts - passed, k) / math.comb(attempts, k)


def pass_hat_k(attempts: int, passed: int, k: int) -> float:
    """Return the chance that of k attempts, drawn from those made, all passed.

    Source: Yao et al., “τ-bench” (2024): C(c, k) / C(n, k).
    """
    _check(attempts, passed, k)
    return math.comb(passed, k) / math.comb(attempts, k)


def _check(attempts: int, passed: int, k: int) -> None:
    if not (0 <= passed <= attempts and 1 <= k <= attempts):
        raise ValueError(f"{k} of {attempts} attempts with {passed} passed")


@dataclass(frozen=True, slots=True)
class PassRates:
    """How many cases any attempt solved, and how many every attempt did, with Wilson intervals."""

    attempts: int
    """The k: the least number of attempts that a case has; 0 without cases."""
    any: Share
    every: Share
    at_k: Mapping[int, float]
    """pass@1 to pass@k, means over the cases."""
    hat_k: Mapping[int, float]


def pass_rates(scores: Mapping[str, Sequence[float]], threshold: float = THRESHOLD) -> PassRates:
    """Return the rates of one arm from the scores of each case's attempts."""
    tables = [(len(made), _passed(made, threshold)) for made in scores.values() if made]
    least = min((made for made, _ in tables), default=0)
    ks, cases = range(1, least + 1), len(tables)
    return PassRates(
        least,
        wilson(sum(passed > 0 for _, passed in tables), cases),
        wilson(sum(passed == made for made, passed in tables), cases),
        {k: math.fsum(pass_at_k(*table, k) for table in tables) / cases for k in ks},
        {k: math.fsum(pass_hat_k(*table, k) for table in tables) / cases for k in ks},
    )


def _passed(scores: Sequence[float], threshold: float) -> int:
    return sum(score >= threshold for score in scores)


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Cases by the arms that solved them; `p` is of the exact two-sided McNemar test."""

    both: int
    skill_only: int
    baseline_only: int
    neither: int

    @property
    def p(self) -> float:
        """The chance of so uneven discordant pairs if the skill made no difference."""
        return mcnemar(self.skill_only, self.baseline_only)


def paired_outcomes(
    treated: Mapping[str, Sequence[float]],
    control: Mapping[str, Sequence[float]],
    threshold: float = THRESHOLD,
) -> PairedOutcomes:
    """Return the table of the cases that both arms attempted; any attempt that passed solves one.

    An arm with more attempts at a case would have more chances: the surplus is left out.
    """
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for case in treated.keys() & control.keys():
        same = min(len(treated[case]), len(control[case]))
        if same:
            skill, baseline = treated[case][:same], control[case][:same]
            counts[_passed(skill, threshold) > 0, _passed(baseline, threshold) > 0] += 1
    return PairedOutcomes(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the two-sided p of McNemar's exact test on the discordant pairs; 1 without any.

    Source: Q. McNemar (1947), as the binomial test of a fair coin: 2·P(X ≤ min(b, c)), at most 1.
    """
    if min(first_only, second_only) < 0:
        raise ValueError("a count is negative")
    tail = fair_tail(first_only + second_only, min(first_only, second_only))
    return min(1.0, 2 * tail)


def per_success(amounts: Sequence[float | None], scores: Sequence[float]) -> float | None:
    """Return what a success costs: all that was spent, on failures too, by the passed attempts.

    None where an attempt has no count, for then the sum is not known, and without a success.
    """
    if len(amounts) != len(scores):
        raise ValueError("each attempt has an amount and a score")
    known = [amount for amount in amounts if amount is not None]
    passed = _passed(scores, THRESHOLD)
    if len(known) < len(amounts) or not passed:
        return None
    return math.fsum(known) / passed


def context_cost(
    treated: Mapping[str, Sequence[float]], control: Mapping[str, Sequence[float]]
) -> Estimate | None:
    """Return how many tokens the skill adds to each request: first-turn prompts, paired by case.

    Source: the measured context cost of SkillEvaluator: the mean paired difference of the prompt
    tokens of the first model call. None below MIN_PAIRS pairs. Its precision goes by the number of
    cases alone, for a width in tokens is none in scores.
    """
    first = {case: math.fsum(tokens) / len(tokens) for case, tokens in treated.items() if tokens}
    second = {case: math.fsum(tokens) / len(tokens) for case, tokens in control.items() if tokens}
    if len(first.keys() & second.keys()) < MIN_PAIRS:
        return None
    return paired_estimate(first, second, wide=math.inf)
