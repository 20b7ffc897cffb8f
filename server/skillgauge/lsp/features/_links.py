"""What a document refers to, and who refers to a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from skillgauge.discover import EVAL_NAMES, find_skill
from skillgauge.document.anchors import anchors
from skillgauge.document.evals import EvalFile
from skillgauge.document.folder import normalise
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.nodes import Scalar, walk
from skillgauge.document.references import Reference, read_references
from skillgauge.document.workspace import SkillSummary
from skillgauge.lsp.convert import to_range
from skillgauge.lsp.uris import Kind
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.document.folder import Folder
    from skillgauge.lsp.session import Session
    from skillgauge.lsp.snapshot import Snapshot

WEB: Final = ("http://", "https://")
MARKDOWN: Final = (".md", ".mdx")
MAX_REFERRERS: Final = 200
"""Files of one skill's folder that are searched for references."""
MAX_LEVELS: Final = 4
"""Folders upwards in which a file's skill is looked for."""


def skill_file(snapshot: Snapshot) -> Path | None:
    """Return the SKILL.md of the folder that a file lies in, a few levels up at most."""
    if snapshot.path is None:
        return None
    if snapshot.kind is Kind.SKILL:
        return snapshot.path
    for folder in list(snapshot.path.parents)[:MAX_LEVELS]:
        if (found := find_skill(str(folder))) is not None:
            return Path(found)
    return None


def folder_of(session: Session, snapshot: Snapshot) -> Folder | None:
    """Return the folder of the skill that a file belongs to."""
    owner = skill_file(snapshot)
    return session.around.folder(owner.parent) if owner else None


def base_of(snapshot: Snapshot, owner: Path) -> str:
    """Return a file's directory within its skill's folder, "" for the folder itself."""
    assert snapshot.path is not None
    base = snapshot.path.parent.relative_to(owner.parent).as_posix()
    return "" if base == "." else base


def references_of(session: Session, snapshot: Snapshot) -> tuple[Reference, ...]:
    """Return the references of a skill or of a Markdown file in its folder."""
    if snapshot.kind is Kind.SKILL:
        return snapshot.skill.references
    if snapshot.path is None or snapshot.path.suffix.lower() not in MARKDOWN:
        return ()
    owner = skill_file(snapshot)
    if owner is None:
        return ()
    folder = session.around.folder(owner.parent)
    return read_references(snapshot.skill.markdown, folder, base_of(snapshot, owner))


def files_named(session: Session, snapshot: Snapshot) -> Iterator[tuple[Span, Path]]:
    """Yield where an evaluation file names files that its cases need."""
    if not isinstance(snapshot.document, EvalFile) or snapshot.folder is None:
        return
    folder = snapshot.folder
    for node in walk(snapshot.document.reading.root):
        if isinstance(node, Scalar) and node.text and len(node.text) < 300:
            for base in ("", "evals/"):
                target = normalise(base + node.text)
                if target and target in folder.files:
                    yield node.span, folder.root / target
                    break


def document_links(session: Session, snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the ranges that lead somewhere, each with the URI of its target."""
    if snapshot.kind is Kind.EVALS:
        for span, path in files_named(session, snapshot):
            yield span, session.uri_of(path)
        return
    taken: set[Span] = set()
    owner = skill_file(snapshot)
    for reference in references_of(session, snapshot):
        if reference.target and reference.exists and owner is not None:
            uri = session.uri_of(owner.parent / reference.target)
            taken.add(reference.span)
            yield reference.span, uri + (f"#{reference.anchor}" if reference.anchor else "")
    if owner is None and snapshot.kind is not Kind.SKILL:
        return
    for link in snapshot.skill.markdown.links:
        web = link.destination.startswith(WEB) and link.target.end > link.target.start
        if web and link.target not in taken:
            taken.add(link.target)
            yield link.target, link.destination
    yield from _skill_mentions(session, snapshot)


def _skill_mentions(session: Session, snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the code spans that are exactly the name of another skill of the workspace."""
    if snapshot.workspace is None:
        return
    names = {summary.name: summary for summary in snapshot.workspace.skills}
    for code in snapshot.skill.markdown.code_spans:
        summary = names.get(code.text.strip().removeprefix("/"))
        if summary is not None and summary.path != snapshot.path:
            yield code.content, session.uri_of(summary.path)


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


def target_of(session: Session, snapshot: Snapshot, offset: int) -> lsp.Location | None:
    """Return where the reference or file name at an offset leads."""
    for span, path in files_named(session, snapshot):
        if span.contains(offset):
            return _place(session, path, session.text_of(path), Span(0, 0))
    for reference in references_of(session, snapshot):
        if reference.touches(offset):
            return _target(session, snapshot, reference)
    return None


def _target(session: Session, snapshot: Snapshot, reference: Reference) -> lsp.Location | None:
    owner = skill_file(snapshot)
    if reference.target is None or (owner is None and reference.target):
        return None
    if reference.target == "" or owner is None:
        where = _heading(snapshot.text, reference.anchor)
        return lsp.Location(snapshot.uri, to_range(snapshot.text, where, session.encoding))
    path = owner.parent / reference.target
    if not path.is_file():
        return None
    text = session.text_of(path)
    where = _heading(text, reference.anchor) if text is not None else Span(0, 0)
    return _place(session, path, text, where)


def _heading(text: Text, anchor: str | None) -> Span:
    """Return where a heading stands, the text's beginning if it has none of that name."""
    if not anchor:
        return Span(0, 0)
    return anchors(read_markdown(text.content)).get(anchor, Span(0, 0))


def _place(session: Session, path: Path, text: Text | None, span: Span) -> lsp.Location:
    top = lsp.Position(0, 0)
    where = to_range(text, span, session.encoding) if text is not None else lsp.Range(top, top)
    return lsp.Location(session.uri_of(path), where)


def asked_for(session: Session, snapshot: Snapshot, offset: int) -> Path | None:
    """Return the file whose referrers are asked for: the one named there, or the document."""
    for span, path in files_named(session, snapshot):
        if span.contains(offset):
            return path
    for reference in references_of(session, snapshot):
        if reference.touches(offset) and reference.target:
            owner = skill_file(snapshot)
            return owner.parent / reference.target if owner else None
    return snapshot.path


def referrers(session: Session, snapshot: Snapshot, wanted: Path) -> Iterator[lsp.Location]:
    """Yield the places in a skill's folder that name a file."""
    owner = skill_file(snapshot)
    if owner is None:
        return
    folder = session.around.folder(owner.parent)
    names = [path for path in folder.files if path.lower().endswith(MARKDOWN)]
    names += [path for name in sorted(EVAL_NAMES) if (path := f"evals/{name}") in folder.files]
    for name in names[:MAX_REFERRERS]:
        held = session.at(owner.parent / name)
        if held is None:
            continue
        for reference in references_of(session, held):
            if reference.target and owner.parent / reference.target == wanted:
                where = to_range(held.text, reference.span, session.encoding)
                yield lsp.Location(held.uri, where)
        for span, path in files_named(session, held):
            if path == wanted:
                yield lsp.Location(held.uri, to_range(held.text, span, session.encoding))
