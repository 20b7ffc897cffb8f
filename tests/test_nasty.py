"""Odd files of the kinds found in the wild: each fault is named at its place, and nothing else is.

The texts are made for these tests. A case lists the findings about the file's form: the rule, the
place (line and column from 1) and the text there. No findings: the comment says why the file is
fine.
"""

from __future__ import annotations

import pytest

from skillgauge.document.files import MAX_BYTES, check_size
from skillgauge.document.skill import Skill
from skillgauge.engine import check, profile_settings
from skillgauge.rule import Severity

from .helpers import skill

NAME = "name: notes\n"
DESCRIPTION = "description: Writes notes. Use when asked.\n"
GOOD = f"---\n{NAME}{DESCRIPTION}---\n"
OTHER_FAMILIES = ("hidden-unicode-tags", "stray-zero-width", "zero-width-run")
"""Rules outside the format family that judge characters."""


def found(document: Skill) -> list[tuple[str, str, str]]:
    """Return the warnings and errors about the form of a skill."""
    result = check(document, profile_settings("strict"), structure=False)
    findings = [
        finding
        for finding in result.findings
        if (finding.severity >= Severity.WARNING and finding.code.startswith("F"))
        or finding.rule in OTHER_FAMILIES
    ]
    places: list[tuple[str, str, str]] = []
    for finding in findings:
        line, column = document.text.position(finding.span.start)
        shown = document.text.slice(finding.span)
        places.append((finding.rule, f"{line + 1}:{column + 1}", shown))
    return places


def from_bytes(data: bytes) -> Skill:
    text, problem = check_size(data)
    return skill(text.content, folder="notes", problem=problem)


