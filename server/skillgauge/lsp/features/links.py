"""Links to a skill's files and to the web; definition; references from a file back to its skill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.anchors import anchors
from skillgauge.document.evals import EvalFile
from skillgauge.document.files import read_file
from skillgauge.document.folder import DiskFolder
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.nodes import Scalar, walk
from skillgauge.document.references import Reference, read_references
from skillgauge.document.workspace import SkillSummary
from skillgauge.lsp.convert import code_point_range, from_position, to_location, to_range
from skillgauge.lsp.session import Kind, Snapshot, uri_of
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

WEB = ("http://", "https://")
MAX_REFERRERS = 200
"""Files of one skill's folder that are searched for references."""


def register(server: SkillgaugeServer) -> None:
    """Register document links, definition and references."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions())
    def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind is Kind.CONFIG:
            return []
        encoding = server.session.encoding
        return [
            lsp.DocumentLink(to_range(snapshot.text, span, encoding), target)
            for span, target in document_links(snapshot)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = from_position(snapshot.text, params.position, server.session.encoding)
        for reference in references_of(snapshot):
            if reference.touches(offset):
                return _target(server, snapshot, reference)
        summary = skill_named_at(snapshot, offset)
        if summary is not None:
            return lsp.Location(uri_of(summary.path), code_point_range(summary.start, summary.end))
        return None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def referrers(params: lsp.ReferenceParams) -> list[lsp.Location]:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.path is None:
            return []
        offset = from_position(snapshot.text, params.position, server.session.encoding)
        wanted = snapshot.path
        for reference in references_of(snapshot):
            if reference.touches(offset) and reference.target:
                base = skill_file(snapshot)
                wanted = (base.parent if base else snapshot.path.parent) / reference.target
        return list(_referrers(server, snapshot, wanted))


def skill_file(snapshot: Snapshot) -> Path | None:
    """Return the SKILL.md of the folder that a file lies in, at most three levels up."""
    if snapshot.path is None:
        return None
    if snapshot.kind is Kind.SKILL:
        return snapshot.path
    for folder in list(snapshot.path.parents)[:3]:
        candidate = folder / "SKILL.md"
        if candidate.is_file():
            return candidate
    return None


def references_of(snapshot: Snapshot) -> tuple[Reference, ...]:
    """Return the references of a skill or of a Markdown file in its folder."""
    if snapshot.kind is Kind.SKILL:
        return snapshot.skill.references
    if snapshot.path is None or snapshot.path.suffix.lower() not in (".md", ".mdx"):
        return ()
    owner = skill_file(snapshot)
    if owner is None:
        return ()
    base = snapshot.path.parent.relative_to(owner.parent).as_posix()
    markdown = read_markdown(snapshot.text.content)
    return read_references(markdown, DiskFolder(owner.parent), "" if base == "." else base)


def document_links(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the ranges that lead somewhere, each with the URI of its target."""
    taken: set[Span] = set()
    owner = skill_file(snapshot)
    for reference in references_of(snapshot):
        if reference.target and reference.exists and owner is not None:
            uri = uri_of(owner.parent / reference.target)
            taken.add(reference.span)
            yield reference.span, uri + (f"#{reference.anchor}" if reference.anchor else "")
    markdown = snapshot.skill.markdown
    for link in markdown.links:
        web = link.destination.startswith(WEB) and link.target.end > link.target.start
        if web and link.target not in taken:
            taken.add(link.target)
            yield link.target, link.destination
    yield from _skill_mentions(snapshot)


def _skill_mentions(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the code spans that are exactly the name of another skill of the workspace."""
    if snapshot.workspace is None:
        return
    names = {summary.name: summary for summary in snapshot.workspace.skills}
    for code in snapshot.skill.markdown.code_spans:
        summary = names.get(code.text.strip().removeprefix("/"))
        if summary is not None and summary.path != snapshot.path:
            yield code.content, uri_of(summary.path)


def skill_named_at(snapshot: Snapshot, offset: int) -> SkillSummary | None:
    """Return the skill of the workspace whose name stands at an offset."""
    if snapshot.workspace is None:
        return None
    content = snapshot.text.content
    start = end = offset
    while start > 0 and (content[start - 1].isalnum() or content[start - 1] in "-_"):
        start -= 1
    while end < len(content) and (content[end].isalnum() or content[end] in "-_"):
        end += 1
    word = content[start:end]
    found = [item for item in snapshot.workspace.skills if item.name == word]
    return next((item for item in found if item.path != snapshot.path), None)


def _target(
    server: SkillgaugeServer, snapshot: Snapshot, reference: Reference
) -> lsp.Location | None:
    owner = skill_file(snapshot)
    if reference.target is None or (owner is None and reference.target):
        return None
    if reference.target == "" or owner is None:
        path, text = snapshot.path, snapshot.text
    else:
        path = owner.parent / reference.target
        if path.is_dir():
            return None
        held = server.session.snapshot(uri_of(path))
        text = held.text if held else read_file(path)[0]
    if path is None or not path.exists():
        return None
    span = Span(0, 0)
    if reference.anchor:
        span = anchors(read_markdown(text.content)).get(reference.anchor, span)
    return to_location(path, text, span, server.session.encoding)


def _referrers(
    server: SkillgaugeServer, snapshot: Snapshot, wanted: Path
) -> Iterator[lsp.Location]:
    owner = skill_file(snapshot)
    if owner is None:
        return
    folder = server.session.folder(owner.parent)
    names = [path for path in folder.files if path.lower().endswith((".md", ".mdx"))]
    for name in names[:MAX_REFERRERS]:
        held = server.session.snapshot(uri_of(owner.parent / name))
        if held is None:
            continue
        for reference in references_of(held):
            if reference.target and owner.parent / reference.target == wanted:
                yield to_location(
                    owner.parent / name, held.text, reference.span, server.session.encoding
                )
    yield from _evals(server, owner, wanted)


def _evals(server: SkillgaugeServer, owner: Path, wanted: Path) -> Iterator[lsp.Location]:
    """Yield where an evaluation file names the file among a case's `files`."""
    held = server.session.snapshot(uri_of(owner.parent / "evals" / "evals.json"))
    if held is None or held.document is None:
        return
    assert isinstance(held.document, EvalFile)
    for node in walk(held.document.reading.root):
        if isinstance(node, Scalar) and node.text and owner.parent / node.text == wanted:
            yield to_location(held.path or owner, held.text, node.span, server.session.encoding)
