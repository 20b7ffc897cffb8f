"""What an evaluation file comes to: its cases, what a run would do, and what could be measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from skillgauge.document.evals import EvalFile
from skillgauge.lift.cases import Case, CaseList, load_cases
from skillgauge.lift.plan import ARMS
from skillgauge.lift.statistics import FEW, LOW
from skillgauge.records import Item
from skillgauge.report._terminal import safe


@dataclass(frozen=True, slots=True)
class Overview:
    """An evaluation file as a run would see it."""

    shown: str
    path: Path | None
    dialect: str
    skill: str
    found: CaseList
    findings: tuple[Item, ...]

    @property
    def runs(self) -> bool:
        """Whether a run would begin: every case is fit for it."""
        return bool(self.found.cases) and not self.found.problems


def overview(file: EvalFile, shown: str, findings: Sequence[Item]) -> Overview:
    """Return what a file comes to; its findings are those of the rules."""
    skill = file.own_name or (file.skill_name.text if file.skill_name else "")
    return Overview(shown, file.path, file.dialect, skill, load_cases(file), tuple(findings))


def to_text(one: Overview, attempts: int, harnesses: int) -> str:
    """Return the overview for a terminal; nothing in the file can drive it."""
    return "".join(f"{safe(line)}\n" for line in _lines(one, attempts, harnesses))


def _lines(one: Overview, attempts: int, harnesses: int) -> Iterator[str]:
    cases = one.found.cases
    named = f" for “{one.skill}”" if one.skill else ""
    yield f"{one.shown}: {_count(len(cases), 'case')}{named}, format {one.dialect}"
    wide = max((len(case.id) for case in cases), default=0)
    for case in cases:
        yield f"  line {case.line:>4}  {case.id:<{wide}}  {_says(case)}"
    for problem in one.found.problems:
        yield f"  line {problem.line:>4}  can't be run: {problem.message}"
    if cases:
        yield f"A run: {_trials(len(cases), attempts, harnesses)}. {_precision(len(cases))}"
        yield from _measured(cases)
    for item in one.findings:
        yield f"  {item.line}:{item.column} {item.severity} {item.code} {item.rule}: {item.message}"


def _says(case: Case) -> str:
    """Return what a case asks for, in short."""
    skill = "the skill stays out" if case.negative else f"“{case.expected_skill}” is used"
    parts = [skill if case.negative or case.expected_skill else "a skill is used"]
    if case.expected_script:
        parts.append(f"runs {case.expected_script}")
    parts.append("expected output" if case.expected_output else "no expected output")
    parts.append(_count(len(case.assertions), "assertion"))
    parts.append(_count(len(case.files), "file"))
    return ", ".join(parts)


def _trials(cases: int, attempts: int, harnesses: int) -> str:
    total = cases * len(ARMS) * attempts * harnesses
    parts = [_count(cases, "case"), _count(len(ARMS), "arm")]
    parts += [_count(harnesses, "harness", "harnesses")] if harnesses > 1 else []
    parts += [_count(attempts, "attempt")] if attempts > 1 else []
    return f"{' × '.join(parts)} = {_count(total, 'trial')}"


def _precision(cases: int) -> str:
    if cases < FEW:
        return f"Fewer than {FEW} cases are insufficient for an interval"
    return f"Fewer than {LOW} cases give a wide interval" if cases < LOW else "Enough cases"


def _measured(cases: Sequence[Case]) -> Iterator[str]:
    """Yield which metrics lack what they need in which cases."""
    for metric, needs, lacking in (
        ("accuracy and goal_accuracy", "expected output", [not c.expected_output for c in cases]),
        ("behavior_check", "assertions", [not c.assertions for c in cases]),
    ):
        bare = [case for case, lacks in zip(cases, lacking, strict=True) if lacks]
        if bare:
            names = ", ".join(case.id for case in bare[:5]) + (", …" if len(bare) > 5 else "")
            yield f"Not measured: {metric} in {_count(len(bare), 'case')} without {needs} ({names})"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def to_plain(one: Overview, attempts: int, harnesses: int) -> dict[str, Any]:
    """Return the overview as JSON has it."""
    return {
        "path": one.shown,
        "format": one.dialect,
        "skill": one.skill,
        "cases": [asdict(case) for case in one.found.cases],
        "problems": [asdict(problem) for problem in one.found.problems],
        "trials": len(one.found.cases) * len(ARMS) * attempts * harnesses,
        "findings": [
            {
                "code": item.code,
                "rule": item.rule,
                "severity": item.severity,
                "message": item.message,
                "line": item.line,
                "column": item.column,
            }
            for item in one.findings
        ],
    }
