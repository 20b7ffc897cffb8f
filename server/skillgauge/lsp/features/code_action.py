"""Quick fixes, fix-all, and the two ways to silence a rule; edits are made when asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types as lsp

from skillgauge.lsp.convert import SOURCE, from_position, from_range, to_diagnostic
from skillgauge.lsp.features.lift import KIND as LIFT
from skillgauge.lsp.features.refactor import KINDS, ORGANIZE

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.rule import Finding
    from skillgauge.text import Span

FIX_ALL = "source.fixAll.skillgauge"
MAX_TRIED = 8
"""Fixes at one place that are tried before they are offered; of more, each is when it is asked for.
Trying one costs a check of the whole document."""
SECONDS: Final = 0.3
"""Processor time for trying them: typing waits for it, and a hostile text takes long to check."""


def register(server: SkillgaugeServer) -> None:
    """Register code actions with lazy resolution."""
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL, *KINDS, LIFT]
    options = lsp.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.document is None or snapshot.problem:
            return []
        where = from_range(snapshot.text, params.range, server.session.encoding)
        found = list(_offered(server, snapshot, where, params.context))
        if _resolves(server):
            return found
        return [done for done in _all_resolved(server, found) if done.edit or done.command]

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        return resolved(server, action)


def _all_resolved(
    server: SkillgaugeServer, actions: Sequence[lsp.CodeAction]
) -> Iterator[lsp.CodeAction]:
    """Yield actions with their edits, but for the fixes that there is no time to try."""
    until = time.process_time() + SECONDS
    for action in actions:
        known: Any = action.data
        if known["do"] != "fix" or time.process_time() < until:
            yield resolved(server, action)


def _offered(
    server: SkillgaugeServer, snapshot: Snapshot, where: Span, context: lsp.CodeActionContext
) -> Iterator[lsp.CodeAction]:
    from skillgauge.lsp.features.refactor import actions

    only = context.only
    if _wanted(lsp.CodeActionKind.QuickFix, only):
        yield from _quick_fixes(server, snapshot, where, context.diagnostics)
    if _wanted(FIX_ALL, only, explicit=True):
        data = {"uri": snapshot.uri, "do": "all"}
        yield lsp.CodeAction("Fix all safe Skillgauge problems", kind=FIX_ALL, data=data)
    for action in actions(snapshot, where):
        if _wanted(action.kind or "", only, explicit=action.kind == ORGANIZE):
            yield action
    yield from _revisions(server, snapshot, where, context)
    if _wanted(LIFT, only):
        from skillgauge.lsp.features import _lift_actions

        yield from _lift_actions.actions(server, snapshot, where)


def _revisions(
    server: SkillgaugeServer, snapshot: Snapshot, where: Span, context: lsp.CodeActionContext
) -> Iterator[lsp.CodeAction]:
    if not server.scores.wanted:
        return
    from skillgauge.lsp.features import _revise

    asked = context.trigger_kind is not lsp.CodeActionTriggerKind.Automatic
    for action, explicit in _revise.actions(server, snapshot, where, asked=asked):
        if _wanted(action.kind or "", context.only, explicit=explicit):
            yield action


def _wanted(kind: str, only: Sequence[Any] | None, *, explicit: bool = False) -> bool:
    if not only:
        return not explicit
    return any(kind == asked or kind.startswith(f"{asked}.") for asked in only)


def _resolves(server: SkillgaugeServer) -> bool:
    document = server.client_capabilities.text_document
    action = document.code_action if document else None
    support = action.resolve_support if action else None
    return support is not None and "edit" in support.properties


def _touched(
    server: SkillgaugeServer,
    snapshot: Snapshot,
    where: Span,
    shown: Sequence[lsp.Diagnostic],
) -> list[Finding]:
    """Return the findings that a range shares a character with or ends at.

    And those that the client says it is about: in Neovim that is all on the cursor's line.
    """
    encoding = server.session.encoding
    named = {
        (item.code, from_position(snapshot.text, item.range.start, encoding))
        for item in shown
        if item.source == SOURCE
    }
    return [
        item
        for item in snapshot.result.findings
        if item.span.overlaps(where)
        or item.span.contains(where.start)
        or item.span.contains(where.end)
        or (item.code, item.span.start) in named
    ]


def _quick_fixes(
    server: SkillgaugeServer,
    snapshot: Snapshot,
    where: Span,
    shown: Sequence[lsp.Diagnostic] = (),
) -> Iterator[lsp.CodeAction]:
    """Yield fixes first, then what silences."""
    touched = _touched(server, snapshot, where, shown)
    fixable = [item for item in touched if item.fix is not None]
    until = time.process_time() + SECONDS
    for finding in fixable:
        tries = len(fixable) <= MAX_TRIED and time.process_time() < until
        if finding.fix and (not tries or snapshot.mends(finding)):
            title = finding.fix.title if finding.fix.safe else f"{finding.fix.title} (unsafe)"
            yield _action(server, snapshot, finding, title, "fix", preferred=finding.fix.safe)
    firsts = {finding.code: finding for finding in reversed(touched)}
    for code in sorted(firsts):
        if snapshot.document is snapshot.skill:
            yield _action(server, snapshot, firsts[code], f"Ignore {code} here", "ignore")
    for code in sorted(firsts):
        title = f"Disable {code} ({firsts[code].rule}) in the configuration"
        yield _action(server, snapshot, firsts[code], title, "disable")


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
        diagnostics=[to_diagnostic(server, snapshot, finding)],
        is_preferred=preferred or None,
        data={
            "uri": snapshot.uri,
            "do": do,
            "code": finding.code,
            "start": finding.span.start,
            "message": finding.message,
        },
    )


def resolved(server: SkillgaugeServer, action: lsp.CodeAction) -> lsp.CodeAction:
    """Fill in an action's edit from the newest text; without one if it no longer applies."""
    from skillgauge.lsp.features._code_actions import edit_of

    known: Any = action.data
    data = cast("dict[str, Any]", known) if isinstance(known, dict) else {}
    snapshot = server.session.snapshot(str(data.get("uri", "")))
    if snapshot is not None and snapshot.document is not None and not snapshot.problem:
        action.edit = edit_of(server, snapshot, data)
    return action
