"""The `spec` profile agrees with the Agent Skills specification, and with nothing else.

Each row is a small skill with the specification's verdict: the field that is wrong, none if the
skill is valid. Only errors count; where the specification's text and its reference validator differ
the profile may remark on it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillgauge.document.skill import Skill
from skillgauge.engine import check, profile_settings
from skillgauge.rule import Finding, Severity

from .helpers import skill

NAME = "name: pdf-tools"
DESCRIPTION = "description: Splits and merges PDF files. Use when single pages are wanted."
BOTH = f"{NAME}\n{DESCRIPTION}"

# title: (frontmatter, the field that is wrong or "", the folder's name)
CASES: dict[str, tuple[str, str, str]] = {
    "the two required fields": (BOTH, "", "pdf-tools"),
    "all six fields": (
        f"{BOTH}\nlicense: Apache-2.0\ncompatibility: Requires git\nmetadata:\n"
        '  author: example-org\n  version: "1.0"\nallowed-tools: Bash(git:*) Read',
        "",
        "pdf-tools",
    ),
    "digits in the name": (f"name: a1-2b\n{DESCRIPTION}", "", "a1-2b"),
    "a name of one letter": (f"name: a\n{DESCRIPTION}", "", "a"),
    "a name of 64 characters": (f"name: {'a' * 64}\n{DESCRIPTION}", "", "a" * 64),
    "a name of 65 characters": (f"name: {'a' * 65}\n{DESCRIPTION}", "name", "a" * 65),
    "no name": (DESCRIPTION, "name", "pdf-tools"),
    "an empty name": (f"name: ''\n{DESCRIPTION}", "name", "pdf-tools"),
    "a name with capitals": (f"name: PDF-tools\n{DESCRIPTION}", "name", "PDF-tools"),
    "a name with an underscore": (f"name: pdf_tools\n{DESCRIPTION}", "name", "pdf_tools"),
    "a name with a colon": (f"name: git:co\n{DESCRIPTION}", "name", "git-co"),
    "a hyphen at the start of the name": (f'name: "-pdf"\n{DESCRIPTION}', "name", "-pdf"),
    "a hyphen at the end of the name": (f"name: pdf-\n{DESCRIPTION}", "name", "pdf-"),
    "two hyphens in a row": (f"name: pdf--tools\n{DESCRIPTION}", "name", "pdf--tools"),
    "another folder": (f"name: pdf\n{DESCRIPTION}", "name", "pdf-tools"),
    "a name that is a list": (f"name: [pdf]\n{DESCRIPTION}", "name", "pdf"),
    "a name in another alphabet": (f"name: рисунок\n{DESCRIPTION}", "", "рисунок"),
    "the words of a client in the name": (f"name: claude-notes\n{DESCRIPTION}", "", "claude-notes"),
    "no description": (NAME, "description", "pdf-tools"),
    "an empty description": (f"{NAME}\ndescription:", "description", "pdf-tools"),
    "a blank description": (f'{NAME}\ndescription: "  "', "description", "pdf-tools"),
    "a description of 1,024 characters": (f"{NAME}\ndescription: {'é' * 1024}", "", "pdf-tools"),
    "a description of 1,025 characters": (
        f"{NAME}\ndescription: {'é' * 1025}",
        "description",
        "pdf-tools",
    ),
    "a description that is a list": (f"{NAME}\ndescription: [a, b]", "description", "pdf-tools"),
    "angle brackets in the description": (f"{NAME}\ndescription: Reads <x>.", "", "pdf-tools"),
    "a colon that ends the description for YAML": (
        f"{NAME}\ndescription: Splits PDFs: fast.",
        "description",
        "pdf-tools",
    ),
    "a description in a block": (f"{NAME}\ndescription: >-\n  Splits\n  PDFs.", "", "pdf-tools"),
    "compatibility of 500 characters": (f"{BOTH}\ncompatibility: {'a' * 500}", "", "pdf-tools"),
    "compatibility of 501 characters": (
        f"{BOTH}\ncompatibility: {'a' * 501}",
        "compatibility",
        "pdf-tools",
    ),
    "empty compatibility": (f"{BOTH}\ncompatibility:", "compatibility", "pdf-tools"),
    "a list of compatible things": (f"{BOTH}\ncompatibility: [git]", "compatibility", "pdf-tools"),
    "metadata that is no map": (f"{BOTH}\nmetadata: [a]", "metadata", "pdf-tools"),
    "metadata with a number": (f"{BOTH}\nmetadata:\n  version: 1.0", "metadata", "pdf-tools"),
    "metadata with a map in it": (
        f"{BOTH}\nmetadata:\n  openclaw:\n    emoji: x",
        "metadata",
        "pdf-tools",
    ),
    "commas between the tools": (
        f"{BOTH}\nallowed-tools: Read, Grep",
        "allowed-tools",
        "pdf-tools",
    ),
    "a list of tools": (f"{BOTH}\nallowed-tools:\n  - Read", "allowed-tools", "pdf-tools"),
    "tools that nobody has": (f"{BOTH}\nallowed-tools: Hammer Nail", "", "pdf-tools"),
    "a key of Claude Code": (f"{BOTH}\nargument-hint: x", "argument-hint", "pdf-tools"),
    "a key in common use": (f'{BOTH}\nversion: "1.0"', "version", "pdf-tools"),
    "a key of nobody": (f"{BOTH}\nmoon-phase: full", "moon-phase", "pdf-tools"),
    "a misspelt key": (f"{BOTH}\nlicens: MIT", "licens", "pdf-tools"),
    "a misspelt required key": (f"{NAME}\nDescription: Splits PDFs.", "Description", "pdf-tools"),
}


def made(frontmatter: str, folder: str, **options: str) -> Skill:
    return skill(f"---\n{frontmatter}\n---\n# Title\n\nText.\n", folder=folder, **options)


def errors(document: Skill) -> list[Finding]:
    found = check(document, profile_settings("spec")).findings
    return [finding for finding in found if finding.severity is Severity.ERROR]


def field_of(document: Skill, finding: Finding) -> str:
    """The frontmatter key that a finding is about."""
    block = document.frontmatter
    assert block is not None
    for entry in (*block.entries, *block.broken):
        if entry.span.start <= finding.span.start <= entry.span.end:
            return entry.key
    return finding.rule.removesuffix("-missing")


@pytest.mark.parametrize("title", CASES)
def test_verdict(title: str) -> None:
    frontmatter, field, folder = CASES[title]
    document = made(frontmatter, folder)
    found = errors(document)
    assert [field_of(document, finding) for finding in found] == ([field] if field else []), found


def test_the_file_must_have_its_name() -> None:
    document = made(BOTH, "pdf-tools", file_name="skill.md")
    assert [finding.rule for finding in errors(document)] == ["file-name"]


@pytest.mark.parametrize("clients", [(), ("claude-code",), ("openclaw", "claude-ai"), ("nobody",)])
def test_targets_and_places_make_no_difference(clients: tuple[str, ...]) -> None:
    for frontmatter, field, folder in CASES.values():
        plain = made(frontmatter, folder)
        placed = replace(plain, clients=clients)
        if plain.path:
            placed = replace(placed, path=plain.path.parent.parent / ".claude/skills/x/SKILL.md")
        assert errors(placed) == errors(plain)
        assert bool(errors(plain)) is bool(field)


def test_a_repository_root_is_no_exception() -> None:
    document = skill(f"---\n{BOTH}\n---\n", {".gitignore": ""}, folder="clone")
    assert [finding.rule for finding in errors(document)] == ["name-differs-from-folder"]


def test_other_alphabets_are_remarked_on() -> None:
    document = made(*CASES["a name in another alphabet"][::2])
    found = check(document, profile_settings("spec")).findings
    assert [(item.rule, item.severity) for item in found] == [("name-characters", Severity.INFO)]


def test_what_the_specification_leaves_open_is_not_judged() -> None:
    text = "#### Deep\n\nTODO " + "very long " * 9000 + "\n[x](missing.md)\n```\nnever closed\n"
    document = skill(f"---\n{BOTH}\n---\n{text}", folder="pdf-tools")
    assert not errors(document)
