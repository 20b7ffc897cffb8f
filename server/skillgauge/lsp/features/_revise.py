"""What there is to say of revisions: actions, edits with tab stops, and values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.convert import SOURCE, to_range, to_text_edit
from skillgauge.lsp.edits import takes_versions, workspace_edit
from skillgauge.lsp.revisions import REST
from skillgauge.lsp.score_hints import message_of, weak
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.revise import Offer
    from skillgauge.text import Span

KIND = lsp.CodeActionKind.RefactorRewrite


def actions(
    server: SkillgaugeServer, snapshot: Snapshot, where: Span, *, asked: bool
) -> Iterator[tuple[lsp.CodeAction, bool]]:
    """Yield the best offer for each metric, and whether it is only for those who ask for its kind.

    What is not known yet is worked out: at once if somebody asked, after a rest if only the cursor
    has moved.

    On the lines that pull a metric down it mends what the hint there says. Elsewhere it is a
    rewriting, shown unasked at the frontmatter alone, where the scores are.
    """
    if snapshot.kind is not Kind.SKILL:
        return
    server.revisions.look(snapshot, rest=0.0 if asked else REST)
    hints = {about.code: (about, score, span) for about, score, span in weak(server, snapshot)}
    seen: set[str] = set()
    for offer in server.revisions.of(snapshot) or ():
        code = offer.candidate.metric
        if code in seen:
            continue
        seen.add(code)
        hint = hints.get(code)
        if hint is not None and hint[2].overlaps(where):
            about, score, span = hint
            place = to_range(snapshot.text, span, server.session.encoding)
            said = lsp.Diagnostic(place, message_of(about, score), code=code, source=SOURCE)
            said.severity = lsp.DiagnosticSeverity.Hint
            yield _action(snapshot, offer, lsp.CodeActionKind.QuickFix, [said]), False
        else:
            yield _action(snapshot, offer, KIND), where.start >= snapshot.skill.body.start


def _action(
    snapshot: Snapshot,
    offer: Offer,
    kind: lsp.CodeActionKind,
    mended: list[lsp.Diagnostic] | None = None,
) -> lsp.CodeAction:
    data = {"uri": snapshot.uri, "do": "revise", "name": offer.candidate.name}
    return lsp.CodeAction(offer.title, kind=kind, diagnostics=mended, data=data)


def edit_of(
    server: SkillgaugeServer, snapshot: Snapshot, data: dict[str, Any]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of an offer; None if the text it was measured on is not the newest."""
    for offer in server.revisions.of(snapshot) or ():
        if offer.candidate.name == data.get("name"):
            if _takes_snippets(server) and offer.candidate.holes:
                return _with_tab_stops(server, snapshot, offer)
            return workspace_edit(server, snapshot, offer.candidate.edits)
    return None


def _takes_snippets(server: SkillgaugeServer) -> bool:
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    return edit is not None and bool(edit.snippet_edit_support) and takes_versions(server)


def _with_tab_stops(
    server: SkillgaugeServer, snapshot: Snapshot, offer: Offer
) -> lsp.WorkspaceEdit:
    """Return the edit whose suggestions are tab stops, so that each is looked at."""
    encoding = server.session.encoding
    edits = offer.candidate.edits
    changes = [
        lsp.SnippetTextEdit(to_range(snapshot.text, edit.span, encoding), lsp.StringValue(text))
        for edit, text in zip(edits, offer.candidate.snippets(), strict=True)
    ]
    document = lsp.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, changes)])


def as_json(server: SkillgaugeServer, uri: str) -> dict[str, Any]:
    """Return the offers for the newest text as values; `reason` says why there are none."""
    snapshot = server.session.snapshot(uri)
    made: dict[str, Any] = {"uri": uri, "version": snapshot.version if snapshot else None}
    offers = server.revisions.of(snapshot) if snapshot else None
    if snapshot is None or offers is None:
        reason = server.scores.reason or "The text is not scored, or has moved on"
        return {**made, "offers": [], "reason": reason}
    return {**made, "offers": [_plain(server, snapshot, offer) for offer in offers]}


def _plain(server: SkillgaugeServer, snapshot: Snapshot, offer: Offer) -> dict[str, Any]:
    encoding = server.session.encoding
    candidate = offer.candidate
    edits = [to_text_edit(snapshot.text, edit, encoding) for edit in candidate.edits]
    return {
        "metric": candidate.metric,
        "title": offer.title,
        "changes": {code: round(value, 4) for code, value in sorted(offer.changes.items())},
        "tokens": offer.tokens,
        "suggestions": list(candidate.suggestions()),
        "edits": [
            {
                "range": {
                    "start": {
                        "line": edit.range.start.line,
                        "character": edit.range.start.character,
                    },
                    "end": {"line": edit.range.end.line, "character": edit.range.end.character},
                },
                "newText": edit.new_text,
            }
            for edit in edits
        ],
    }
