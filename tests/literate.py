"""Literate rule cases: Markdown with carets under what must be found.

A case is a `##` heading with a block ````` ````skill ````` (or `evals`). Below a line of it stand
caret lines for the findings of the rule under test that begin on that line:

    Delete several logs.
           ^^^^^^^ vague-quantity: says no amount

The carets cover the finding's range; `^…` at their end means that it runs on to a later line. The
words behind the colon must stand in the message. No carets: nothing may be found. A block `fixed`
holds the text after the rule's fixes; without it nothing is asked of fixes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from skillgauge.engine import Document, run
from skillgauge.fix import apply_edits, select
from skillgauge.rule import Finding, Rule

from .helpers import Example

_CARETS = re.compile(
    r"^(?P<indent>[^\S\n]*)(?P<carets>\^+)(?P<on>…?) (?P<rule>[a-z0-9-]+)(?:: (?P<words>.*))?$"
)


@dataclass(frozen=True)
class Expected:
    """What a caret line asks for; line and columns from 0."""

    line: int
    start: int
    end: int
    runs_on: bool
    words: str


def parse(code: str) -> tuple[str, list[Expected]]:
    """Split a block into the text proper and what its caret lines ask for."""
    lines: list[str] = []
    expected: list[Expected] = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", code):  # other separators are no line breaks
        match = _CARETS.match(line.rstrip("\n"))
        if match:
            start = len(match["indent"])
            end = start + len(match["carets"])
            expected.append(
                Expected(len(lines) - 1, start, end, bool(match["on"]), match["words"] or "")
            )
        else:
            lines.append(line)
    return "".join(lines), expected


def seen(document: Document, finding: Finding) -> Expected:
    """Return a finding as a caret line would show it; an empty range shows one caret."""
    text = document.text
    line, start = text.position(finding.span.start)
    end_line, end = text.position(finding.span.end)
    if end_line > line:
        end = len(text.line(line))
    return Expected(line, start, max(end, start + 1), end_line > line, finding.message)


def check_case(rule: Rule, example: Example) -> None:
    """Assert that the rule finds exactly what the case's carets ask for, and fixes it as shown."""
    kind = "evals" if rule.target == "evals" else "skill"
    _, code = example.blocks[kind][0]
    text, expected = parse(code)
    document = example.document(kind, text)
    findings = run(rule, document)
    found = sorted((seen(document, finding) for finding in findings), key=_place)
    expected.sort(key=_place)
    assert [_place(item) for item in found] == [_place(item) for item in expected], (
        f"{rule.name}, “{example.title}”: found {found}"
    )
    for got, asked in zip(found, expected, strict=True):
        assert asked.words in got.words, f"“{asked.words}” not in “{got.words}”"
    for _, wanted in example.blocks.get("fixed", []):
        chosen = select(findings, unsafe=True)
        edits = [edit for finding in chosen if finding.fix for edit in finding.fix.edits]
        assert apply_edits(text, edits) == wanted, f"{rule.name}, “{example.title}”"


def _place(item: Expected) -> tuple[int, int, int, bool]:
    return item.line, item.start, item.end, item.runs_on
