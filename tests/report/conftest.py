"""A run with everything that a report may have to show, made without any rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillgauge.records import RANKS, EditNote, FileReport, FixNote, Item, RelatedNote, Run
from skillgauge.text import Text

SOURCE = (
    "---\n"
    "name: demo\n"
    "description: Cuts 文字 and 😀: all\tof them.\n"
    "---\n"
    "\n"
    "A line with \x1b[31mred\x1b[0m and \u202eevil\u202c and a byte \udcff.\n"
    "First of two\n"
    "lines.\n" + "long " * 60 + "MARK" + " tail" * 60 + "\n"
)


def item(
    code: str, rule: str, severity: str, words: str, message: str, fix: FixNote | None = None,
    related: tuple[RelatedNote, ...] = (), source: str = SOURCE,
) -> Item:  # fmt: skip
    """Make a finding about some words of the source."""
    at = source.index(words)
    text = Text(source)
    start, end = text.position(at), text.position(at + len(words))
    place = (at, at + len(words), start.line + 1, start.column + 1, end.line + 1, end.column + 1)
    return Item(code, rule, severity, message, *place, fix, related)


def structure(score: float, grade: str, **deductions: int) -> dict[str, object]:
    """Make a score whose deductions are all in reliability, named by codes."""
    names = ("correctness", "discoverability", "reliability", "efficiency")
    made: dict[str, object] = {name: {"score": 100.0, "deductions": []} for name in names}
    made["reliability"] = {
        "score": 100.0 - sum(deductions.values()),
        "deductions": [
            {"code": code, "rule": f"rule-{code.lower()}", "points": points,
             "message": f"Nothing is said of {code}."}
            for code, points in deductions.items()
        ],
    }  # fmt: skip
    return {"score": score, "grade": grade, "dimensions": made}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    colon = SOURCE.index(": all")
    value = SOURCE.index("Cuts")
    end = SOURCE.index("\n---\n\n")
    fix = FixNote(
        "Quote the value", True, (EditNote(value, value, '"'), EditNote(end, end, '"')), None
    )
    first = FileReport(
        str(tmp_path / "skills/demo/SKILL.md"),
        "skills/demo/SKILL.md",
        "skill",
        [
            item("F011", "yaml-unquoted-colon", "error", ": all", "This colon | ends <it>.", fix),
            item("F033", "name-characters", "warning", "demo", "A name, 100 % @me #1 https://x.y.",
                 FixNote("Rename the file", False, (), "SKILL.md"),
                 (RelatedNote("The same name.", str(tmp_path / "skills/other/SKILL.md"), 2, 7),
                  RelatedNote("Here, too.", "", 1, 1))),
            item("S001", "bidi-control", "info", "\u202eevil\u202c", "Hidden \u202e text."),
            item("D002", "vague-word", "hint", "two\nlines", "Two\nlines."),
            item("D003", "far-right", "hint", "MARK", "Far to the right."),
        ],
        structure(90.0, "A", R001=15, R005=25),
        SOURCE.encode("utf-8", "surrogateescape"),
    )  # fmt: skip
    assert colon
    clean = FileReport(
        str(tmp_path / "skills/clean, a/SKILL.md"), "skills/clean, a/SKILL.md", "skill", [],
        structure(100.0, "A"), b"x\n",
    )  # fmt: skip
    evals = FileReport(
        str(tmp_path / "skills/demo/evals/evals.json"), "skills/demo/evals/evals.json", "evals",
        [item("V001", "no-case", "error", "[", "No case.", source="[]\n")], None, b"[]\n",
    )  # fmt: skip
    unreadable = FileReport(
        str(tmp_path / "bad/SKILL.md"), "bad/SKILL.md", "skill",
        [Item("F000", "unreadable-file", "error", "It is a binary file.", 0, 0, 1, 1, 1, 1)],
        None, b"",
    )  # fmt: skip
    return Run([unreadable, clean, first, evals], lambda file, found: found.rank >= RANKS["error"])
