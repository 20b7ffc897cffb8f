"""The edits that give a skill another name: its `name`, and every mention in the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.document.workspace import SkillSummary, Workspace
from skillgauge.lsp.convert import to_range
from skillgauge.lsp.features._links import skill_named_at
from skillgauge.lsp.uris import Kind
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.lsp.session import Session
    from skillgauge.lsp.snapshot import Snapshot

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_UNBROKEN: Final = re.compile(r"[^\s<>()\"'`]+\Z")
MAX_NAME: Final = 64
SEARCHED: Final = (".md", ".mdx", ".json", ".jsonl", ".yaml", ".yml", ".toml")
MAX_FILES: Final = 5_000
"""Files of the workspace's skills that are searched for mentions."""


def is_name(text: str) -> bool:
    """Return whether the specification takes a text for a skill's name."""
    return len(text) <= MAX_NAME and _NAME.match(text) is not None


def skill_at(snapshot: Snapshot, offset: int) -> tuple[Span, str, Path | None] | None:
    """Return range, name and SKILL.md of the skill whose name stands at an offset."""
    value = snapshot.skill.value("name") if snapshot.kind is Kind.SKILL else None
    if value is not None and value.span.contains(offset) and value.text:
        return inside(value), value.text, snapshot.path
    summary = skill_named_at(snapshot, offset)
    if summary is None:
        return None
    for match in mentions(snapshot.text.content, summary.name):
        if match.contains(offset):
            return match, summary.name, summary.path
    return None


def inside(value: Scalar) -> Span:
    """Return the range of a value without its quotes."""
    quotes = 1 if value.style in ("single", "double") else 0
    return Span(value.span.start + quotes, value.span.end - quotes)


def mentions(text: str, name: str) -> Iterator[Span]:
    """Yield where a skill is mentioned for certain: never a word that merely looks the same.

    That is a name with a hyphen anywhere as a whole word; any other only in backticks, after a
    slash or dollar sign, as a folder in a path, or quoted in a JSON or YAML value. A web address
    is none.
    """
    bare = re.escape(name)
    for match in re.finditer(rf"(?<![\w-]){bare}(?![\w-])", text):
        if _in_address(text, match.start()):
            continue
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


def _in_address(text: str, offset: int) -> bool:
    """Return whether an offset lies in a web address: behind `://` without a blank or bracket."""
    start = max(offset - 300, 0)
    run = _UNBROKEN.search(text, start, offset)
    return run is not None and "://" in run[0]


def changes(
    session: Session, first: Snapshot, path: Path | None, old: str, new: str
) -> Iterator[tuple[Snapshot, list[lsp.TextEdit]]]:
    """Yield the files that change, each with its edits; `path` is the skill's own SKILL.md."""
    for held in _searched(session, first, path):
        spans = set(mentions(held.text.content, old))
        if path is not None and held.path == path:
            spans = {span for span in spans if _is_prose(held.skill, span)}
            own = held.skill.value("name")
            if own is not None and own.text == old:
                spans.add(inside(own))
        if spans:
            yield (
                held,
                [
                    lsp.TextEdit(to_range(held.text, span, session.encoding), new)
                    for span in sorted(spans)
                ],
            )


def _is_prose(skill: Skill, span: Span) -> bool:
    """Return whether a place is in the body or describes the skill: not in another key's value."""
    values = (skill.value(key) for key in ("description", "when_to_use"))
    inside = (value.span for value in values if value is not None)
    return span.start >= skill.body.start or any(item.contains(span.start) for item in inside)


def clash(workspace: Workspace | None, path: Path | None, new: str) -> SkillSummary | None:
    """Return another skill that has the new name already."""
    skills = workspace.skills if workspace else ()
    return next((item for item in skills if item.name == new and item.path != path), None)


def _searched(session: Session, first: Snapshot, path: Path | None) -> Iterator[Snapshot]:
    """Yield the document, then all text files in the workspace's skill folders."""
    yield first
    seen = {first.path}
    count = 0
    paths = {item.path for item in first.workspace.skills} if first.workspace else set[Path]()
    if path is not None:
        paths.add(path)
    for skill_path in sorted(paths):
        for name in session.around.folder(skill_path.parent).files:
            file = skill_path.parent / name
            if file in seen or not name.lower().endswith(SEARCHED):
                continue
            seen.add(file)
            held = session.at(file)
            if held is not None and not held.problem:
                yield held
            count += 1
            if count >= MAX_FILES:
                return
