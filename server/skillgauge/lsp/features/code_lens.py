"""Lenses over the frontmatter with structure and scores, and one over evaluation cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_range

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot

SHOW_STRUCTURE = "skillgauge.showStructure"
NOTHING = ""
"""The command of a lens that only says something."""


def register(server: SkillgaugeServer) -> None:
    """Register the lenses and the command behind that of a skill."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    def lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        from skillgauge.lsp.features._code_lens import cases_of, structure_title

        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return []
        encoding = server.session.encoding
        structure = snapshot.structure
        if structure is not None:
            where = to_range(snapshot.text, snapshot.skill.head, encoding)
            title = structure_title(snapshot, structure)
            command = lsp.Command(title, SHOW_STRUCTURE, arguments=[snapshot.uri])
            found = [lsp.CodeLens(where, command), *_scores(server, snapshot, where)]
            return [*found, *_lift(server, snapshot)]
        cases = cases_of(snapshot)
        if cases is None:
            return []
        where = to_range(snapshot.text, cases[0], encoding)
        return [lsp.CodeLens(where, lsp.Command(cases[1], NOTHING)), *_lift(server, snapshot)]

    @server.command(SHOW_STRUCTURE)
    def show(uri: str) -> dict[str, Any] | None:
        from skillgauge.lsp.features._code_lens import as_json, explanation

        snapshot = server.session.snapshot(uri)
        structure = snapshot.structure if snapshot else None
        if structure is None:
            return None
        message = lsp.ShowMessageParams(lsp.MessageType.Info, explanation(structure))
        server.window_show_message(message)
        return as_json(structure)


def _lift(server: SkillgaugeServer, snapshot: Snapshot) -> Iterator[lsp.CodeLens]:
    """Yield the lenses that start lift runs and show what came of them."""
    from skillgauge.lsp.features._lift import lenses

    for offer in lenses(server, snapshot):
        where = to_range(snapshot.text, offer.span, server.session.encoding)
        command = lsp.Command(offer.title, offer.command, arguments=[offer.argument])
        yield lsp.CodeLens(where, command)


def _scores(
    server: SkillgaugeServer, snapshot: Snapshot, where: lsp.Range
) -> Iterator[lsp.CodeLens]:
    """Yield the lens with the scores, once there are any or they are on their way."""
    if server.scores.scorer is None:
        return
    from skillgauge.lsp.features._scores import lens_title
    from skillgauge.lsp.features.scores import SHOW_SCORES

    if title := lens_title(server, snapshot):
        yield lsp.CodeLens(where, lsp.Command(title, SHOW_SCORES, arguments=[snapshot.uri]))
