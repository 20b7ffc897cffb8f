"""Refactorings as code actions with lazy edits; see `skillgauge.refactor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_text_edit
from skillgauge.lsp.session import Snapshot, uri_of
from skillgauge.refactor import Refactoring, offers
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

ORGANIZE = "source.organizeFrontmatter"
KINDS = ("refactor.extract", "refactor.inline", "refactor.rewrite", ORGANIZE)


def register(server: SkillgaugeServer) -> None:
    """Register nothing: the code action feature asks `actions` and `resolve`."""


def actions(snapshot: Snapshot, where: Span) -> list[lsp.CodeAction]:
    """Return the refactorings that apply at a range, their edits still to be made."""
    return [
        lsp.CodeAction(
            found.title,
            kind=found.kind,
            data={"uri": snapshot.uri, "do": "refactor", "name": name, "start": where.start},
        )
        for name, found in offers(snapshot.skill, where)
    ]


def resolve(
    server: SkillgaugeServer, snapshot: Snapshot, data: dict[str, Any]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of one refactoring, made anew from the newest text."""
    start = int(data.get("start", 0))
    for _, found in offers(snapshot.skill, Span(start, start), str(data.get("name", ""))):
        return _edit(server, snapshot, found)
    return None


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, found: Refactoring
) -> lsp.WorkspaceEdit | None:
    from skillgauge.lsp.features.code_action import creates, versioned

    encoding = server.session.encoding
    changes = [to_text_edit(snapshot.text, edit, encoding) for edit in found.edits]
    made = versioned(server, snapshot, changes)
    if not found.created and not found.deleted:
        return made
    if snapshot.path is None or (
        found.created and not creates(server, lsp.ResourceOperationKind.Create)
    ):
        return None
    operations = list(made.document_changes or ())
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    for name, content in found.created.items():
        uri = uri_of(snapshot.path.parent / name)
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri)
        operations.append(lsp.CreateFile(uri))
        operations.append(lsp.TextDocumentEdit(identifier, [lsp.TextEdit(top, content)]))
    if creates(server, lsp.ResourceOperationKind.Delete):
        operations.extend(
            lsp.DeleteFile(uri_of(snapshot.path.parent / name)) for name in found.deleted
        )
    return lsp.WorkspaceEdit(document_changes=operations)
