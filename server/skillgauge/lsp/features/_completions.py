"""What can be completed where: read from the line, since a text that is being typed is broken."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote

from skillgauge.document.anchors import anchors
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.lsp.features._hover import about_key, about_rule
from skillgauge.lsp.features._links import base_of, folder_of, skill_file
from skillgauge.lsp.features._words import EVAL_KEYS, SECTIONS
from skillgauge.lsp.uris import Kind
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.clients import Key
    from skillgauge.lsp.session import Session
    from skillgauge.lsp.snapshot import Snapshot

ItemKind = Literal["key", "value", "tool", "file", "anchor", "section", "rule", "skill"]


@dataclass(frozen=True, slots=True)
class Offer:
    """One completion: `span` is replaced by `text`; `topic` is what resolving explains."""

    label: str
    text: str
    span: Span
    kind: ItemKind
    detail: str = ""
    topic: str = ""
    snippet: bool = False


_KEY: Final = re.compile(r"[A-Za-z][\w-]*\Z|\Z")
_VALUE: Final = re.compile(r"(?P<key>[\w-]+):[ \t]+(?P<typed>.*)\Z")
_TOOL: Final = re.compile(r"[\w-]*\Z")
_LINK: Final = re.compile(r"\]\((?P<typed>[^()\s]*)\Z")
_CODE: Final = re.compile(r"(?:^|[^`])`(?P<typed>[^`\s]*)\Z")
_IGNORE: Final = re.compile(
    r"skillgauge:\s*ignore(?:-file)?\s+(?:[\w-]+\s*,\s*)*(?P<typed>[\w-]*)\Z"
)
_EVAL_KEY: Final = re.compile(r"[{,]?\s*\"(?P<typed>[\w-]*)\Z")
_HEADING: Final = re.compile(r"(?:#{1,3} ?[A-Za-z ]*)?\Z")
_CONFIG_RULE: Final = re.compile(r"[\"'](?P<typed>[A-Z]\d{0,3}|)\Z")


def offers(session: Session, snapshot: Snapshot, offset: int) -> Iterator[Offer]:
    """Yield what can be completed at an offset."""
    line = snapshot.text.line_span(snapshot.text.line_of(offset))
    before = snapshot.text.content[line.start : offset]
    if match := (_CONFIG_RULE if snapshot.kind is Kind.CONFIG else _IGNORE).search(before):
        yield from _rules(Span(line.start + match.start("typed"), offset))
    elif snapshot.kind is Kind.CONFIG:
        return
    elif snapshot.kind is Kind.EVALS:
        if match := _EVAL_KEY.search(before):
            yield from _eval_keys(Span(line.start + match.start("typed"), offset))
    elif snapshot.kind is Kind.SKILL and _in_frontmatter(snapshot, offset):
        yield from _frontmatter(snapshot, line, before, offset)
    elif match := _LINK.search(before):
        yield from _targets(session, snapshot, Span(line.start + match.start("typed"), offset))
    elif match := _CODE.search(before):
        where = Span(line.start + match.start("typed"), offset)
        yield from _files(session, snapshot, where)
        yield from _skills(snapshot, where)
    elif snapshot.kind is Kind.SKILL and _HEADING.match(before):
        yield from _sections(Span(line.start, offset))


def _in_frontmatter(snapshot: Snapshot, offset: int) -> bool:
    block = snapshot.skill.frontmatter
    return block is not None and block.inner.start <= offset <= block.inner.end


def _frontmatter(snapshot: Snapshot, line: Span, before: str, offset: int) -> Iterator[Offer]:
    if _KEY.match(before) and ":" not in snapshot.text.slice(line):
        yield from _keys(snapshot, Span(line.start, offset))
        return
    key, typed_at = _key_above(snapshot, line, before)
    typed = Span(line.start + typed_at, offset)
    if key in ("allowed-tools", "disallowed-tools"):
        match = _TOOL.search(before)
        start = line.start + (match.start() if match else len(before))
        yield from _tools(snapshot, Span(start, offset))
    elif key == "name" and snapshot.path is not None:
        yield Offer(snapshot.path.parent.name, snapshot.path.parent.name, typed, "value", "folder")
    elif key == "license":
        for name in ("Apache-2.0", "MIT", "BSD-3-Clause", "CC-BY-4.0"):
            yield Offer(name, name, typed, "value")
    elif key:
        for value in _values(snapshot, key):
            yield Offer(value, value, typed, "value", topic=f"key:{key}")


def _key_above(snapshot: Snapshot, line: Span, before: str) -> tuple[str, int]:
    """Return the key whose value is being typed and the column where what is typed begins."""
    if match := _VALUE.match(before):
        return match["key"], match.start("typed")
    column = len(before) - len(before.lstrip(" \t-"))
    number = snapshot.text.line_of(line.start)
    for above in range(number - 1, -1, -1):
        text = snapshot.text.line(above)
        if match := re.match(r"([\w-]+):", text):
            return match[1], column
        if not text.startswith((" ", "\t", "-")):
            break
    return "", column


def _known_keys(snapshot: Snapshot) -> dict[str, tuple[Key, list[str]]]:
    """Return each key that the specification or a client knows, with the titles of its readers."""
    from skillgauge.clients import load, spec_keys

    found: dict[str, tuple[Key, list[str]]] = {key.name: (key, []) for key in spec_keys()}
    for client in load():
        if snapshot.clients and client.id not in snapshot.clients:
            continue
        for key in client.keys:
            if "." not in key.name:
                found.setdefault(key.name, (key, []))[1].append(client.title)
    return found


def _keys(snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    block = snapshot.skill.frontmatter
    present = {entry.key for entry in block.entries} if block else set[str]()
    for name, (key, titles) in _known_keys(snapshot).items():
        if name in present:
            continue
        detail = ", ".join(titles) if titles else "specification"
        nested = key.type == "map"
        text = f"{name}:\n  " if nested else f"{name}: "
        yield Offer(name, text, span, "key", detail, topic=f"key:{name}")


def _values(snapshot: Snapshot, key: str) -> tuple[str, ...]:
    known = _known_keys(snapshot).get(key)
    if known is None:
        return ()
    return known[0].values or (("true", "false") if known[0].type == "boolean" else ())


def _tools(snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    from skillgauge.clients import load

    seen: dict[str, list[str]] = {}
    for client in load():
        if not snapshot.clients or client.id in snapshot.clients:
            for tool in client.tools:
                seen.setdefault(tool, []).append(client.title)
    for tool, titles in seen.items():
        yield Offer(tool, tool, span, "tool", ", ".join(titles))


def _files(session: Session, snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    """Yield the skill's files, written as they are from a file in a folder of it."""
    owner, folder = skill_file(snapshot), folder_of(session, snapshot)
    if owner is None or folder is None:
        return
    base = base_of(snapshot, owner)
    own = snapshot.path.name if snapshot.path else ""
    for path, info in folder.files.items():
        if path == (f"{base}/{own}" if base else own) or path.startswith("evals/"):
            continue
        written = posixpath.relpath(path, base) if base else path
        yield Offer(written, written, span, "file", f"{info.size} bytes", topic=f"file:{path}")


