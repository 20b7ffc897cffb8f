"""Each format of a report, as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from skillgauge import __version__
from skillgauge.records import Run
from skillgauge.report import formats, render
from skillgauge.rule import Rule, Severity


@pytest.fixture(autouse=True)
def stable_rules(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """Give SARIF rules whose pages don't change."""
    page = "Finds a thing.\n\n## Why is this bad?\nReason.\n\n## Bad\nx\n\n## Good\ny"
    rules = {
        item.code: Rule(item.code, item.rule, lambda _: (), page, "skillgauge.rules.format.x",
                        {"strict": Severity.WARNING}, "skill", None, frozenset(), None)
        for item in run.items
    }  # fmt: skip
    monkeypatch.setattr("skillgauge.rules.by_key", lambda: rules)


def test_every_format_is_tested() -> None:
    assert formats() == ("github", "json", "junit", "markdown", "sarif", "text")


@pytest.mark.parametrize("name", formats())
def test_format(run: Run, snapshot: SnapshotAssertion, name: str) -> None:
    text = render(name, run).replace(__version__, "VERSION")
    assert text.endswith("\n")
    assert text == snapshot


def test_color(run: Run, snapshot: SnapshotAssertion) -> None:
    assert render("text", replace(run, color=True)) == snapshot


def test_narrow_terminal(run: Run, snapshot: SnapshotAssertion) -> None:
    assert render("text", replace(run, width=40, quiet=True)) == snapshot


def test_statistics(run: Run, snapshot: SnapshotAssertion) -> None:
    assert render("text", replace(run, statistics=True)) == snapshot


@pytest.mark.parametrize("name", formats())
def test_nothing_found(run: Run, snapshot: SnapshotAssertion, name: str) -> None:
    clean = replace(run, files=[file for file in run.files if not file.items])
    assert render(name, clean).replace(__version__, "VERSION") == snapshot


def test_no_file(run: Run) -> None:
    assert render("text", replace(run, files=[])) == "No findings in 0 files.\n"
    assert render("json", replace(run, files=[])) == '{"schema_version": 1, "files": [\n\n]}\n'


def test_many_skills_have_a_line_each(run: Run, snapshot: SnapshotAssertion) -> None:
    files = [file for file in run.files if file.structure] * 6
    text = render("text", replace(run, files=[replace(file, items=[]) for file in files]))
    assert text == snapshot
