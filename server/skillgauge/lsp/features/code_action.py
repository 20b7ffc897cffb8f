"""Quick fixes, fix-all, and the two ways to silence a rule; edits are made when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp

from skillgauge.config_edit import ignore_rule
from skillgauge.document.skill import Skill
from skillgauge.fix import fix as fix_document
from skillgauge.lsp.convert import from_range, to_diagnostic, to_text_edit
from skillgauge.lsp.features import refactor
from skillgauge.lsp.session import Snapshot, uri_of
from skillgauge.rule import Edit, Finding
from skillgauge.suppress import suppression
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

FIX_ALL = "source.fixAll.skillgauge"


def register(server: SkillgaugeServer) -> None:
    """Register code actions with lazy resolution."""
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL, *refactor.KINDS]
    options = lsp.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.document is None:
            return []
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if _wanted(lsp.CodeActionKind.QuickFix, only):
            where = from_range(snapshot.text, params.range, server.session.encoding)
            found.extend(_quick_fixes(server, snapshot, where))
        if _wanted(FIX_ALL, only, explicit=True):
            action = lsp.CodeAction(
                "Fix all safe Skillgauge problems",
                kind=FIX_ALL,
                data={"uri": snapshot.uri, "do": "all"},
            )
            found.append(action)
        if isinstance(snapshot.document, Skill) and not snapshot.problem:
            where = from_range(snapshot.text, params.range, server.session.encoding)
            found.extend(
                action
                for action in refactor.actions(snapshot, where)
                if _wanted(action.kind or "", only, explicit=action.kind == refactor.ORGANIZE)
            )
        if _resolves(server):
            return found
        return [done for action in found if (done := resolve_action(server, action)).edit]

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        return resolve_action(server, action)


def _wanted(kind: str, only: Any, *, explicit: bool = False) -> bool:
    if not only:
        return not explicit
    return any(kind == asked or kind.startswith(f"{asked}.") for asked in only)


def _resolves(server: SkillgaugeServer) -> bool:
    document = server.client_capabilities.text_document
    action = document.code_action if document else None
    support = action.resolve_support if action else None
    return support is not None and "edit" in support.properties


def _quick_fixes(
    server: SkillgaugeServer, snapshot: Snapshot, where: Span
) -> Iterator[lsp.CodeAction]:
    touched = [item for item in snapshot.result.findings if item.span.overlaps(where)]
    touched.extend(
        item
        for item in snapshot.result.findings
        if item not in touched and (item.span.contains(where.start))
    )
    for finding in touched:
        if finding.fix is not None:
            title = finding.fix.title if finding.fix.safe else f"{finding.fix.title} (unsafe)"
            yield _action(server, snapshot, finding, title, "fix", preferred=finding.fix.safe)
    for finding in touched:
        if isinstance(snapshot.document, Skill):
            yield _action(server, snapshot, finding, f"Ignore {finding.code} here", "ignore")
    for code, rule in dict.fromkeys((item.code, item.rule) for item in touched):
        finding = next(item for item in touched if item.code == code)
        title = f"Disable {code} ({rule}) in the configuration"
        yield _action(server, snapshot, finding, title, "disable")


def _action(
    server: SkillgaugeServer,
    snapshot: Snapshot,
    finding: Finding,
    title: str,
    do: str,
    *,
    preferred: bool = False,
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[to_diagnostic(snapshot, finding, server.session.encoding)],
        is_preferred=preferred or None,
        data={
            "uri": snapshot.uri,
            "do": do,
            "code": finding.code,
            "start": finding.span.start,
            "end": finding.span.end,
            "message": finding.message,
        },
    )


def resolve_action(server: SkillgaugeServer, action: lsp.CodeAction) -> lsp.CodeAction:
    """Fill in an action's edit from the newest text; without one if it no longer applies."""
    known: Any = action.data
    data = cast("dict[str, Any]", known) if isinstance(known, dict) else {}
    snapshot = server.session.snapshot(str(data.get("uri", "")))
    if snapshot is None or snapshot.document is None:
        return action
    match data.get("do"):
        case "all":
            action.edit = _fix_all(server, snapshot)
        case "refactor":
            action.edit = refactor.resolve(server, snapshot, data)
        case "fix" | "ignore" | "disable" as do:
            finding = _find(snapshot, data)
            if finding is not None:
                action.edit = _edit(server, snapshot, finding, do)
        case _:
            pass
    return action