FAULTY = {
    "a comment before the frontmatter": (
        f"<!-- https://example.org/notes -->\n{GOOD}# Notes\n",
        [("frontmatter-not-first", "1:1", "<!-- https://example.org/notes -->")],
    ),
    "an empty first line": (
        f"\n{GOOD}# Notes\n",
        [("frontmatter-not-first", "2:1", "---")],
    ),
    "a quotation before the frontmatter": (
        f"> From a page\n\n{GOOD}# Notes\n",
        [("frontmatter-not-first", "1:1", "> From a page")],
    ),
    "a fence in a fence": (
        f"{GOOD}```markdown\n```[shell-type]\nx\n```\nmore\n```\n",
        [("fence-not-closed", "6:1", "```[shell-type]")],
    ),
    "frontmatter that nothing closes": (
        f"---\n{NAME}{DESCRIPTION}\n# Notes\n\n## Overview\n",
        [("frontmatter-not-closed", "1:1", "---")],
    ),
    "a formatter made a heading of the first key": (
        "---\n\n## name: notes\nversion: 1.0.0\n" + DESCRIPTION + "\n# Notes\n\nText.\n\n"
        "| a | b |\n| --- | --- |\n\n---\n\nMore.\n",
        [("frontmatter-not-closed", "1:1", "---"), ("name-missing", "1:1", "---")],
    ),
    "a readme within the frontmatter, and broken entries": (
        f'---\n{NAME}summary: "Notes"\n  in short.\n{DESCRIPTION}tools:\n  - - read\n- exec\n'
        "# Notes\n〉 Part of something.\n\n| a | b |\n| --- | --- |\n\n```text\nx y=z\n```\n\n"
        "price: 1\n---\nText.\n",
        [
            ("frontmatter-not-closed", "1:1", "---"),
            ("yaml-quote", "3:10", '"'),
            ("yaml-invalid", "8:1", "- exec"),
        ],
    ),
    "metadata as bold text": (
        "# Notes\n\n---\n\n**Name**: notes\n**Version**: 1.0.0\n\n---\n\n## Use\n",
        [("frontmatter-missing", "1:1", "# Notes")],
    ),
    "a merge conflict in the frontmatter": (
        f"---\n{NAME}{DESCRIPTION}<<<<<<< Updated upstream\nlicense: MIT\n=======\n"
        ">>>>>>> Stashed changes\n---\n# Notes\n",
        [("merge-conflict", "4:1", "<<<<<<< Updated upstream")],
    ),
    "slots of a template": (
        "---\nname: [TODO: lower-case-name]\ndescription: |\n  [TODO: say what it does]\n---\n"
        "# [TODO: title]\n",
        [
            ("name-not-string", "2:7", "[TODO: lower-case-name]"),
            ("leftover-template", "2:7", "[TODO: lower-case-name]"),
            ("leftover-template", "4:3", "[TODO: say what it does]"),
            ("leftover-template", "6:3", "[TODO: title]"),
        ],
    ),
    "the sentence of a template": (
        f"---\n{NAME}description: Replace with description of the skill.\n---\n# Notes\n",
        [("leftover-template", "3:14", "Replace with description")],
    ),
    "brackets in a row": (
        f"---\n{NAME}{DESCRIPTION}argument-hint: [date] [reason]\n---\n# Notes\n",
        [("yaml-flow-bracket", "4:16", "[")],
    ),
    "an at sign at the start, in another script": (
        f"---\n{NAME}description: @Observableを使用した状態管理。\n---\n# Notes\n",
        [("yaml-reserved-indicator", "3:14", "@")],
    ),
    "a comma at the start": (
        f"---\n{NAME}description: , it might be the next word\n---\n# Notes\n",
        [("yaml-reserved-indicator", "3:14", ",")],
    ),
    "a list that a generator indented anew": (
        f"---\n{NAME}{DESCRIPTION}tools:\n  - - read\n- exec\nprice: 1\n---\n# Notes\n",
        [("yaml-invalid", "6:1", "- exec")],
    ),
    "a literal description over the limit": (
        f"---\n{NAME}description: |\n  {'word ' * 300}\n---\n# Notes\n",
        [("description-too-long", "4:1027", ("word " * 300).strip()[1024:])],
    ),
    "a slash in the name": (
        f"---\nname: notes/android\n{DESCRIPTION}---\n# Notes\n",
        [("name-characters", "2:12", "/")],
    ),
    "blanks, capitals and Chinese in the name": (
        f'---\nname: "Notes 核心"\n{DESCRIPTION}---\n# Notes\n',
        [("name-characters", "2:8", "Notes 核心"[:8])],
    ),
    "an anchor, an alias and a merge key": (
        f"---\n{NAME}{DESCRIPTION}metadata:\n  a: &d\n    b: c\n  e:\n    <<: *d\n---\n# Notes\n",
        [("yaml-alias", "8:5", "<<: *d")],
    ),
    "a byte order mark, one CR LF among LF, and no frontmatter": (
        "\ufeff# 🧠 Notes\n**Text**\n\nMore\r\n",
        [
            ("byte-order-mark", "1:1", "\ufeff"),
            ("frontmatter-missing", "1:2", "# 🧠 Notes"),
            ("mixed-line-ends", "4:5", "\r\n"),
        ],
    ),
    "a byte order mark alone": (f"\ufeff{GOOD}# Notes\n", [("byte-order-mark", "1:1", "\ufeff")]),
    "box drawing that was encoded twice": (
        f"{GOOD}# Notes\n\n```\n\u00e2\u0094\u009c\u00e2\u0094\u0080 src\n```\n",
        [("control-character", "8:1", "\u00e2\u0094\u009c\u00e2\u0094\u0080")],
    ),
    "a zero-width blank within a word": (
        f"{GOOD}# Notes\n\nWrite no\u200btes.\n",
        [("stray-zero-width", "7:9", "\u200b")],
    ),
    "instructions in tag characters": (
        f"{GOOD}# Notes\n\nWrite notes.\U000e0001\U000e0041\U000e0042\U000e0043\n",
        [("hidden-unicode-tags", "7:13", "\U000e0001\U000e0041\U000e0042\U000e0043")],
    ),
    "a lost character": (
        f"{GOOD}## \ufffd Notes\n",
        [("replacement-character", "5:4", "\ufffd")],
    ),
    "a control character in the frontmatter": (
        f"---\n{NAME}description: Writes\u0080notes. Use when asked.\n---\n# Notes\n",
        [("control-character", "3:20", "\u0080")],
    ),
    "NUL in the body": (f"{GOOD}a\x00b\n", [("control-character", "5:2", "\x00")]),
    "NEL in a value": (
        f"---\n{NAME}description: Writes notes.\x85Use when asked.\n---\n# Notes\n",
        [("line-separator", "3:27", "\x85")],
    ),
    "two blocks in a row": (
        f"{GOOD}\n---\n{NAME}description: Writes more.\n---\n# Notes\n",
        [("frontmatter-twice", "6:1", "---")],
    ),
    "a key twice": (
        f"---\n{NAME}{DESCRIPTION}name: other\n---\n# Notes\n",
        [("duplicate-key", "4:1", "name")],
    ),
    "numbers where text belongs": (
        "---\nname: 123\ndescription: 5\n---\n# Notes\n",
        [("name-not-string", "2:7", "123"), ("description-not-string", "3:14", "5")],
    ),
    "an alias bomb": (
        f"---\n{NAME}{DESCRIPTION}a: &a [x, x]\nb: [*a, *a]\n---\n# Notes\n",
        [("yaml-alias", "5:5", "*a"), ("yaml-alias", "5:9", "*a")],
    ),
    "a Cyrillic letter in the name": (
        f"---\nname: n\u043etes\n{DESCRIPTION}---\n# Notes\n",
        [("name-characters", "2:8", "\u043e")],
    ),
    "no body": (GOOD, [("empty-body", "4:1", "---")]),
    "an empty file": ("", [("frontmatter-missing", "1:1", "")]),
}


