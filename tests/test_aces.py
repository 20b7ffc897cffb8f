"""The ACES checks on small folders: which fire, what they cost, and what the score then is.

The expected values are worked out from the checks' definitions, not taken from a run.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from skillgauge.document.skill import load_skill
from skillgauge.engine import Result, check, profile_settings
from skillgauge.rule import Severity
from skillgauge.rules import all_rules

FRONT = """\
---
name: invoice-rows
description: Converts invoice PDF files into rows. Use when a user asks for a table.
version: 1.0.0
metadata:
  author: Ada
  tags: [pdf]
---
"""
BODY = """
# Invoice rows

## Purpose

Rows from paper.

## Prerequisites

A reader of PDF.

## Instructions

- Run it on one page.
- Then on all of them.

## Examples

| page | rows |
| --- | --- |
| 1 | 12 |

## Limitations

Handwriting is not read.

## Troubleshooting

An error names its page.
"""


def _check(
    tmp_path: Path, text: str, files: dict[str, str] | None = None, folder: str = "invoice-rows"
) -> Result:
    root = tmp_path / folder
    root.mkdir()
    (root / "SKILL.md").write_bytes(text.encode())
    for name, content in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return check(load_skill(root / "SKILL.md"), profile_settings("aces"))


def _codes(result: Result) -> set[str]:
    assert result.structure is not None
    return {
        taken.code
        for dimension in result.structure.dimensions.values()
        for taken in dimension.deductions
    }


def _scores(result: Result) -> list[float]:
    assert result.structure is not None
    return [dimension.score for dimension in result.structure.dimensions.values()]


def test_nothing_fires(tmp_path: Path) -> None:
    result = _check(tmp_path, FRONT + BODY)
    assert _codes(result) == set()
    assert result.structure is not None
    assert (result.structure.score, result.structure.grade) == (100.0, "A")


def test_everything_optional_is_missing(tmp_path: Path) -> None:
    text = "---\nname: invoice-rows\ndescription: Use when a user asks for a table.\n---\nDo it.\n"
    result = _check(tmp_path, text)
    expected = {"C001", "C018", "C019", "C020", "C021", "D007", "R001", "R004", "R005", "R006"}
    assert _codes(result) == expected
    assert _scores(result) == [65.0, 95.0, 75.0, 100.0]
    assert result.structure is not None
    # 22.75 + 23.75 + 18.75 + 15 = 80.25, which is nearer to the even 80.2
    assert (result.structure.score, result.structure.grade) == (80.2, "B")


def test_points_and_severities(tmp_path: Path) -> None:
    """The profile tells every deduction once, with the severity that the check has."""
    text = FRONT.replace("name: invoice-rows", "name: Claude-<b>") + BODY
    result = _check(tmp_path, text, {"references/12.md": "[a](b.md)", "references/x.json": "{}"})
    assert _scores(result) == [55.0, 100.0, 100.0, 80.0]
    told = {finding.code: finding.severity for finding in result.findings}
    ours = {code: told[code] for code in told if code[0] in "CDRE"}
    assert ours == {
        "C005": Severity.ERROR,
        "C006": Severity.ERROR,
        "C007": Severity.ERROR,
        "E006": Severity.INFO,
        "E007": Severity.WARNING,
        "E008": Severity.INFO,
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("---\n\n#", "-----x\n\n#"), set()),  # the closing line is known by its first signs
        (("---\n\n#", "...\n\n#"), set()),  # this closes nothing: then there is no frontmatter
        (("version: 1.0.0", "version:"), {"C019"}),
        (("author: Ada", "author:"), {"C020"}),
        (("[pdf]", "[]"), set()),
        (("  author: Ada\n  tags: [pdf]", "  - a"), {"C020", "C021"}),
        (("metadata:\n  author: Ada\n  tags: [pdf]", "metadata: 3"), {"C020", "C021"}),
        (("name: invoice-rows", "name:"), {"C005"}),
        (("name: invoice-rows", "name: no"), {"C005"}),
        (("name: invoice-rows", "name: 2024"), set()),
        (("name: invoice-rows", "name: 2024-01-02"), set()),
        (("1.0.0", "2024-13-45"), set()),  # no date after all: a text
        (("1.0.0", "<b>"), {"C004"}),
        (("Ada", "Ada <ada@example.com>"), set()),
        (("Converts invoice PDF files into rows. Use when a user asks for a table.", ""), None),
    ],
)
def test_frontmatter(tmp_path: Path, change: tuple[str, str], expected: set[str] | None) -> None:
    old, new = change
    text = FRONT + BODY
    assert old in text
    result = _check(tmp_path, text.replace(old, new, 1))
    # An empty description is the word None: 4 characters, and none of the words that D003 wants.
    assert _codes(result) == ({"D001", "D003"} if expected is None else expected)


@pytest.mark.parametrize(
    "front",
    [
        "",
        "\ufeff" + FRONT,
        "\n" + FRONT,
        "---\n---\n",
        "---\n- a\n---\n",
        "---\nname: [x\ndescription: a: b\n---\n",
        "---\nname: &a [*a, *b]\n---\n",
        "---\na: !unknown x\n---\n",
    ],
    ids=["none", "bom", "blank line", "empty", "list", "broken", "alias", "tag"],
)
def test_no_frontmatter_costs_nothing(tmp_path: Path, front: str) -> None:
    """What is no mapping is not judged at all, and a broken skill can have full marks."""
    assert _codes(_check(tmp_path, front + BODY + "- more\n" * 4)) == set()


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends(tmp_path: Path, line_end: str) -> None:
    """The reference reads with universal newlines; our places are those in the file."""
    text = (FRONT + BODY.replace("- ", "").replace("Run it", "Leverage it")).replace("\n", line_end)
    result = _check(tmp_path, text)
    assert _codes(result) == {"E003", "E004", "E005"}
    told = {finding.code: finding.span for finding in result.findings}
    assert text[slice(*told["E005"])] == "Leverage"
    assert text[slice(*told["E003"])] == "## Instructions"


@pytest.mark.parametrize(
    ("files", "kind", "expected"),
    [
        ({"scripts/a.js": ""}, "guide-only", set()),
        ({"scripts/sub/a.py": ""}, "guide-only", set()),
        ({"scripts/a.sh": ""}, "script-based", {"C011", "C012"}),
        ({"scripts/a.py": "raise X"}, "script-based", {"C011", "C012"}),
        (
            {"scripts/a.py": "", "x/__init__.py": "", "x/a.py": ""},
            "hybrid",
            {"C011", "C012", "R002"},
        ),
        ({"scripts/a.sh": "", "assets/a": ""}, "hybrid", {"C011", "C012"}),
        ({"x/__init__.py": "", "x/y/a.py": "if not 1: 2"}, "lib-based", {"C013", "C014", "R003"}),
        ({"x/__init__.py": "", "pyproject.toml": ""}, "lib-based", {"C014"}),
        ({"x/__init__.py": "", "templates/a": ""}, "lib-based", {"C013", "C014", "C016"}),
        ({"tests/__init__.py": "", ".x/__init__.py": ""}, "guide-only", set()),
        ({"resources": "a file"}, "resource-based", {"C017"}),
        ({"assets/a.html": ""}, "resource-based", {"C017"}),
    ],
)
def test_types(tmp_path: Path, files: dict[str, str], kind: str, expected: set[str]) -> None:
    result = _check(tmp_path, FRONT + BODY, files)
    assert _codes(result) == expected
    assert load_skill(tmp_path / "invoice-rows" / "SKILL.md").aces.kind == kind


def test_a_name_of_the_folder(tmp_path: Path) -> None:
    assert _codes(_check(tmp_path, FRONT + BODY, folder="1x")) == {"D008", "D009"}


@pytest.mark.parametrize(("length", "fires"), [(20_003, False), (20_004, True)])
def test_size_counts_characters(tmp_path: Path, length: int, fires: bool) -> None:
    """Four characters a token, rounded down, more than 5,000; bytes don't matter."""
    text = FRONT + BODY
    filler = "".join(f"é{number:07d}\n" for number in range(3000))
    result = _check(tmp_path, text + filler[: length - len(text)])
    assert ("E001" in _codes(result)) is fires


