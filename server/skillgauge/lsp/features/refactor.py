"""Refactorings as code actions; see `skillgauge.refactor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Span

ORGANIZE = "source.organizeFrontmatter"
KINDS = ("refactor.extract", "refactor.inline", "refactor.rewrite", ORGANIZE)


def register(server: SkillgaugeServer) -> None:
    """Register nothing: code actions ask `actions`."""


def actions(snapshot: Snapshot, where: Span) -> list[lsp.CodeAction]:
    """Return the refactorings that apply at a range, their edits still to be made."""
    from skillgauge.lsp.uris import Kind
    from skillgauge.refactor import offers

    if snapshot.kind is not Kind.SKILL:
        return []
    return [
        lsp.CodeAction(
            found.title,
            kind=found.kind,
            data={"uri": snapshot.uri, "do": "refactor", "name": name, "start": where.start},
        )
        for name, found in offers(snapshot.skill, where)
    ]