@pytest.mark.parametrize("case", FAULTY)
def test_a_fault_is_named_at_its_place(case: str) -> None:
    text, expected = FAULTY[case]
    assert found(skill(text, folder=folder(text))) == expected


def folder(text: str) -> str | None:
    """Return a folder that the name agrees with, where the name itself is the fault."""
    return None if "name: notes/" in text or "name: n\u043e" in text else "notes"


LONG_EMOJI = "😀" * 1000 + " Use when asked: never."[:24]

FINE = {
    # Not one LF of its own, so every position and every `$` is put to the test.
    "CR LF throughout": f"{GOOD}# Notes\n\n```sh\nmake\n```\n\n- a\n- b\n".replace("\n", "\r\n"),
    # Emoji of several code points, and one that UTF-16 counts twice.
    "many emoji": f"{GOOD}# 🚀 Notes 👩‍💻\n\n✅ `x` 🏳️‍🌈 [é](https://e.org/é)\n",
    # The character is what the text is about, and stands in code.
    "U+FFFD in code": f"{GOOD}Lost emoji arrive as `\ufffd`.\n\n```\n\ufffd\n```\n",
    "one line of 60,000 characters": f"{GOOD}{'word ' * 12_000}\n",
    # The outer fence is longer, so CommonMark pairs them as meant.
    "fences in a longer fence": f"{GOOD}````prompt\n---\nmode: x\n---\n```js\n{{}}\n```\n````\n",
    "frontmatter shown in fences": f"{GOOD}" + "```markdown\n---\nname: x\n---\n```\n\n" * 22,
    "box drawing": f"{GOOD}```\n┌──┐\n│ a│\n└──┘\n```\n",
    "a body of one command": f"{GOOD}\nRun a `/grilling` session.\n",
    # Clients and YAML take blanks behind the three hyphens.
    "blanks behind the hyphens": f"--- \n{NAME}{DESCRIPTION}---\t\n# Notes\n",
    # The line is indented, so it closes nothing.
    "three hyphens in a block of text": f"---\n{NAME}description: |\n  Notes. Use when\n  ---\n"
    "  asked.\n---\n# Notes\n",
    # Code points count, not UTF-16 units.
    "1,023 characters with emoji": f"---\n{NAME}description: {'😀' * 1000} Use when I am asked to\n"
    "---\n# Notes\n",
    "no-break spaces in JSON": f'{GOOD}```json\n{{\n\u00a0\u00a0\u00a0\u00a0"a": 1\n}}\n```\n',
    "rules in the body": f"{GOOD}# Notes\n\n---\n\nText.\n\n---\n",
    "a description folded over lines": f"---\n{NAME}description: >-\n  Writes notes: short ones.\n"
    "  Use when asked.\n---\n# Notes\n",
}


@pytest.mark.parametrize("case", FINE)
def test_a_fine_file_has_no_findings(case: str) -> None:
    assert found(skill(FINE[case], folder="notes")) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (f"{GOOD}caf".encode() + b"\xe9\n", [("invalid-utf8", "5:4", "\udce9")]),
        (("\ufeff" + GOOD).encode("utf-16"), [("unreadable-file", "1:1", "")]),
        (bytes(range(256)) * 4, [("unreadable-file", "1:1", "")]),
        (GOOD.encode() + b"a" * MAX_BYTES, [("unreadable-file", "1:1", "")]),
    ],
    ids=["Latin-1", "UTF-16", "binary", "enormous"],
)
def test_bytes_that_are_no_text(data: bytes, expected: list[tuple[str, str, str]]) -> None:
    assert found(from_bytes(data)) == expected


@pytest.mark.parametrize("name", ["skill.md", "SKILL.MD", "Skill.md"])
def test_a_file_name_in_other_capitals(name: str) -> None:
    document = skill(f"{GOOD}# Notes\n", folder="notes", file_name=name)
    assert found(document) == [("file-name", "1:1", "---")]


def test_a_broken_entry_hides_no_other_finding() -> None:
    text = f"---\nname: Notes\n{DESCRIPTION}argument-hint: [a] [b]\nauthor: @me\n---\n\ufffd\n"
    rules = [rule for rule, _, _ in found(skill(text, folder="notes"))]
    assert rules == [
        "name-characters",
        "yaml-flow-bracket",
        "yaml-reserved-indicator",
        "replacement-character",
    ]
