"""The formats of reports on lift runs: what they promise, and that nothing hostile gets through."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.report import build, formats, render
from skillgauge.lift.report._model import RunReport

from .made_runs import CASES, Script, make_run, reader, report_on

ONE = (Cell("claude-code", "m"),)
SMALL: dict[str, Any] = {"cases": CASES[:6], "cells": ONE, "attempts": 1}
"""So few cases that the interval needs no dice."""


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> RunReport:
    """The usual run: 8 cases, 2 harnesses, 2 attempts."""
    return report_on(tmp_path_factory.mktemp("usual"))


def test_the_formats_are_files() -> None:
    assert formats() == ("html", "json", "junit", "markdown", "text")


def test_unknown_format_and_run(usual: RunReport, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no format “pdf”.*html, json, junit"):
        render(usual, "pdf")
    make_run(tmp_path)
    with reader(tmp_path) as journal, pytest.raises(UserError, match="no run “x”"):
        build(journal, "x")


def test_json_is_finite_and_promised(usual: RunReport) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    document = json.loads(render(usual, "json"), parse_constant=refuse)
    assert document["schema_version"] == 1
    page = Path(__file__).parents[2] / "docs" / "lift-json.md"
    text = page.read_text(encoding="utf-8")
    assert [key for key in document if f"`{key}`" not in text] == []
    for key in (*document["cases"][0], *document["cases"][0]["attempts"][0], *document["lift"]):
        assert f"`{key}`" in text, key


def test_json_takes_what_is_not_finite_or_no_character(usual: RunReport) -> None:
    assert usual.lift
    summary = replace(usual.summary, lift=replace(usual.lift, estimate=float("nan")))
    found = json.loads(render(replace(usual, summary=summary, skill="a\ud800b"), "json"))
    assert found["lift"]["estimate"] is None
    assert found["skill"]["name"] == "a\ufffdb"


def test_junit(usual: RunReport) -> None:
    root = ElementTree.fromstring(render(usual, "junit"))
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "16",
        "failures": "2",
        "errors": "0",
        "skipped": "0",
    }
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert {case.get("name") for case in failed} == {"broken-rows"}
    failure = failed[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "0.47 with the skill, 0.50 passes"
    assert "Name the currency (“The invoices come to about 1,600 in all.”)" in (failure.text or "")


def test_junit_has_errors_of_the_runner(tmp_path: Path) -> None:
    def broken(trial: Trial) -> Script:
        bad = trial.case_id == "by-month" and trial.arm == "with-skill"
        return Script(fault="the engine\x00 failed <&>") if bad else Script()

    found = report_on(tmp_path, director=broken, **SMALL)
    root = ElementTree.fromstring(render(found, "junit"))
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
    error = next(root.iter("error"))
    assert error.get("message") == "the engine\ufffd failed <&>"


def test_text_is_a_screen_and_safe(tmp_path: Path, usual: RunReport) -> None:
    lines = render(usual, "text").splitlines()
    assert len(lines) <= 25
    assert lines[0] == "The skill helps: scores are higher with it, over 8 cases."
    assert all(len(line) <= 101 for line in lines)
    assert "\x1b[32m" in render(usual, "text", color=True)

    def change(trial: Trial, results: dict[str, Any]) -> None:
        for one in results.get("measured", {}).values():
            one["reason"] = "\x1b]0;title\x07 \u202e"

    text = render(report_on(tmp_path, change=change, judge="", **SMALL), "text")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "␛]0;title" in text


def test_markdown_leads_with_the_verdict(usual: RunReport) -> None:
    text = render(usual, "markdown")
    assert text.startswith("### ✅ invoice-totals: The skill helps")
    assert "| **Lift**, 8 cases | 0.83 | 0.57 | **+0.27** | +0.08 to +0.40 (low) |" in text
    assert "- broken-rows on claude-code (large-model): 0.47 with, 0.59 without." in text


def test_markdown_is_bounded_and_harmless(tmp_path: Path) -> None:
    cases = tuple(
        replace(case, id=f"{case.id}-{number}", assertions=("@someone <img src=x> " * 40,) * 12)
        for number in range(12)
        for case in CASES
    )
    found = report_on(tmp_path, cases=cases, cells=ONE, attempts=1)
    text = render(found, "markdown")
    assert len(text) < 65_000
    assert "<img" not in text
    assert " @someone" not in text
