"""Renames a skill: its `name`, its folder and every mention in the workspace, as one edit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from skillgauge.document.folder import DiskFolder
from skillgauge.document.workspace import SkillSummary
from skillgauge.lsp.convert import from_position, to_range
from skillgauge.lsp.features.code_action import creates
from skillgauge.lsp.features.links import skill_named_at
from skillgauge.lsp.session import Kind, Snapshot, uri_of
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
MAX_NAME: Final = 64
_SEARCHED: Final = (".md", ".mdx", ".json", ".jsonl", ".yaml", ".yml", ".toml")
MAX_FILES: Final = 5_000
"""Files of the workspace's skills that are searched for mentions."""


def register(server: SkillgaugeServer) -> None:
    """Register rename and its preparation."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = from_position(snapshot.text, params.position, server.session.encoding)
        found = _skill_at(snapshot, offset)
        if found is None:
            return None
        span, name, _ = found
        where = to_range(snapshot.text, span, server.session.encoding)
        return lsp.PrepareRenamePlaceholder(where, name)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        await server.scanner.wait()
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = from_position(snapshot.text, params.position, server.session.encoding)
        found = _skill_at(snapshot, offset)
        if found is None:
            raise JsonRpcInvalidParams("There is no skill's name here.")
        _, old, path = found
        new = params.new_name
        if not _NAME.match(new) or len(new) > MAX_NAME:
            raise JsonRpcInvalidParams(
                f"“{new}” is no skill name: use 1 to {MAX_NAME} lower-case letters, digits and"
                " single hyphens between them."
            )
        if new == old:
            return None
        return _edit(server, snapshot, path, old, new)


def _skill_at(snapshot: Snapshot, offset: int) -> tuple[Span, str, Path | None] | None:
    """Return range, name and SKILL.md of the skill whose name stands at an offset."""
    value = snapshot.skill.value("name") if snapshot.kind is Kind.SKILL else None
    if value is not None and value.span.contains(offset) and value.text:
        quotes = 1 if value.style in ("single", "double") else 0
        span = Span(value.span.start + quotes, value.span.end - quotes)
        return span, value.text, snapshot.path
    summary = skill_named_at(snapshot, offset)
    if summary is None:
        return None
    for match in mentions(snapshot.text.content, summary.name):
        if match.contains(offset):
            return match, summary.name, summary.path
    return None


def mentions(text: str, name: str) -> Iterator[Span]:
    """Yield where a skill is mentioned for certain: never a word that merely looks the same.

    That is a name with a hyphen anywhere as a whole word; any other only in backticks, after a
    slash or dollar sign, as a folder in a path, or quoted in a JSON or YAML value.
    """
    bare = re.escape(name)
    for match in re.finditer(rf"(?<![\w-]){bare}(?![\w-])", text):
        before = text[max(match.start() - 1, 0) : match.start()]
        behind = text[match.end() : match.end() + 1]
        certain = "-" in name or (
            (before == "`" and behind == "`")
            or before in ("/", "$")
            or (before in ('"', "'") and behind == before)
            or behind == "/"
        )
        if certain:
            yield Span(*match.span())


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, path: Path | None, old: str, new: str
) -> lsp.WorkspaceEdit:
    session = server.session
    changes: dict[str, list[lsp.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    clash = _clash(snapshot, path, new)
    if clash is not None:
        raise JsonRpcInvalidParams(f"There is already a skill called “{new}”: {clash.path}.")
    for uri in _searched(snapshot, path):
        held = session.snapshot(uri)
        if held is None or held.problem:
            continue
        spans = set(mentions(held.text.content, old))
        if path is not None and held.path == path:
            spans = {span for span in spans if span.start >= held.skill.body.start}
            own = held.skill.value("name")
            if own is not None and own.text == old:
                quotes = 1 if own.style in ("single", "double") else 0
                spans.add(Span(own.span.start + quotes, own.span.end - quotes))
        if spans:
            versions[uri] = held.version
            changes[uri] = [
                lsp.TextEdit(to_range(held.text, span, session.encoding), new)
                for span in sorted(spans)
            ]
    if path is None:
        changes.setdefault(snapshot.uri, [])
    workspace = server.client_capabilities.workspace
    support = workspace.workspace_edit if workspace else None
    if support is None or not support.document_changes:
        return lsp.WorkspaceEdit(changes={**changes})
    documents: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = [
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), [*edits]
        )
        for uri, edits in changes.items()
        if edits
    ]
    move = _move(server, path, old, new)
    if move is not None:
        documents.append(move)
    return lsp.WorkspaceEdit(document_changes=documents)


def _move(server: SkillgaugeServer, path: Path | None, old: str, new: str) -> lsp.RenameFile | None:
    """Return the renaming of the skill's folder; a client that can't do it is told to."""
    folder = path.parent if path is not None else None
    if folder is None or folder.name != old:
        return None
    target = folder.with_name(new)
    if target.exists():
        raise JsonRpcInvalidParams(f"There is already a folder {target}.")
    if creates(server, lsp.ResourceOperationKind.Rename):
        return lsp.RenameFile(uri_of(folder), uri_of(target))
    message = f"This editor can't rename folders: rename {folder} to {new} yourself."
    server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
    return None


def _clash(snapshot: Snapshot, path: Path | None, new: str) -> SkillSummary | None:
    skills = snapshot.workspace.skills if snapshot.workspace else ()
    return next((item for item in skills if item.name == new and item.path != path), None)


def _searched(snapshot: Snapshot, path: Path | None) -> Iterator[str]:
    """Yield the URIs of all text files in the workspace's skill folders."""
    yield snapshot.uri
    seen = {snapshot.uri}
    count = 0
    paths = {item.path for item in snapshot.workspace.skills} if snapshot.workspace else set[Path]()
    if path is not None:
        paths.add(path)
    for skill_path in sorted(paths):
        for name in DiskFolder(skill_path.parent).files:
            if not name.lower().endswith(_SEARCHED):
                continue
            uri = uri_of(skill_path.parent / name)
            if uri not in seen:
                seen.add(uri)
                count += 1
                yield uri
            if count >= MAX_FILES:
                return
