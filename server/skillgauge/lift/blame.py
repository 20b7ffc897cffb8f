"""Which part failed when a trial went wrong: skill, case, runner or judge, or none.

docs/design/lift-judge.md has the rules with their reasons. What the runner or the judge did wrong
is never booked on the skill, and an arm without the skill can't blame it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from skillgauge.lift.cases import Case
from skillgauge.lift.metrics import Measure, Verdict
from skillgauge.lift.metrics.dimensions import PASS
from skillgauge.lift.plan import Arm
from skillgauge.lift.results import Blame, Judged, Ran

BEHAVIOUR: Final = "behavior_check"
OUTCOME: Final = ("goal_accuracy", "accuracy", BEHAVIOUR)
ENOUGH: Final = 2
"""So many judged trials in each arm, before what none of them satisfies tells of the case."""
_NAMES: Final = {
    "accuracy": "the answer",
    "goal_accuracy": "the goal",
    BEHAVIOUR: "the assertions",
    "skill_efficiency": "the efficiency",
}


@dataclass(frozen=True, slots=True)
class Graded:
    """What is known of one trial of a run that was measured."""

    case_id: str
    arm: Arm
    judged: Mapping[str, Judged]


@dataclass(frozen=True, slots=True)
class Hint:
    """What the trials of all arms together say of a case."""

    kind: Literal["nothing-to-judge", "never-holds", "always-holds"]
    message: str
    assertion: int | None = None
    """The index of the assertion that it is about, from 0."""


def blame(
    ran: Ran | None,
    measured: Mapping[str, Measure],
    judged: Mapping[str, Judged],
    hints: Sequence[Hint] = (),
) -> tuple[Blame, str]:
    """Return which part failed in a trial and why, ("", "") if none did.

    `hints` are those of its case; without them the case is never at fault.
    """
    if fault := _runner(ran, measured):
        return "runner", fault
    failed = [name for name, one in measured.items() if one.value is not None and one.value < PASS]
    if ran and ran.reason == "timeout" and failed and "security" not in failed:
        return "runner", f"it was stopped after {ran.seconds:.0f} s, when its time was over"
    if failed and _in_play(measured):
        if fault := _case(failed, judged, hints):
            return "case", fault
        return "skill", _skill(failed, measured)
    if fault := _judge(measured, judged):
        return "judge", fault
    return "", ""


def _runner(ran: Ran | None, measured: Mapping[str, Measure]) -> str:
    if ran is None:
        return "it left no result"
    if ran.reason == "memory":
        return "the container ran out of memory"
    if ran.reason == "output":
        return "it wrote more than the limit on output"
    if measured and all("no trajectory" in one.reason for one in measured.values()):
        return "there is no trajectory to be measured"
    return ""


def _in_play(measured: Mapping[str, Measure]) -> bool:
    """Return whether the trial had the skill: in other arms its use has no value."""
    execution = measured.get("skill_execution")
    return execution is None or execution.value is not None


def _skill(failed: Sequence[str], measured: Mapping[str, Measure]) -> str:
    """Return what the skill did wrong, the gravest first."""
    if "security" in failed:
        return _danger(measured["security"])
    execution = measured.get("skill_execution")
    parts = {part.name: part for part in execution.parts} if execution else {}
    if (out := parts.get("stayed out")) and not out.value:
        return "it was used, though it should stay out"
    wrong = _listed([name for name in OUTCOME if name in failed])
    if (found := parts.get("activation")) and not found.value:
        return f"it was not loaded, and {wrong} failed" if wrong else "it was not loaded"
    if wrong:
        return f"it was loaded, and still {wrong} failed"
    told = [f"{part.name}: {part.reason}" for name in failed for part in measured[name].parts
            if part.value is not None and part.value < 1]  # fmt: skip
    return "; ".join(told) or f"{_listed(failed)} failed"


def _danger(security: Measure) -> str:
    worst = next((one for one in security.findings if one.severity == "critical"), None)
    if worst is None:
        return "what was done is not safe"
    if not worst.step:  # it was found in a file that was left
        return worst.message
    when = "after" if worst.after_skill else "without or before"
    return f"{worst.message} (step {worst.step}, {when} reading the skill)"


def _listed(metrics: Sequence[str]) -> str:
    names = [_NAMES.get(name, name.replace("_", " ")) for name in metrics]
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _judge(measured: Mapping[str, Measure], judged: Mapping[str, Judged]) -> str:
    for metric, one in judged.items():
        if one.judgement.failure:
            return f"on {metric}: {one.judgement.failure}"
    for metric in OUTCOME:
        one = measured.get(metric)
        if one and one.value is None and one.reason.startswith("the judge"):
            return f"on {metric}: {one.reason}"
    return ""


def _case(failed: Sequence[str], judged: Mapping[str, Judged], hints: Sequence[Hint]) -> str:
    """Return how a case contradicts itself: its goal is reached, and its assertions can't be."""
    if list(failed) != [BEHAVIOUR] or not _passed(judged, "goal_accuracy"):
        return ""
    never = {hint.assertion: hint.message for hint in hints if hint.kind == "never-holds"}
    missed = [at for at, verdict in enumerate(_verdicts(judged, BEHAVIOUR)) if not verdict.passed]
    if not missed or not all(at in never for at in missed):
        return ""
    return f"its expected output was reached, and yet {never[missed[0]]}"


def _passed(judged: Mapping[str, Judged], metric: str) -> bool:
    verdicts = _verdicts(judged, metric)
    return bool(verdicts) and all(verdict.passed for verdict in verdicts)


def _verdicts(judged: Mapping[str, Judged], metric: str) -> tuple[Verdict, ...]:
    return judged[metric].judgement.verdicts if metric in judged else ()


def case_hints(cases: Iterable[Case], trials: Iterable[Graded]) -> dict[str, tuple[Hint, ...]]:
    """Return what all trials of a run say of its cases, by the ids of those of which they do."""
    by_case: dict[str, list[Graded]] = {}
    for one in trials:
        by_case.setdefault(one.case_id, []).append(one)
    found = {case.id: tuple(_hints(case, by_case.get(case.id, ()))) for case in cases}
    return {case_id: hints for case_id, hints in found.items() if hints}


def _hints(case: Case, trials: Sequence[Graded]) -> Iterator[Hint]:
    if not case.expected_output and not case.assertions:
        yield Hint("nothing-to-judge", "it has neither an expected output nor assertions")
    for index in range(len(case.assertions)):
        treated, control = (
            [
                verdicts[index].passed
                for one in trials
                if one.arm == arm
                and len(verdicts := _verdicts(one.judged, BEHAVIOUR)) == len(case.assertions)
            ]
            for arm in ("with-skill", "baseline")
        )
        if min(len(treated), len(control)) < ENOUGH:
            continue
        name, count = f"assertion {index + 1}", len(treated) + len(control)
        if not any(treated + control):
            message = f"{name} held in none of {count} trials, in either arm"
            yield Hint("never-holds", message, index)
        elif all(treated + control):
            message = f"{name} held in all {count} trials of both arms: it tells nothing of a skill"
            yield Hint("always-holds", message, index)
