"""What there is to say about a place: findings, keys, placeholders, files, rules, skills."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Mapping, walk
from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.lsp.features._links import folder_of, references_of, skill_named_at
from skillgauge.lsp.features._words import EVAL_KEYS
from skillgauge.lsp.uris import Kind
from skillgauge.rule import Finding
from skillgauge.rules import by_key, url_of
from skillgauge.text import Span, split_lines
from skillgauge.tokens import estimate_tokens

if TYPE_CHECKING:
    from skillgauge.clients import Client
    from skillgauge.document.folder import Folder
    from skillgauge.lsp.session import Session
    from skillgauge.lsp.snapshot import Snapshot

_WHY: Final = re.compile(r"^## Why is this bad\?\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_TITLE: Final = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
_RULE: Final = re.compile(r"\b[A-Z]\d{3}\b")
_PLACEHOLDER: Final = re.compile(r"\$\{\w+\}|\$ARGUMENTS(?:\[\d+\])?|\$\d\b|\{baseDir\}")
_MAX_PREVIEW: Final = 600
_MAX_HEADINGS: Final = 12
_MAX_LONGEST: Final = 5

Part = tuple[Span, str]


def parts(session: Session, snapshot: Snapshot, offset: int) -> Iterator[Part]:
    """Yield what there is to say about an offset, each with the range that it is about."""
    for finding in snapshot.result.findings:
        if finding.span.contains(offset):
            yield finding.span, about_finding(finding)
    if snapshot.problem:
        return
    yield from _rules_named(snapshot, offset)
    if isinstance(snapshot.document, EvalFile):
        yield from _eval_keys(snapshot.document, offset)
    elif snapshot.kind is Kind.SKILL and offset < snapshot.skill.body.start:
        yield from _frontmatter(snapshot, offset)
    elif snapshot.kind is not Kind.CONFIG:
        yield from _body(session, snapshot, offset)


def _rules_named(snapshot: Snapshot, offset: int) -> Iterator[Part]:
    """Yield the rule whose code stands in a comment that silences it, or in the configuration."""
    line = snapshot.text.line_span(snapshot.text.line_of(offset))
    content = snapshot.text.content
    if snapshot.kind is Kind.CONFIG or "skillgauge:" in content[line.start : line.end]:
        for match in _RULE.finditer(content, line.start, line.end):
            span = Span(*match.span())
            if span.contains(offset) and (text := about_rule(match[0])):
                yield span, text


def _frontmatter(snapshot: Snapshot, offset: int) -> Iterator[Part]:
    front = snapshot.skill.frontmatter
    for key, entry in _keys(front.entries if front else ()):
        if entry.key_span.contains(offset):
            yield entry.key_span, about_key(key, snapshot.clients)
        if key == "description" and entry.span.contains(offset):
            text = f"{_about_length(snapshot.skill)}\n\n{about_lists(snapshot)}"
            on_key = entry.key_span.contains(offset)
            yield entry.key_span if on_key else entry.value.span, text.rstrip()


def _eval_keys(document: EvalFile, offset: int) -> Iterator[Part]:
    for node in walk(document.reading.root):
        for entry in node.entries if isinstance(node, Mapping) else ():
            if entry.key_span.contains(offset) and entry.key in EVAL_KEYS:
                yield entry.key_span, f"**{_plain(entry.key)}**\n\n{EVAL_KEYS[entry.key]}"


def _body(session: Session, snapshot: Snapshot, offset: int) -> Iterator[Part]:
    for reference in references_of(session, snapshot):
        if reference.touches(offset):
            yield reference.span, about_file(folder_of(session, snapshot), reference)
    line = snapshot.text.line_span(snapshot.text.line_of(offset))
    for match in _PLACEHOLDER.finditer(snapshot.text.content, line.start, line.end):
        span = Span(*match.span())
        if span.contains(offset) and (text := about_placeholder(match[0], snapshot.clients)):
            yield span, text
    summary = skill_named_at(snapshot, offset)
    for code in snapshot.skill.markdown.code_spans if summary else ():
        if summary and code.content.contains(offset):
            text = f"**{_plain(summary.name)}** (skill)\n\n{_plain(summary.description)}"
            yield code.content, text


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


def about_rule(code: str) -> str:
    """Return what a rule finds, and the way to its page; empty if there is no such rule."""
    rule = by_key().get(code)
    if rule is None:
        return ""
    return f"**{rule.code} {rule.name}**\n\n{rule.summary}\n\n[The rule's page]({url_of(rule)})"


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
    if not readers and not spec:
        lines.append("No known client reads this key.")
    clients = sorted(load(), key=lambda client: (client.id not in targeted, client.title.lower()))
    rows = [_row(key, client, client.id in targeted, standing(key, client)) for client in clients]
    lines.append("| client | effect |\n| --- | --- |\n" + "\n".join(rows))
    if spec:
        lines.append("Source: the agentskills.io specification")
    return "\n\n".join(lines)


_EFFECTS: Final = {
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


def _about_length(skill: Skill) -> str:
    """Return how long the description is, and which clients cut or refuse it at which length."""
    from skillgauge.clients import load

    text = skill.description or ""
    parts = [f"This one has {len(text):,} characters, about {estimate_tokens(text)} tokens."]
    for client in load():
        cut, most = client.budget.description_cut, client.budget.description_max
        if cut is not None and len(text) > cut.value:
            parts.append(f"{client.title} cuts it at {cut.value:,}.")
        elif most is not None and len(text) > most.value:
            parts.append(f"{client.title} takes at most {most.value:,}.")
    return " ".join(parts)


def about_lists(snapshot: Snapshot) -> str:
    """Return how full the clients' lists of skills are, and what becomes of this entry there."""
    from skillgauge.listing import entry_length, fullness, listings_of, overflow

    if snapshot.workspace is None or snapshot.path is None:
        return ""
    lines: list[str] = []
    for found, own in listings_of(snapshot.workspace, snapshot.path, snapshot.clients):
        length = entry_length(own, found.client)
        text = f"- {found.client.title}'s list: {fullness(found)}, this entry {length:,}."
        if found.full:
            longest = sorted(found.skills, key=lambda item: -entry_length(item, found.client))
            names = ", ".join(f"`{item.name}`" for item in longest[:_MAX_LONGEST])
            text += f" {overflow(found.client)} Entries of at most {found.share:,} would all fit."
            text += f" The longest: {names}."
        lines.append(" ".join(text.split()))
    return "\n".join(lines)


