"""Hover: why a rule fires and how to mend it; what a frontmatter key means to each client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.nodes import Entry, Mapping
from skillgauge.document.references import Reference
from skillgauge.lsp.convert import from_position, markup, to_range
from skillgauge.lsp.session import Kind, Snapshot
from skillgauge.rule import Finding
from skillgauge.rules import by_key, url_of
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.clients import Client
    from skillgauge.lsp.server import SkillgaugeServer

_WHY = re.compile(r"^## Why is this bad\?\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MAX_PREVIEW = 600
_TITLE = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def register(server: SkillgaugeServer) -> None:
    """Register hover."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        encoding = server.session.encoding
        offset = from_position(snapshot.text, params.position, encoding)
        parts = list(_parts(snapshot, offset))
        if not parts:
            return None
        where = min((span for span, _ in parts), key=lambda span: span.end - span.start)
        text = "\n\n---\n\n".join(text for _, text in parts)
        document = server.client_capabilities.text_document
        known = document.hover if document else None
        value = markup(text, known.content_format if known else None)
        return lsp.Hover(value, to_range(snapshot.text, where, encoding))


def _parts(snapshot: Snapshot, offset: int) -> Iterator[tuple[Span, str]]:
    for finding in snapshot.result.findings:
        if finding.span.contains(offset):
            yield finding.span, about_finding(finding)
    if snapshot.kind is not Kind.SKILL:
        return
    skill = snapshot.skill
    if skill.frontmatter is not None and offset < skill.body.start:
        for key, entry in _keys(skill.frontmatter.entries):
            if entry.key_span.contains(offset):
                yield entry.key_span, about_key(key, snapshot.clients)
        return
    for reference in skill.references:
        if reference.touches(offset):
            yield reference.span, about_file(snapshot, reference)


def about_finding(finding: Finding) -> str:
    """Return a finding's message, the reason behind its rule, its fix and the way to the page."""
    rule = by_key().get(finding.code)
    if rule is None:
        return finding.message
    why = _WHY.search(rule.page)
    lines = [f"**{finding.code} {finding.rule}**: {_plain(finding.message)}"]
    if why:
        lines.append(why[1].strip())
    if finding.fix is not None:
        note = "" if finding.fix.safe else " (unsafe: read what it does)"
        lines.append(f"Fix: {_plain(finding.fix.title)}{note}.")
    lines.append(f"[The rule's page]({url_of(rule)})")
    return "\n\n".join(lines)


def _plain(text: str) -> str:
    """Escape what a message quotes from the document: it must not become Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


def _keys(entries: tuple[Entry, ...], prefix: str = "") -> Iterator[tuple[str, Entry]]:
    for entry in entries:
        yield prefix + entry.key, entry
        if isinstance(entry.value, Mapping) and not prefix:
            yield from _keys(entry.value.entries, f"{entry.key}.")


def about_key(key: str, targeted: tuple[str, ...]) -> str:
    """Return what a key means, and what comes of it in each client, the targeted ones first."""
    from skillgauge.clients import known_key, load, spec_keys, standing

    spec = next((item for item in spec_keys() if item.name == key), None)
    readers = known_key(key)
    meaning = spec or next(iter(readers.values()), None)
    lines = [f"**{_plain(key)}**" + (f" ({meaning.type})" if meaning else "")]
    if meaning:
        lines.append(_plain(meaning.meaning))
        if meaning.values:
            lines.append("Values: " + ", ".join(f"`{value}`" for value in meaning.values))
    source = "the agentskills.io specification" if spec else ""
    if not readers and not spec:
        lines.append("No known client reads this key.")
    clients = sorted(load(), key=lambda client: (client.id not in targeted, client.title.lower()))
    rows = [_row(key, client, client.id in targeted, standing(key, client)) for client in clients]
    lines.append("| client | effect |\n| --- | --- |\n" + "\n".join(rows))
    if source:
        lines.append(f"Source: {source}")
    return "\n\n".join(lines)


_EFFECTS = {
    "read": "reads it",
    "accepted": "accepts it, no known effect",
    "ignored": "ignores it",
    "warning": "warns about it",
    "error": "refuses the skill",
    "unknown": "not known",
}


def _row(key: str, client: Client, targeted: bool, standing: str) -> str:
    title = f"**{client.title}**" if targeted else client.title
    own = client.key(key)
    effect = _EFFECTS[standing]
    if own is not None and standing == "read":
        effect += f": {_plain(own.meaning)}"
    return f"| {title} | {effect} |"


def about_file(snapshot: Snapshot, reference: Reference) -> str:
    """Return a referenced file's path, size and first lines."""
    target = reference.target
    if target is None or snapshot.folder is None:
        return f"`{reference.path or '#' + (reference.anchor or '')}`"
    info = snapshot.folder.files.get(target)
    if info is None:
        there = target in snapshot.folder.directories
        return f"`{target}`" + (" (folder)" if there else ": not in the skill's folder")
    text = snapshot.folder.read(target)
    lines = [f"`{target}` · {_size(info.size)}"]
    if text is not None and "\0" not in text[:1000]:
        lines[0] += f" · {text.count(chr(10)) + 1} lines"
        heads = _TITLE.findall(text) if target.lower().endswith(".md") else []
        if heads:
            lines.append("\n".join(f"- {_plain(head)}" for head in heads[:12]))
        else:
            preview = text[:_MAX_PREVIEW].rstrip().replace("````", "")
            lines.append(f"````\n{preview}\n````")
    return "\n\n".join(lines)


def _size(size: int) -> str:
    return f"{size} bytes" if size < 1024 else f"{size / 1024:.1f} KiB"
