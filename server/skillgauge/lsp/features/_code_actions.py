"""The edits behind code actions, made anew from the newest text."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types as lsp

from skillgauge.config_edit import ignore_rule
from skillgauge.document.skill import Skill
from skillgauge.fix import fix as fix_document
from skillgauge.lsp.convert import to_text_edit
from skillgauge.lsp.edits import can, creation, versioned, workspace_edit
from skillgauge.lsp.features import _refactor
from skillgauge.rule import Edit, Finding
from skillgauge.suppress import suppression
from skillgauge.text import Span, split_lines

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot

SECONDS: Final = 0.5
"""Processor time for fixing all: nothing else is answered meanwhile."""
MAX_ALIKE: Final = 50_000
"""Pairs of equal lines up to which changes are told line by line."""


def edit_of(
    server: SkillgaugeServer, snapshot: Snapshot, data: dict[str, Any]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of the action with that data; None if it no longer applies."""
    match data.get("do"):
        case "all":
            return _fix_all(server, snapshot)
        case "refactor":
            return _refactor.edit_of(server, snapshot, data)
        case "revise":
            from skillgauge.lsp.features import _revise

            return _revise.edit_of(server, snapshot, data)
        case "fix" | "ignore" | "disable" as do:
            finding = _find(snapshot, data)
            return _edit(server, snapshot, finding, do) if finding is not None else None
        case _:
            return None


def _find(snapshot: Snapshot, data: dict[str, Any]) -> Finding | None:
    """Return the finding that an action was made for, at its place or, after edits, the nearest."""
    code, message, start = data.get("code"), data.get("message"), data.get("start")
    at = start if isinstance(start, int) else 0
    same = [
        item for item in snapshot.result.findings if (item.code, item.message) == (code, message)
    ]
    return min(same, key=lambda item: abs(item.span.start - at), default=None)


def _edit(
    server: SkillgaugeServer, snapshot: Snapshot, finding: Finding, do: str
) -> lsp.WorkspaceEdit | None:
    if do == "disable":
        return _disable(server, snapshot, finding)
    if do == "ignore":
        if not isinstance(snapshot.document, Skill):
            return None
        return workspace_edit(server, snapshot, [suppression(snapshot.document, finding)])
    if finding.fix is None or not snapshot.mends(finding):
        return None
    return workspace_edit(server, snapshot, finding.fix.edits, rename=finding.fix.rename)


def _fix_all(server: SkillgaugeServer, snapshot: Snapshot) -> lsp.WorkspaceEdit | None:
    assert snapshot.document is not None
    settings = snapshot.config.settings(snapshot.path)
    mended = fix_document(snapshot.document, settings, seconds=SECONDS)
    if mended.stopped:
        message = "Fixing all took too long and was ended early; ask again for the rest."
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, message))
    edits = changed_regions(snapshot.text.content, mended.text)
    return workspace_edit(server, snapshot, edits) if edits else None


def changed_regions(old: str, new: str) -> list[Edit]:
    """Return edits that turn `old` into `new`, line by line, so that the rest stays untouched.

    Where too many lines are alike to be matched in time, all between the first and the last
    change is one edit.
    """
    before, after = split_lines(old, keep=True), split_lines(new, keep=True)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    offset = sum(map(len, before[:first]))
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    before, after = before[first : len(before) - last], after[first : len(after) - last]
    if not before and not after:
        return []
    starts = [offset]
    for line in before:
        starts.append(starts[-1] + len(line))
    if _alike(before, after) > MAX_ALIKE:
        return [Edit(Span(starts[0], starts[-1]), "".join(after))]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        Edit(Span(starts[i1], starts[i2]), "".join(after[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _alike(before: list[str], after: list[str]) -> int:
    """Return the pairs of equal lines, by which the time grows that matching takes."""
    ours, theirs = Counter(before), Counter(after)
    return sum(number * theirs[line] for line, number in ours.items())


def _disable(
    server: SkillgaugeServer, snapshot: Snapshot, finding: Finding
) -> lsp.WorkspaceEdit | None:
    """Return the edit of the configuration file in force, or the making of one."""
    known = snapshot.config.path
    if known is None:
        return _new_configuration(server, snapshot, finding)
    held = server.session.at(known)
    if held is None:
        return None
    pyproject = known.name == "pyproject.toml"
    edit = ignore_rule(held.text.content, finding.code, pyproject=pyproject)
    if edit is None:
        return None
    return versioned(server, held, [to_text_edit(held.text, edit, server.session.encoding)])


def _new_configuration(
    server: SkillgaugeServer, snapshot: Snapshot, finding: Finding
) -> lsp.WorkspaceEdit | None:
    root = snapshot.config.root if snapshot.path else None
    edit = ignore_rule("", finding.code)
    if root is None or edit is None or not can(server, lsp.ResourceOperationKind.Create):
        return None
    uri = server.session.uri_of(root / "skillgauge.toml")
    return lsp.WorkspaceEdit(document_changes=creation(uri, edit.text))