def about_placeholder(text: str, targeted: tuple[str, ...]) -> str:
    """Return which clients replace a placeholder by what; empty if none is known to."""
    from skillgauge.clients import load

    name = re.sub(r"\d+", "N", text)
    rows = [
        f"- {client.title}: {_plain(item.meaning)}"
        for client in sorted(load(), key=lambda client: client.id not in targeted)
        for item in client.substitutions
        if item.name == name
    ]
    return f"`{text}`\n\n" + "\n".join(rows) if rows else ""


def about_file(folder: Folder | None, reference: Reference) -> str:
    """Return a referenced file's path, size and first lines."""
    target = reference.target
    if target is None or folder is None:
        return f"`{reference.path or '#' + (reference.anchor or '')}`"
    info = folder.files.get(target)
    if info is None:
        if target in folder.directories:
            return f"`{target}` (folder)"
        return f"`{target}`: not in the skill's folder" if target else f"`#{reference.anchor}`"
    text = folder.read(target)
    lines = [f"`{target}` · {_size(info.size)}"]
    if text is not None and "\0" not in text[:1000]:
        lines[0] += f" · {len(split_lines(text))} lines"
        heads = _TITLE.findall(text) if target.lower().endswith(".md") else []
        if heads:
            lines.append("\n".join(f"- {_plain(head)}" for head in heads[:_MAX_HEADINGS]))
        else:
            preview = text[:_MAX_PREVIEW].rstrip().replace("````", "")
            lines.append(f"````\n{preview}\n````")
    return "\n\n".join(lines)


def _size(size: int) -> str:
    return f"{size} bytes" if size < 1024 else f"{size / 1024:.1f} KiB"
