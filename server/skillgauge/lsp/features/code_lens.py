"""A lens over the frontmatter with the structural score, one over evaluation cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_range

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

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
            return [lsp.CodeLens(where, command)]
        cases = cases_of(snapshot)
        if cases is None:
            return []
        where = to_range(snapshot.text, cases[0], encoding)
        return [lsp.CodeLens(where, lsp.Command(cases[1], NOTHING))]

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