def _skills(snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    skills = snapshot.workspace.skills if snapshot.workspace else ()
    for summary in skills:
        if summary.path != snapshot.path:
            detail = summary.description.split("\n", 1)[0][:80]
            yield Offer(summary.name, summary.name, span, "skill", detail)


def _targets(session: Session, snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    typed = snapshot.text.slice(span)
    path, hash_sign, _ = typed.partition("#")
    if not hash_sign:
        for offer in _files(session, snapshot, span):
            escaped = offer.text.replace(" ", "%20")
            yield Offer(offer.label, escaped, span, "file", offer.detail, offer.topic)
        return
    markdown = snapshot.skill.markdown
    if path:
        owner, folder = skill_file(snapshot), folder_of(session, snapshot)
        if owner is None or folder is None:
            return
        target = posixpath.normpath(posixpath.join(base_of(snapshot, owner), unquote(path)))
        text = folder.read(target)
        if text is None:
            return
        markdown = read_markdown(text)
    for name in anchors(markdown):
        yield Offer(f"#{name}", f"{path}#{name}", span, "anchor")


def _sections(span: Span) -> Iterator[Offer]:
    for title, text in SECTIONS.items():
        yield Offer(f"## {title}", text, span, "section", "section skeleton", snippet=True)


def _rules(span: Span) -> Iterator[Offer]:
    from skillgauge.rules import all_rules

    for rule in all_rules():
        yield Offer(rule.code, rule.code, span, "rule", rule.name, topic=f"rule:{rule.code}")


def _eval_keys(span: Span) -> Iterator[Offer]:
    for name, meaning in EVAL_KEYS.items():
        yield Offer(name, name, span, "key", meaning)


def explanation(session: Session, snapshot: Snapshot, topic: str) -> str:
    """Return what resolving a completion says of its topic, in Markdown."""
    kind, _, name = topic.partition(":")
    if kind == "key":
        return about_key(name, snapshot.clients)
    if kind == "rule":
        return about_rule(name)
    folder = folder_of(session, snapshot) if kind == "file" else None
    text = folder.read(name) if folder else None
    return f"````\n{text[:600].replace('````', '')}\n````" if text else ""