@pytest.mark.parametrize(
    ("copies", "fires"), [(17, False), (18, True)], ids=["seventy in a hundred", "fewer"]
)
def test_repetition(tmp_path: Path, copies: int, fires: bool) -> None:
    """40 distinct lines of 57 are 70.2 in a hundred, of 58 they are 69."""
    text = "".join(f"line {number}\n" for number in range(39)) + "same\n" * (copies + 1)
    assert ("E002" in _codes(_check(tmp_path, text))) is fires


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("## Instructions\n\n- Do it.\n", {"E003"}),
        ("## Instructions\n\nRun v1.2\n", set()),  # “1.” is taken for a list
        ("## Instructions \n\nDo it.\n", set()),  # no line of its own
        ("### Instructions\n\nDo it.\n", set()),
        ("## Usage\n\nDo it.\n\n## Instructions \n\nDo it.\n", set()),
        ("## Usage\n\nDo it.\n", {"E003", "E004"}),
        ("## Instructions\n\n```\n## Run\n- x\n```\n", {"E003", "E004"}),
        ("## Instructions\n\n", {"E003", "E004"}),
        ("## Instructions\n## Next\n\n- Run\n", set()),
    ],
)
def test_instructions(tmp_path: Path, section: str, expected: set[str]) -> None:
    steps = "## Instructions\n\n- Run it on one page.\n- Then on all of them.\n"
    assert _codes(_check(tmp_path, FRONT + BODY.replace(steps, section) + "more\n" * 3)) == expected


def test_unknown_folder_is_a_guide() -> None:
    from skillgauge.document.skill import Skill
    from skillgauge.text import Text

    result = check(Skill(Text(FRONT + BODY)), profile_settings("aces"))
    assert _codes(result) == set()


def test_every_check_has_its_points() -> None:
    """41 checks can fire in the reference, with these points in all."""
    points = Counter[str]()
    count = Counter[str]()
    for rule in all_rules():
        if rule.deduction:
            points[rule.deduction.dimension] += rule.deduction.points
            count[rule.deduction.dimension] += 1
            assert rule.severity("aces") is not None, rule.name
            assert rule.severity("default") is None, f"{rule.name}: a taste, not a fault"
    assert count == {"correctness": 18, "discoverability": 9, "reliability": 6, "efficiency": 8}
    assert points == {
        "correctness": 180,
        "discoverability": 95,
        "reliability": 35,
        "efficiency": 70,
    }
