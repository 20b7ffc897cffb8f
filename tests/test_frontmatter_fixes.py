"""Fixes of the rules on keys and values: nothing is lost, nothing else moves, and they settle."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.engine import Settings, check
from skillgauge.fix import fix, with_text
from skillgauge.rule import Severity
from skillgauge.rules import all_rules

from .helpers import skill

CODES = [rule.code for rule in all_rules() if "F030" <= rule.code <= "F059"]
SETTINGS = Settings("none", dict.fromkeys(CODES, Severity.WARNING))

LINES = (
    "version: 1.10",
    "version: '1'  # quoted",
    "author: Ada, Bob",
    "author:",
    "tags: [a, b]",
    'tags: ["a, b", c]',
    "tags:\n  - a\n  - b",
    "tags:\n- a\n- b",
    "origin: ECC # ours",
    "summary: >-\n  folded\n  text",
    "homepage: https://example.com/#x",
    "moon-phase: {full: true}",
    "Licence: MIT",
    "allowed_tools: Read, Grep",
    "allowed-tools: [Read, 'Bash(git add *)']",
    "argument-hint: [issue]",
    "context: forked",
    'user-invocable: "yes"',
    "compatibility: [git, gh]",
    "compatibility:\n  - git\n  - gh",
    "metadata:\n    kind: x\n    level: 3",
    "metadata: {kind: x, level: 3}",
    "metadata:",
    "# a comment",
    "",
)
NAMES = ("name: pdf-tools", "name: PDF Tools", "name: yes", 'name: "-pdf"', "name:", "Name: pdf")
DESCRIPTIONS = ("description: Reads <x>.", "description: |\n  Reads\n  PDFs.", "descripton: PDFs")


@st.composite
def frontmatters(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.sampled_from(LINES), max_size=6, unique_by=lambda line: line[:4]))
    lines.insert(0, draw(st.sampled_from(NAMES)))
    lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(DESCRIPTIONS)))
    text = "---\n" + "\n".join(lines) + "\n---\n# Title\n\nText.\n"
    return text.replace("\n", draw(st.sampled_from(("\n", "\r\n"))))


def texts(value: Any) -> list[str]:
    """All scalars of a value, lists joined: what must survive a move."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts(item)]
    if isinstance(value, list):
        return [", ".join(value)]
    return [] if value is None else [str(value)]


def read(text: str) -> dict[str, Any]:
    return yaml.load(text.split("---")[1], Loader=yaml.BaseLoader)


@settings(max_examples=150, deadline=None)
@given(frontmatters(), st.sampled_from([(), ("claude-ai",), ("cursor", "codex"), ("spec",)]))
def test_fixes_settle_and_keep_the_words(text: str, clients: tuple[str, ...]) -> None:
    document = skill(text, folder="pdf-tools", clients=clients)
    fixed = fix(document, SETTINGS, unsafe=True)
    after = with_text(document, fixed.text)
    again = fix(after, SETTINGS, unsafe=True)
    assert again.text == fixed.text
    assert fixed.text.count("#") == text.count("#")
    assert fixed.text.count("\r\n") == fixed.text.count("\n") or "\r" not in text
    assert fixed.text.endswith(text[-18:])
    before, now = read(text), read(fixed.text)
    moved = {**now, **(now.get("metadata") if isinstance(now.get("metadata"), dict) else {})}
    for key in ("version", "author", "tags", "origin", "homepage", "summary", "moon-phase"):
        if key in before:
            assert texts(moved[key]) == texts(before[key])


@settings(max_examples=150, deadline=None)
@given(frontmatters(), st.sampled_from([(), ("claude-ai",), ("cursor", "codex"), ("spec",)]))
def test_a_key_has_one_finding_about_its_being_there(text: str, clients: tuple[str, ...]) -> None:
    document = skill(text, folder="pdf-tools", clients=clients)
    found = check(document, SETTINGS, structure=False).findings
    places = [item.span for item in found if item.code in ("F048", "F049", "F052", "F053")]
    assert len(places) == len(set(places))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("version: 1.0\nauthor: Ada", 'metadata:\n  version: "1.0"\n  author: Ada'),
        ("tags: [a]\nlicense: MIT\norigin: x", 'metadata:\n  tags: "a"\n  origin: x\nlicense: MIT'),
        ("# who\nauthor: Ada\n\nversion: x", "metadata:\n  # who\n  author: Ada\n  version: x\n"),
    ],
)
def test_several_keys_move_one_after_the_other(before: str, after: str) -> None:
    head = "name: pdf-tools\ndescription: Reads PDFs.\n"
    document = skill(f"---\n{head}{before}\n---\n", clients=("claude-ai",))
    fixed = fix(document, SETTINGS, unsafe=True)
    assert fixed.text == f"---\n{head}{after}\n---\n"
