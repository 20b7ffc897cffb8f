"""Between our values and the protocol's: the only place that knows both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.session import Session
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.rule import Edit, Finding, Fix, Related
    from skillgauge.text import Encoding, Position, Span, Text

SOURCE: Final = "skillgauge"
"""The `source` of every diagnostic of ours: clients and tests filter by it."""

TAGS: Final = {
    "unnecessary": lsp.DiagnosticTag.Unnecessary,
    "deprecated": lsp.DiagnosticTag.Deprecated,
}
_MARKS: Final = re.compile(r"\*\*|(?<!\\)`+|^(?:---|\| --- .*)$\n?", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]\n]+)\]\((\S+?)\)")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]<>#|~])")


def to_position(text: Text, offset: int, encoding: Encoding) -> lsp.Position:
    """Return an offset as line and column in the client's code units."""
    line, units = text.units(offset, encoding)
    return lsp.Position(line, units)


def to_range(text: Text, span: Span, encoding: Encoding) -> lsp.Range:
    """Return a range in the client's code units."""
    return lsp.Range(to_position(text, span.start, encoding), to_position(text, span.end, encoding))


def from_position(text: Text, position: lsp.Position, encoding: Encoding) -> int:
    """Return the offset of a client's position; one past a line's end means its end."""
    return text.offset_of_units(position.line, position.character, encoding)


def from_range(text: Text, where: lsp.Range, encoding: Encoding) -> Span:
    """Return a client's range as offsets."""
    from skillgauge.text import Span

    start = from_position(text, where.start, encoding)
    return Span(start, max(start, from_position(text, where.end, encoding)))


def to_location(session: Session, path: Path, start: Position, end: Position) -> lsp.Location:
    """Return a place in another file, given as lines and columns in code points.

    The file is read for that, since the client counts in other units; one that can't be is taken
    to have nothing but characters of one unit.
    """
    text = session.text_of(path)
    if text is None:
        where = lsp.Range(lsp.Position(*start), lsp.Position(*end))
    else:
        first, last = text.offset(*start), text.offset(*end)
        encoding = session.encoding
        where = lsp.Range(to_position(text, first, encoding), to_position(text, last, encoding))
    return lsp.Location(session.uri_of(path), where)


def to_diagnostics(server: SkillgaugeServer, snapshot: Snapshot) -> list[lsp.Diagnostic]:
    """Return the findings that the client is shown: all but those that its editor has itself."""
    from skillgauge.lsp.duplicates import without_duplicates

    found: Iterable[Finding] = snapshot.result.findings
    host = server.session.around.options.host_diagnostics
    if host is not None:
        found = without_duplicates(snapshot, host)
    return [to_diagnostic(server, snapshot, item) for item in found]


def to_diagnostic(server: SkillgaugeServer, snapshot: Snapshot, finding: Finding) -> lsp.Diagnostic:
    """Return a finding as the protocol has it."""
    from skillgauge.rules import by_key, url_of
    from skillgauge.text import encodable

    rule = by_key().get(finding.code)
    related = [_related(server, snapshot, item) for item in finding.related]
    return lsp.Diagnostic(
        range=to_range(snapshot.text, finding.span, server.session.encoding),
        message=encodable(finding.message),  # it may quote bytes that are no text
        severity=lsp.DiagnosticSeverity(5 - finding.severity),  # the protocol's worst is 1
        code=finding.code,
        code_description=lsp.CodeDescription(url_of(rule)) if rule else None,
        source=SOURCE,
        tags=[TAGS[tag] for tag in finding.tags] or None,
        related_information=related or None,
        data={"rule": finding.rule, "fix": _fix_kind(finding.fix)},
    )


def _related(
    server: SkillgaugeServer, snapshot: Snapshot, item: Related
) -> lsp.DiagnosticRelatedInformation:
    from skillgauge.text import encodable

    message = encodable(item.message)
    if item.path is None and item.span is not None:
        where = to_range(snapshot.text, item.span, server.session.encoding)
        return lsp.DiagnosticRelatedInformation(lsp.Location(snapshot.uri, where), message)
    path = item.path or snapshot.path
    if path is None:
        start = lsp.Position(0, 0)
        location = lsp.Location(snapshot.uri, lsp.Range(start, start))
    else:
        location = to_location(server.session, path, item.start, item.end)
    return lsp.DiagnosticRelatedInformation(location, message)


def _fix_kind(fix: Fix | None) -> str | None:
    return None if fix is None else "safe" if fix.safe else "unsafe"


def to_text_edit(text: Text, edit: Edit, encoding: Encoding) -> lsp.TextEdit:
    """Return an edit in the client's code units."""
    return lsp.TextEdit(to_range(text, edit.span, encoding), edit.text)


def markup(text: str, formats: Sequence[lsp.MarkupKind] | None) -> lsp.MarkupContent:
    """Return Markdown, or plain text made of it for a client that takes nothing else."""
    if formats is None or lsp.MarkupKind.Markdown in formats:
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.MarkupContent(lsp.MarkupKind.PlainText, plain(text))


def plain(text: str) -> str:
    """Return Markdown of ours as plain text."""
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1 <\2>", _MARKS.sub("", text)))
