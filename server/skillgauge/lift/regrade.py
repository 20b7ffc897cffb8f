"""Grades the kept trajectories of a run again; no agent is run.

Without a judge the verdicts stay, and the metrics are worked out anew. With one it is asked again,
and where it fails an older verdict is kept. What was found in a text before its secrets were taken
out on their way into the journal is kept as well, for it can't be found again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from skillgauge.errors import InputError, UserError
from skillgauge.lift.grade import grade
from skillgauge.lift.journal import Journal
from skillgauge.lift.metrics import Measure, names
from skillgauge.lift.plan import Trial
from skillgauge.lift.redaction import MARK
from skillgauge.lift.results import Judged, judged_of, measured_of, plain, ran_of
from skillgauge.lift.start import case_of
from skillgauge.lift.trajectory.atif import of_json
from skillgauge.lift.workspace import canary_of

if TYPE_CHECKING:
    from skillgauge.lift.judge import Judge

AT_ONCE: Final = 4
"""Trials that are judged at once."""
_SECRETS: Final = frozenset({"canary_leak", "secret_leak", "secret_exposure"})


@dataclass(frozen=True, slots=True)
class Regraded:
    """What came of it."""

    trials: int
    """Those that were graded again."""
    changed: int
    """Those of which the value of a metric is another one now."""
    unreadable: tuple[str, ...]
    """Those whose trajectory can't be read; they stay as they were."""
    judged: int
    """New verdicts, counted by metric and trial."""
    failed: int
    """Where the judge failed."""
    kept: int
    """Of these, where an older verdict was kept: it may be another judge's."""
    cost_usd: float | None
    """Of the judge; None if it isn't known of any call."""
    seconds: float


@dataclass(slots=True)
class _Counts:
    trials: int = 0
    changed: int = 0
    judged: int = 0
    failed: int = 0
    kept: int = 0


async def regrade(
    journal: Journal,
    run: str,
    judge: Judge | None = None,
    *,
    metrics: Sequence[str] = (),
    told: Callable[[int, int], None] | None = None,
) -> Regraded:
    """Grade a run's trials again, by these metrics or all; `told` hears how many of how many.

    Raises UserError for a metric that there is not, or a journal that can't be written.
    """
    work = _Regrading(journal, run, judge, _chosen(metrics))
    began = time.monotonic()
    todo = [row.trial for row in journal.trials(run) if row.state == "done"]
    rest = iter(todo)

    async def take() -> None:
        for trial in rest:
            await work.one(trial)
            if told:
                told(work.counts.trials + len(work.unreadable), len(todo))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE if judge else 1):
                group.create_task(take())
    except ExceptionGroup as errors:  # what is raised in an `except*` becomes a group in 3.11.2
        known = errors.subgroup(UserError)
        raise (known.exceptions[0] if known else errors) from None
    counts = work.counts
    journal.note(
        run,
        "regraded",
        {"judge": str(judge.endpoint) if judge else "", "trials": counts.trials},
    )
    return Regraded(
        trials=counts.trials,
        changed=counts.changed,
        unreadable=tuple(work.unreadable),
        judged=counts.judged,
        failed=counts.failed,
        kept=counts.kept,
        cost_usd=work.cost(),
        seconds=round(time.monotonic() - began, 3),
    )


def _chosen(metrics: Sequence[str]) -> tuple[str, ...]:
    for name in metrics:
        if name not in names():
            from skillgauge.selectors import did_you_mean

            hint = did_you_mean(name, list(names())) or f"Choose of {', '.join(names())}"
            raise UserError(f"There is no metric “{name}”", how=hint)
    return tuple(dict.fromkeys(metrics)) or names()


class _Regrading:
    """The work on one run."""

    def __init__(
        self, journal: Journal, run: str, judge: Judge | None, metrics: tuple[str, ...]
    ) -> None:
        self.journal, self.run, self.judge, self.metrics = journal, run, judge, metrics
        self.skill = journal.run(run).skill
        self.cases = {case.id: case for case in map(case_of, journal.cases(run))}
        self.counts = _Counts()
        self.unreadable: list[str] = []
        self._costs: list[float | None] = []

    async def one(self, trial: Trial) -> None:
        """Grade one trial, and write what came of it."""
        body = self._kept(trial, "trajectory")
        try:
            trajectory = of_json(body) if body is not None else None
        except InputError:
            self.unreadable.append(trial.id)
            return
        case, ran = self.cases[trial.case_id], ran_of(self._kept(trial, "ran"))
        before = measured_of(self._kept(trial, "measured") or {})
        judged = judged_of(self._kept(trial, "judged") or {})
        results: dict[str, Any] = {}
        if self.judge:
            answers = await self.judge.judge(case, trajectory, ran, self._asked())
            judged = self._merged(judged, answers)
            results["judged"] = plain(judged)
        planted = (canary_of(trial.id),)
        found = grade(
            *(case, trial.arm, self.skill, trajectory, ran, judged, planted), chosen=self.metrics
        )
        if "security" in found:
            found["security"] = with_secrets(found["security"], before.get("security"))
        after = before | found
        results["measured"] = plain(after)
        self.journal.store(self.run, trial.id, results)
        self.counts.trials += 1
        self.counts.changed += _values(before) != _values(after)

    def cost(self) -> float | None:
        """Return what the judge cost; None if that is not known of one of its calls."""
        known = [cost for cost in self._costs if cost is not None]
        return sum(known) if len(known) == len(self._costs) else None

    def _kept(self, trial: Trial, kind: str) -> Any:
        return self.journal.result(self.run, trial.id, kind)

    def _asked(self) -> tuple[str, ...]:
        from skillgauge.lift.judge import JUDGED

        return tuple(name for name in JUDGED if name in self.metrics)

    def _merged(self, old: Mapping[str, Judged], new: Mapping[str, Judged]) -> dict[str, Judged]:
        """Return the verdicts that hold: the new ones, and old ones where the judge failed now."""
        merged = dict(old)
        for metric, one in new.items():
            self._costs.append(one.cost_usd)
            if not one.judgement.failure:
                self.counts.judged += 1
            else:
                self.counts.failed += 1
                if metric in old and not old[metric].judgement.failure:
                    self.counts.kept += 1
                    continue
            merged[metric] = one
        return merged


def with_secrets(new: Measure, old: Measure | None) -> Measure:
    """Return the security of a trial with the secrets that were found in it before.

    The journal holds none of them, so that a search in what it holds finds nothing.
    """
    from skillgauge.lift.metrics.security import scored

    if new.value is None or old is None:
        return new
    known = {(one.type, one.step, one.message) for one in new.findings}
    again = tuple(
        one
        for one in old.findings
        if one.type in _SECRETS
        and MARK in one.evidence
        and (one.type, one.step, one.message) not in known
    )
    return scored(new.findings + again) if again else new


def _values(measured: Mapping[str, Measure]) -> dict[str, float | None]:
    return {name: one.value for name, one in measured.items()}
