"""Skill execution: whether the skill was found and followed, from the trajectory.

The mean of the components that the trial has:

- *activation*: 1 if the skill was loaded by a tool or its SKILL.md was read, 0.75 for an
  acceptable other skill, or for a shell read where the harness has a tool for skills; else 0;
- *script*: 1 if the expected script was run, else 0; only if the case expects one;
- *order*: 1 if the skill was read before the first command, else 0; only if both happened;
- *recovery*: what failing commands cost, 0.25 each for those of the skill, 0.1 (down to 0.5) for
  others; only if it is known of any command whether it failed.

Without activation the value is 0, whatever else went well: there is no use of the skill to judge.
In a case in which the skill should stay out: 1 if it did. In an arm without the skill there is
nothing to measure.

SkillEvaluator counts a component without meaning as 1, so that a run which never touched the skill
is worth 0.5 there; and it tells a failed command by words such as “error” in what is printed, where
the exit code decides here.
"""

from __future__ import annotations

from typing import Final

from skillgauge.lift.metrics import Measure, Part, Subject, mean_of
from skillgauge.lift.metrics._probes import is_probe
from skillgauge.lift.metrics._trace import Call, Trace

PARTIAL: Final = 0.75
_SHELL_READERS: Final = frozenset({"codex", "mini-swe-agent", "aider", "script"})
"""Harnesses whose agents read a skill with the shell, for want of another tool."""
_NO_FAILURE: Final = frozenset(
    {"grep", "rg", "egrep", "fgrep", "diff", "cmp", "test", "[", "which"}
)
"""Programs whose exit code 1 is an answer."""


def measure(subject: Subject) -> Measure:
    """Return how well the skill was found and followed."""
    trace = subject.trace
    if trace is None:
        return Measure(None, "there is no trajectory")
    if subject.arm != "with-skill":
        return Measure(None, "the arm has no skill to follow")
    if subject.case.negative:
        used = trace.first_use(subject.skill) is not None
        part = Part("stayed out", float(not used))
        return Measure(part.value, "the skill should stay out", (part,))
    activation = _activation(trace, subject)
    if not activation.value:
        return Measure(0.0, activation.reason, (activation,))
    return mean_of([activation, *_script(trace, subject), *_order(trace, subject),
                    _recovery(trace, subject)])  # fmt: skip


def _activation(trace: Trace, subject: Subject) -> Part:
    wanted = subject.case.expected_skill or subject.skill
    others = set(subject.case.acceptable_skills)
    best, how = 0.0, "the skill was not loaded"
    for call in trace.calls:
        for name, direct in call.skills():
            if name == wanted:
                full = direct or trace.harness in _SHELL_READERS
                found = (1.0, "loaded") if full else (PARTIAL, "read with the shell")
            elif name in others:
                found = (PARTIAL, f"“{name}” was used, which is acceptable")
            else:
                continue
            best, how = max((best, how), found, key=lambda pair: pair[0])
    return Part("activation", best, how)


def _script(trace: Trace, subject: Subject) -> list[Part]:
    script = subject.case.expected_script
    if not script:
        return []
    ran = any(
        script in word
        for call in trace.calls
        if not is_probe(call)
        for command in call.commands
        for word in (command.words if _runs(command.name, command.words, script) else ())
    )
    return [Part("script", float(ran), "run" if ran else f"“{script}” was not run")]


def _runs(name: str, words: tuple[str, ...], script: str) -> bool:
    """Return whether a command runs a script, rather than shows or searches it."""
    if script in words[0]:
        return True
    shows = {"cat", "head", "tail", "less", "more", "ls", "grep", "rg", "sed", "awk", "nl", "wc"}
    quiet = {"echo", "printf", "chmod", "cp", "mv", "rm", "find", "stat", "file", "vi", "nano"}
    return name not in shows | quiet


def _order(trace: Trace, subject: Subject) -> list[Part]:
    read = trace.first_use(subject.case.expected_skill or subject.skill)
    executed = next((index for index, call in enumerate(trace.calls) if _executes(call)), None)
    if read is None or executed is None:
        return []
    return [Part("order", float(read <= executed), "" if read <= executed else "read too late")]


def _executes(call: Call) -> bool:
    """Return whether a call does work: no probe, and nothing that only looks."""
    looks = {"ls", "cat", "pwd", "find", "grep", "rg", "head", "tail", "sed", "cd", "echo", "wc"}
    if call.kind != "exec" or is_probe(call):
        return False
    return any(command.name not in looks for command in call.commands)


def _recovery(trace: Trace, subject: Subject) -> Part:
    known = [call for call in trace.calls if call.kind == "exec" and call.failed is not None]
    if not known:
        return Part("recovery", None, "no exit code is known")
    failures = [call for call in known if call.failed and not _answers(call) and not is_probe(call)]
    own = sum(_is_own(call, subject) for call in failures)
    others = len(failures) - own
    if not failures:
        return Part("recovery", 1.0, "no command failed")
    value = max(0.0, 1 - 0.25 * own) if own else max(0.5, 1 - 0.1 * others)
    return Part("recovery", value, f"{own} commands of the skill failed, and {others} others")


def _answers(call: Call) -> bool:
    return bool(call.commands) and call.commands[-1].name in _NO_FAILURE


def _is_own(call: Call, subject: Subject) -> bool:
    """Return whether a command is of the skill: it names the skill's folder or the script."""
    script = subject.case.expected_script
    return f"/{subject.skill}/" in call.script or bool(script and script in call.script)
