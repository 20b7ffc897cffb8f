"""Edits of ours as the client can take them: versioned, and with file operations if it has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.convert import to_text_edit

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.rule import Edit

Operation = lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile


def workspace_edit(
    server: SkillgaugeServer, snapshot: Snapshot, edits: Iterable[Edit], rename: str | None = None
) -> lsp.WorkspaceEdit | None:
    """Return edits of one document, and its file's new name; None if the client can't do that."""
    changes = [to_text_edit(snapshot.text, edit, server.session.encoding) for edit in edits]
    if rename is None:
        return versioned(server, snapshot, changes)
    if snapshot.path is None or not can(server, lsp.ResourceOperationKind.Rename):
        return None
    operations: list[Operation] = [_bound(snapshot, changes)] if changes else []
    target = server.session.uri_of(snapshot.path.with_name(rename))
    return lsp.WorkspaceEdit(document_changes=[*operations, lsp.RenameFile(snapshot.uri, target)])


def versioned(
    server: SkillgaugeServer, snapshot: Snapshot, changes: list[lsp.TextEdit]
) -> lsp.WorkspaceEdit:
    """Return changes bound to the version they were made for, where the client can check it."""
    if takes_versions(server):
        return lsp.WorkspaceEdit(document_changes=[_bound(snapshot, changes)])
    return lsp.WorkspaceEdit(changes={snapshot.uri: list(changes)})


def _bound(snapshot: Snapshot, changes: list[lsp.TextEdit]) -> lsp.TextDocumentEdit:
    document = lsp.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
    return lsp.TextDocumentEdit(document, list(changes))


def several(
    server: SkillgaugeServer, changes: Iterable[tuple[Snapshot, list[lsp.TextEdit]]]
) -> lsp.WorkspaceEdit:
    """Return changes of several documents as one edit."""
    if takes_versions(server):
        return lsp.WorkspaceEdit(document_changes=[_bound(*change) for change in changes])
    return lsp.WorkspaceEdit(changes={snapshot.uri: edits for snapshot, edits in changes})


def creation(uri: str, content: str) -> list[Operation]:
    """Return what makes a new file with a content."""
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri)
    return [lsp.CreateFile(uri), lsp.TextDocumentEdit(document, [lsp.TextEdit(top, content)])]


def takes_versions(server: SkillgaugeServer) -> bool:
    """Return whether the client takes edits that are bound to a version.

    One that names file operations does: they can't be sent in another way. Neovim names them alone.
    """
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    return edit is not None and bool(edit.document_changes or edit.resource_operations)


def can(server: SkillgaugeServer, operation: lsp.ResourceOperationKind) -> bool:
    """Return whether the client can carry out a file operation within a workspace edit."""
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    return operation in ((edit and edit.resource_operations) or ())
