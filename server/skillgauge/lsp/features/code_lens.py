"""A lens over the frontmatter: the structural score, its grade, and what the rules found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_range
from skillgauge.lsp.session import Kind, Snapshot
from skillgauge.rule import Severity
from skillgauge.structure import Structure
from skillgauge.text import Encoding

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

SHOW_STRUCTURE = "skillgauge.showStructure"


def register(server: SkillgaugeServer) -> None:
    """Register the lens and the command behind it."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    def lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL:
            return []
        return lenses(snapshot, server.session.encoding)

    @server.command(SHOW_STRUCTURE)
    def show(uri: str) -> dict[str, Any] | None:
        snapshot = server.session.snapshot(uri)
        structure = snapshot.result.structure if snapshot else None
        if snapshot is None or structure is None:
            return None
        server.window_show_message(
            lsp.ShowMessageParams(lsp.MessageType.Info, explanation(structure))
        )
        return as_json(structure)


def lenses(snapshot: Snapshot, encoding: Encoding) -> list[lsp.CodeLens]:
    """Return the lens of a skill, none when the file can't be read."""
    structure = snapshot.result.structure
    if structure is None:
        return []
    where = to_range(snapshot.text, snapshot.skill.head, encoding)
    title = f"structure {structure.score:g} {structure.grade}"
    counts = _counts(snapshot)
    command = lsp.Command(f"{title} · {counts}", SHOW_STRUCTURE, arguments=[snapshot.uri])
    return [lsp.CodeLens(where, command)]


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