def _find(snapshot: Snapshot, data: dict[str, Any]) -> Finding | None:
    """Return the finding that an action was made for, at its place or, after edits, the nearest."""
    same = [
        item
        for item in snapshot.result.findings
        if item.code == data.get("code") and item.message == data.get("message")
    ]
    return min(same, key=lambda item: abs(item.span.start - int(data["start"])), default=None)


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, finding: Finding, do: str
) -> lsp.WorkspaceEdit | None:
    if do == "disable":
        return _disable(server, snapshot, finding)
    if do == "ignore":
        if not isinstance(snapshot.document, Skill):
            return None
        return workspace_edit(server, snapshot, [suppression(snapshot.document, finding)])
    if finding.fix is None:
        return None
    return workspace_edit(server, snapshot, finding.fix.edits, rename=finding.fix.rename)


def _fix_all(server: SkillgaugeServer, snapshot: Snapshot) -> lsp.WorkspaceEdit | None:
    assert snapshot.document is not None
    mended = fix_document(snapshot.document, snapshot.config.settings(snapshot.path))
    edits = changed_regions(snapshot.text.content, mended.text)
    return workspace_edit(server, snapshot, edits) if edits else None


def changed_regions(old: str, new: str) -> list[Edit]:
    """Return edits that turn `old` into `new`, line by line, so that the rest stays untouched."""
    before, after = _lines(old), _lines(new)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        Edit(Span(starts[i1], starts[i2]), "".join(after[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _lines(text: str) -> list[str]:
    starts = Text(text).starts
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _disable(
    server: SkillgaugeServer, snapshot: Snapshot, finding: Finding
) -> lsp.WorkspaceEdit | None:
    known = snapshot.config.path
    root = server.session.root_of(snapshot.path) if snapshot.path else None
    if known is None and root is None:
        return None
    path = known or (cast("Path", root) / "skillgauge.toml")
    held = server.session.snapshot(uri_of(path)) if known else None
    text = held.text if held else Text("")
    edit = ignore_rule(text.content, finding.code, pyproject=path.name == "pyproject.toml")
    if edit is None:
        return None
    change = to_text_edit(text, edit, server.session.encoding)
    if held is not None:
        return versioned(server, held, [change])
    if not creates(server, lsp.ResourceOperationKind.Create):
        return None
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(path))
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.CreateFile(uri_of(path), options=lsp.CreateFileOptions(ignore_if_exists=True)),
            lsp.TextDocumentEdit(document, [change]),
        ]
    )


def workspace_edit(
    server: SkillgaugeServer, snapshot: Snapshot, edits: Any, rename: str | None = None
) -> lsp.WorkspaceEdit | None:
    """Return edits of one document, and its file's new name, as a workspace edit."""
    changes = [to_text_edit(snapshot.text, edit, server.session.encoding) for edit in edits]
    made = versioned(server, snapshot, changes)
    if rename is not None:
        if snapshot.path is None or not creates(server, lsp.ResourceOperationKind.Rename):
            return None
        target = uri_of(snapshot.path.with_name(rename))
        operations = list(made.document_changes or ()) if changes else []
        made = lsp.WorkspaceEdit(
            document_changes=[*operations, lsp.RenameFile(snapshot.uri, target)]
        )
    return made


def versioned(
    server: SkillgaugeServer, snapshot: Snapshot, changes: list[lsp.TextEdit]
) -> lsp.WorkspaceEdit:
    """Return changes bound to the version they were made for, where the client can check it."""
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    if edit is not None and edit.document_changes:
        document = lsp.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
        return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, list(changes))])
    return lsp.WorkspaceEdit(changes={snapshot.uri: list(changes)})


def creates(server: SkillgaugeServer, operation: lsp.ResourceOperationKind) -> bool:
    """Return whether the client can carry out a file operation within a workspace edit."""
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    operations = edit.resource_operations if edit and edit.document_changes else None
    return operation in (operations or ())
