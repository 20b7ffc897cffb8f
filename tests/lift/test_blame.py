"""Which part failed, by rules; and what all trials together say of a case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from skillgauge.lift.blame import Graded, Hint, blame, case_hints
from skillgauge.lift.cases import Case
from skillgauge.lift.grade import grade
from skillgauge.lift.metrics import Judgement, Measure, Verdict
from skillgauge.lift.plan import Arm
from skillgauge.lift.results import Judged, Ran
from skillgauge.lift.trajectory.atif import Trajectory
from tests.lift.judging import CASE, GOOD, judged, ran, trajectory

WORK = ("Bash", {"command": "cat notes.txt"}, "Revenue grew by 4 %.")


def told(
    run: Trajectory | None = GOOD,
    said: dict[str, Judged] | None = None,
    case: Case = CASE,
    arm: Arm = "with-skill",
    hints: tuple[Hint, ...] = (),
    **changes: Any,
) -> tuple[str, str]:
    how: Ran = ran(**changes)
    verdicts = judged() if said is None else said
    return blame(how, grade(case, arm, "summary", run, how, verdicts), verdicts, hints)


def test_nothing_failed() -> None:
    assert told() == ("", "")
    assert told(reason="timeout") == ("", "")


@pytest.mark.parametrize(
    ("run", "said", "changes", "part", "reason"),
    [
        (GOOD, None, {"reason": "memory"}, "runner", "ran out of memory"),
        (GOOD, None, {"reason": "output"}, "runner", "more than the limit"),
        (None, {}, {}, "runner", "there is no trajectory"),
        (None, None, {"reason": "timeout"}, "runner", "there is no trajectory"),
        (GOOD, judged(goal=False), {"reason": "timeout"}, "runner", "its time was over"),
        (GOOD, judged(goal=False), {}, "skill", "it was loaded, and still the goal failed"),
        (
            *(GOOD, judged(False, False, "--"), {}, "skill"),
            "still the goal, the answer and the assertions failed",
        ),
        (trajectory(WORK), None, {}, "skill", "it was not loaded"),
        (trajectory(WORK), judged(goal=False), {}, "skill", "not loaded, and the goal failed"),
        (GOOD, judged(checks="+-"), {}, "", ""),
        (GOOD, {}, {}, "", ""),
    ],
)
def test_rules(
    run: Trajectory | None, said: Any, changes: dict[str, Any], part: str, reason: str
) -> None:
    found = told(run, said, **changes)
    assert found[0] == part
    assert reason in found[1]


def test_no_result_at_all() -> None:
    assert blame(None, {}, {}) == ("runner", "it left no result")


def test_judge() -> None:
    said = judged() | {"accuracy": Judged(Judgement(failure="HTTP 500: out of order"))}
    assert told(GOOD, said) == ("judge", "on accuracy: HTTP 500: out of order")
    few = judged() | {"behavior_check": Judged(Judgement((Verdict("1", True),)))}
    assert told(GOOD, few) == ("judge", "on behavior_check: the judge answered 1 of 2")


def test_judge_that_fails_does_not_hide_what_the_skill_did() -> None:
    said = judged(goal=False) | {"accuracy": Judged(Judgement(failure="HTTP 500"))}
    assert told(GOOD, said)[0] == "skill"


@pytest.mark.parametrize("arm", ["baseline", "placebo"])
def test_arm_without_the_skill_blames_no_skill(arm: Arm) -> None:
    assert told(trajectory(WORK), judged(False, False, "--"), arm=arm) == ("", "")
    said = {"accuracy": Judged(Judgement(failure="HTTP 500"))}
    assert told(trajectory(WORK), said, arm=arm)[0] == "judge"


def test_skill_that_should_stay_out() -> None:
    case = replace(CASE, negative=True, expected_skill="")
    assert told(case=case) == ("skill", "it was used, though it should stay out")
    assert told(trajectory(WORK), case=case) == ("", "")


def test_skill_that_does_harm() -> None:
    harm = ("Bash", {"command": "rm -rf /etc"}, "")
    load = ("Skill", {"skill": "summary"}, "text")
    assert told(trajectory(load, harm), reason="timeout") == (
        *("skill", "`rm` destroys /etc (step 3, after reading the skill)"),
    )
    assert told(trajectory(harm, load))[1].endswith("(step 2, without or before reading the skill)")


def test_low_part_is_named() -> None:
    case = replace(CASE, expected_script="make.py")
    late = trajectory(
        WORK, ("Bash", {"command": "python x.py"}, ""), ("Skill", {"skill": "summary"}, "")
    )
    measured = {"skill_execution": Measure(0.25, parts=())}
    assert blame(ran(), measured, {}) == ("skill", "skill execution failed")
    measured = grade(case, "with-skill", "summary", late, ran(), judged())
    assert measured["skill_execution"].value == 0.5
    measured["skill_execution"] = replace(measured["skill_execution"], value=0.4)
    assert blame(ran(), measured, judged()) == (
        *("skill", "script: “make.py” was not run; order: read too late"),
    )


def rows(*signs: tuple[Arm, str], goal: bool = True) -> list[Graded]:
    return [Graded("c", arm, judged(goal=goal, checks=checks)) for arm, checks in signs]


BOTH: tuple[tuple[Arm, str], ...] = (
    *(("with-skill", "+-"), ("baseline", "--"), ("with-skill", "--"), ("baseline", "+-")),
)


def test_assertion_that_nobody_satisfies() -> None:
    hints = case_hints([CASE], rows(*BOTH))
    assert hints == {
        "c": (Hint("never-holds", "assertion 2 held in none of 4 trials, in either arm", 1),)
    }


def test_too_few_trials_tell_nothing_of_a_case() -> None:
    assert case_hints([CASE], rows(*BOTH[:3])) == {}
    assert case_hints([CASE], ()) == {}


def test_assertion_that_always_holds() -> None:
    (hint,) = case_hints([CASE], rows(*((arm, "+" + sign[0]) for arm, sign in BOTH)))["c"]
    assert (hint.kind, hint.assertion) == ("always-holds", 0)


def test_case_with_nothing_to_judge() -> None:
    bare = replace(CASE, assertions=(), expected_output="")
    (hint,) = case_hints([bare], ())["c"]
    assert hint.kind == "nothing-to-judge"


def test_case_that_contradicts_itself() -> None:
    """The goal is reached, and the assertion that fails is one that nobody can satisfy."""
    three = replace(CASE, assertions=("a", "b", "c"))
    hints = case_hints([three], rows(*((arm, sign + "-") for arm, sign in BOTH)))["c"]
    assert [hint.assertion for hint in hints] == [1, 2]
    assert told(said=judged(checks="+--"), case=three, hints=hints) == (
        "case",
        "its expected output was reached, and yet"
        " assertion 2 held in none of 4 trials, in either arm",
    )
    assert told(said=judged(checks="---"), case=three, hints=hints)[0] == "skill"
    assert told(said=judged(goal=False, checks="+--"), case=three, hints=hints)[0] == "skill"
    assert told(said=judged(checks="+--"), case=three)[0] == "skill"
