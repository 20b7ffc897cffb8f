"""Skill efficiency: whether the right skill was gone to at once and no call was wasted.

The mean of two components:

- *routing*: 1 if no other skill was loaded than those that the case allows, 0.75 if only an
  acceptable other one was, 0 if any further or none was;
- *calls*: the share of calls that were productive. Wasted are those which only ask for help, look
  for a program, or install something; planning and loading skills count neither way.

Reading, writing, editing and running are productive, and so is any tool that is not known, as of an
MCP server. (SkillEvaluator counts the last, and in some versions writing, as wasted.) Where the
skill should stay out, and without it, there is nothing to measure.
"""

from __future__ import annotations

from typing import Final

from skillgauge.lift.metrics import Measure, Part, Subject, mean_of
from skillgauge.lift.metrics._probes import is_probe
from skillgauge.lift.metrics._trace import Trace

PARTIAL: Final = 0.75


def measure(subject: Subject) -> Measure:
    """Return how directly the skill was used."""
    trace = subject.trace
    if trace is None:
        return Measure(None, "there is no trajectory")
    if subject.arm != "with-skill":
        return Measure(None, "the arm has no skill to go to")
    if subject.case.negative:
        return Measure(None, "the skill should stay out")
    return mean_of([_routing(trace, subject), _calls(trace)])


def _routing(trace: Trace, subject: Subject) -> Part:
    wanted = {subject.case.expected_skill or subject.skill} | subject.supporting
    others = set(subject.case.acceptable_skills)
    used = {name for call in trace.calls for name, _ in call.skills()}
    strays = sorted(used - wanted - others)
    if strays:
        return Part("routing", 0.0, f"other skills were loaded: {', '.join(strays)}")
    if used & wanted - subject.supporting:
        return Part("routing", 1.0)
    if used & others:
        return Part("routing", PARTIAL, "an acceptable other skill was used")
    return Part("routing", 0.0, "the skill was not loaded")


def _calls(trace: Trace) -> Part:
    counted = [call for call in trace.calls if call.kind not in ("plan", "skill")]
    if not counted:
        return Part("calls", None, "there was no call to judge")
    wasted = sum(is_probe(call) for call in counted)
    return Part("calls", 1 - wasted / len(counted), f"{wasted} of {len(counted)} were wasted")
