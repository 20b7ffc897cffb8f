"""What can be completed where: read from the line, since a text that is being typed is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from skillgauge.document.anchors import anchors
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.lsp.session import Kind, Snapshot
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.clients import Key

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
_HEADING: Final = re.compile(r"#{0,3} ?[A-Za-z]*\Z")

SECTIONS: Final = {
    "When to use": "## When to use\n\n- ${1:A request that this skill is for}\n- ${2:Another}\n\n"
    "Not for: ${3:what looks alike but is not}\n",
    "Inputs and outputs": "## Inputs and outputs\n\n| | What | Default |\n| --- | --- | --- |\n"
    "| Input | ${1:file or value} | ${2:none} |\n| Output | ${3:file or reply} | |\n",
    "Workflow": "## Workflow\n\n1. ${1:First step, with its command}\n"
    "2. ${2:Check: how to see that the step worked}\n3. ${3:Last step}\n",
    "Example": "## Example\n\nRequest: ${1:what a user says}\n\n"
    "```text\n${2:what comes out}\n```\n",
    "Troubleshooting": "## Troubleshooting\n\n| What happens | What to do |\n| --- | --- |\n"
    "| ${1:message or symptom} | ${2:what to do, or when to stop and ask} |\n",
    "Limitations": "## Limitations\n\n- ${1:What the skill does not do}\n",
}
EVAL_KEYS: Final = {
    "skill_name": "The name of the skill that the cases are for.",
    "evals": "The list of cases.",
    "id": "A short name of the case, used once in the file.",
    "prompt": "What the user says.",
    "expected_output": "What a good result is, in words.",
    "assertions": "Statements about the result, each true or false by looking at it.",
    "files": "Files that the case needs, relative to the skill's folder.",
    "should_trigger": "false for a case in which the skill should not be used.",
    "expected_skill": "The skill that should be chosen, null for a case that is for none.",
    "expected_script": "The script that should be run.",
    "acceptable_skills": "Other skills that may be chosen as well.",
}


def offers(snapshot: Snapshot, offset: int) -> Iterator[Offer]:
    """Yield what can be completed at an offset."""
    line = snapshot.text.line_span(snapshot.text.line_of(offset))
    before = snapshot.text.content[line.start : offset]
    if match := _IGNORE.search(before):
        yield from _rules(Span(line.start + match.start("typed"), offset))
    elif snapshot.kind is Kind.EVALS:
        if match := _EVAL_KEY.search(before):
            yield from _eval_keys(Span(line.start + match.start("typed"), offset))
    elif snapshot.kind is Kind.SKILL and _in_frontmatter(snapshot, offset):
        yield from _frontmatter(snapshot, line, before, offset)
    elif match := _LINK.search(before):
        yield from _targets(snapshot, Span(line.start + match.start("typed"), offset))
    elif match := _CODE.search(before):
        yield from _files(snapshot, Span(line.start + match.start("typed"), offset))
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


def _files(snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    if snapshot.folder is None:
        return
    for path, info in snapshot.folder.files.items():
        if path != snapshot.skill.file_name and not path.startswith("evals/"):
            yield Offer(path, path, span, "file", f"{info.size} bytes", topic=f"file:{path}")


def _targets(snapshot: Snapshot, span: Span) -> Iterator[Offer]:
    typed = snapshot.text.slice(span)
    path, hash_sign, _ = typed.partition("#")
    if not hash_sign:
        for offer in _files(snapshot, span):
            escaped = offer.text.replace(" ", "%20")
            yield Offer(offer.label, escaped, span, "file", offer.detail, offer.topic)
        return
    markdown = snapshot.skill.markdown
    if path:
        text = snapshot.folder.read(path) if snapshot.folder else None
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
