"""`skillgauge revise`: lists, shows and applies what raises a score, and says what it can't do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from skillgauge import child
from tests.cli.conftest import Run

FAKE = Path(__file__).parents[1] / "lsp" / "fake_table_scorer.py"
TEXT = """\
---
name: demo
description: Counts rows. Use when asked how many there are.
---
# Demo

## Reply

```json
{"rows": 3, "names": ["a", "b"]}
```

## Setup

```bash
csvcut orders.csv
```
"""
FIELDS = "Add the fields of the JSON as a table (C2 +0.50, +31 tokens)"


@pytest.fixture
def demo(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill, and a scorer that likes tables."""
    monkeypatch.setattr(child, "command_of", lambda *_: [sys.executable, str(FAKE)])
    (repo / "demo").mkdir()
    path = repo / "demo" / "SKILL.md"
    path.write_text(TEXT)
    return path


def test_offers_are_listed_with_their_change(demo: Path, run: Run) -> None:
    done = run("revise", "demo")
    assert (done.status, done.err) == (0, "")
    first, second, third, *rest = done.out.splitlines()
    assert first == "demo/SKILL.md"
    assert second.startswith("  line 17: Add what can be missing as a troubleshooting table (D1 +1")
    assert third.startswith("    a suggestion, to be checked: Install `csvcut`")
    assert f"  line 11: {FIELDS}" in rest
    assert demo.read_text() == TEXT


def test_one_metric_as_json(demo: Path, run: Run) -> None:
    done = run("revise", "--metric", "c2", "--json", "demo")
    (found,) = done.json["skills"]
    assert (done.json["schema_version"], found["path"]) == (1, "demo/SKILL.md")
    offer = next(item for item in found["offers"] if item["skeleton"] == "json_fields")
    assert (offer["metric"], offer["changes"]["C2"], offer["tokens"]) == ("C2", 0.5, 31)
    (edit,) = offer["edits"]
    assert edit["start"] == edit["end"] == {"line": 11, "column": 4}
    assert {item["metric"] for item in found["offers"]} == {"C2"}


def test_diff_is_what_apply_does(demo: Path, run: Run) -> None:
    shown = run("revise", "--metric", "C2", "--diff", "demo")
    assert shown.status == 1
    added = [line[1:] for line in shown.out.splitlines() if line[:1] == "+" and line[:3] != "+++"]
    assert "| `rows` | integer | `3` |" in added
    assert demo.read_text() == TEXT
    done = run("revise", "--metric", "C2", "--apply", "demo")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[:2] == ["demo/SKILL.md", f"  {FIELDS}"]
    now = demo.read_text().splitlines()
    assert [line for line in now if line not in TEXT.splitlines()] == [
        line for line in added if line
    ]


def test_applying_comes_to_an_end(demo: Path, run: Run) -> None:
    for _ in range(4):
        run("revise", "--apply", "demo")
    text = demo.read_text()
    done = run("revise", "--apply", "demo")
    assert done.out.splitlines() == ["demo/SKILL.md", "  Nothing to apply."]
    assert demo.read_text() == text
    assert run("revise", "--diff", "demo").status == 0


def test_standard_input(demo: Path, run: Run) -> None:
    done = run("revise", "--metric", "C2", "--apply", "-", stdin=TEXT.encode())
    assert done.status == 0
    assert "| `rows` | integer | `3` |" in done.out
    assert demo.read_text() == TEXT


def test_nothing_to_offer(demo: Path, run: Run) -> None:
    demo.write_text("---\nname: demo\ndescription: Does it.\n---\n# Demo\n")
    done = run("revise", "demo")
    assert (done.status, len(done.out.splitlines())) == (0, 2)
    assert "No revision" in done.out


def test_a_file_that_fails_stops_no_other(demo: Path, run: Run) -> None:
    other = demo.parent.parent / "a" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(TEXT + "\nFAIL\n")
    done = run("revise", "--metric", "C2")
    assert done.status == 2
    assert done.err == "skillgauge: a/SKILL.md: It fails\n"
    assert FIELDS in done.out


def test_what_is_wrong_is_said_in_a_line(demo: Path, run: Run) -> None:
    done = run("revise", "--metric", "C3", "demo")
    assert done.status == 2
    assert done.err.startswith("skillgauge: There are no revisions for a metric “C3”. ")
    done = run("revise", "--apply", "--diff", "demo")
    assert (done.status, "not allowed with" in done.err) == (2, True)


def test_no_model(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(tmp_path / "none"))
    (repo / "SKILL.md").write_text(TEXT)
    done = run("revise")
    assert (done.status, done.out) == (2, "")
    assert "Run `skillgauge model install smollm2-135m-instruct`" in done.err
