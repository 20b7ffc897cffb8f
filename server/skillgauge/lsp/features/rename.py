"""Renames a skill: its `name`, its folder and every mention in the workspace, as one edit.

The other way round, when the user renames the folder, the name and the mentions follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from skillgauge.lsp.convert import from_position, to_range
from skillgauge.lsp.edits import can, several, takes_versions
from skillgauge.lsp.uris import path_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot


def register(server: SkillgaugeServer) -> None:
    """Register rename with its preparation, and what goes with a renamed folder."""
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        from skillgauge.lsp.features._rename import skill_at

        snapshot = session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return None
        offset = from_position(snapshot.text, params.position, session.encoding)
        found = skill_at(snapshot, offset)
        if found is None:
            return None
        span, name, _ = found
        return lsp.PrepareRenamePlaceholder(to_range(snapshot.text, span, session.encoding), name)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        from skillgauge.lsp.features._rename import MAX_NAME, is_name, skill_at

        await server.scanner.wait()
        snapshot = session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.problem:
            return None
        offset = from_position(snapshot.text, params.position, session.encoding)
        found = skill_at(snapshot, offset)
        if found is None:
            raise JsonRpcInvalidParams("There is no skill's name here.")
        new = params.new_name
        if not is_name(new):
            raise JsonRpcInvalidParams(
                f"“{new}” is no skill name: use 1 to {MAX_NAME} lower-case letters, digits and"
                " single hyphens between them."
            )
        _, old, path = found
        return _edit(server, snapshot, path, old, new) if new != old else None

    filters = [
        lsp.FileOperationFilter(
            lsp.FileOperationPattern("**/*", matches=lsp.FileOperationPatternKind.Folder), "file"
        )
    ]

    @server.feature(lsp.WORKSPACE_WILL_RENAME_FILES, lsp.FileOperationRegistrationOptions(filters))
    async def will_rename(params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
        await server.scanner.wait()
        changed = [change for item in params.files for change in _following(server, item)]
        return several(server, changed) if changed else None


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, path: Path | None, old: str, new: str
) -> lsp.WorkspaceEdit:
    from skillgauge.lsp.features._rename import changes, clash

    other = clash(snapshot.workspace, path, new)
    if other is not None:
        raise JsonRpcInvalidParams(f"There is already a skill called “{new}”: {other.path}.")
    move = _move(server, path, old, new)
    made = several(server, changes(server.session, snapshot, path, old, new))
    if move is not None and takes_versions(server):
        return lsp.WorkspaceEdit(document_changes=[*(made.document_changes or ()), move])
    return made


def _move(server: SkillgaugeServer, path: Path | None, old: str, new: str) -> lsp.RenameFile | None:
    """Return the renaming of the skill's folder; a client that can't do it is told to."""
    folder = path.parent if path is not None else None
    if folder is None or folder.name != old:
        return None
    target = folder.with_name(new)
    if target.exists():
        raise JsonRpcInvalidParams(f"There is already a folder {target}.")
    if can(server, lsp.ResourceOperationKind.Rename):
        uri_of = server.session.uri_of
        return lsp.RenameFile(uri_of(folder), uri_of(target))
    message = f"This editor can't rename folders: rename {folder} to {new} yourself."
    server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
    return None


def _following(
    server: SkillgaugeServer, item: lsp.FileRename
) -> Iterator[tuple[Snapshot, list[lsp.TextEdit]]]:
    """Yield what changes with the renaming of a folder, if that is a skill's and has its name."""
    from skillgauge.discover import find_skill
    from skillgauge.lsp.features._rename import changes, clash, is_name

    before, after = path_of(item.old_uri), path_of(item.new_uri)
    if before is None or after is None or before.name == after.name or not is_name(after.name):
        return
    found = find_skill(str(before))
    snapshot = server.session.at(Path(found)) if found else None
    if snapshot is None or snapshot.problem or snapshot.skill.name != before.name:
        return
    if clash(snapshot.workspace, snapshot.path, after.name) is None:
        yield from changes(server.session, snapshot, snapshot.path, before.name, after.name)
