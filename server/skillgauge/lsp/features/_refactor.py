"""The edits of refactorings, made anew from the newest text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_text_edit
from skillgauge.lsp.edits import can, creation, versioned
from skillgauge.lsp.uris import Kind
from skillgauge.refactor import Refactoring, offers
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot


def edit_of(
    server: SkillgaugeServer, snapshot: Snapshot, data: dict[str, Any]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of one refactoring; None if it no longer applies."""
    start, name = data.get("start"), data.get("name")
    if snapshot.kind is not Kind.SKILL or not isinstance(start, int) or not isinstance(name, str):
        return None
    for _, found in offers(snapshot.skill, Span(start, start), name):
        return _edit(server, snapshot, found)
    return None


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, found: Refactoring
) -> lsp.WorkspaceEdit | None:
    encoding = server.session.encoding
    changes = [to_text_edit(snapshot.text, edit, encoding) for edit in found.edits]
    made = versioned(server, snapshot, changes)
    deletes = can(server, lsp.ResourceOperationKind.Delete)
    if not found.created and not (found.deleted and deletes):
        return made
    if snapshot.path is None or (
        found.created and not can(server, lsp.ResourceOperationKind.Create)
    ):
        return None
    folder = snapshot.path.parent
    operations = list(made.document_changes or ())
    for name, content in found.created.items():
        operations.extend(creation(server.session.uri_of(folder / name), content))
    if deletes:
        deleted = [server.session.uri_of(folder / name) for name in found.deleted]
        operations.extend(lsp.DeleteFile(uri) for uri in deleted)
    return lsp.WorkspaceEdit(document_changes=operations)
