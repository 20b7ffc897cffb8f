"""What lenses say: a skill's structural score, and the number of an evaluation file's cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Severity
from skillgauge.structure import Structure
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot


def structure_title(snapshot: Snapshot, structure: Structure) -> str:
    """Return the score, its grade and the number of findings."""
    return f"structure {structure.score:g} {structure.grade} · {_counts(snapshot)}"


def cases_of(snapshot: Snapshot) -> tuple[Span, str] | None:
    """Return where an evaluation file's cases begin, and how many of which kind there are."""
    document = snapshot.document
    if not isinstance(document, EvalFile) or document.dialect == "unknown":
        return None
    cases, own = document.cases, document.own_name
    negative = sum(case.is_negative(own) for case in cases)
    parts = [f"{len(cases)} case{'' if len(cases) == 1 else 's'}"]
    if negative:
        parts[0] += f", {negative} in which the skill stays out"
    return document.top, " · ".join([*parts, f"{document.dialect} format"])


def _counts(snapshot: Snapshot) -> str:
    parts: list[str] = []
    for severity, word in ((Severity.ERROR, "error"), (Severity.WARNING, "warning")):
        count = sum(item.severity is severity for item in snapshot.result.findings)
        if count:
            parts.append(f"{count} {word}{'' if count == 1 else 's'}")
    return ", ".join(parts) or "no errors or warnings"


def explanation(structure: Structure) -> str:
    """Return the score with every deduction, as text."""
    lines = [f"Structure {structure.score:g}, grade {structure.grade}"]
    for name, dimension in structure.dimensions.items():
        lines.append(f"{name} {dimension.score:g}")
        lines.extend(
            f"  −{item.points} {item.code} {item.rule}: {item.message}"
            for item in dimension.deductions
        )
    return "\n".join(lines)


def as_json(structure: Structure) -> dict[str, Any]:
    """Return the score as the command's reply."""
    return {
        "score": structure.score,
        "grade": structure.grade,
        "dimensions": {
            name: {
                "score": dimension.score,
                "deductions": [
                    {"code": item.code, "rule": item.rule, "points": item.points}
                    for item in dimension.deductions
                ],
            }
            for name, dimension in structure.dimensions.items()
        },
    }
