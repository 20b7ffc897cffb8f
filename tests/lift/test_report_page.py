"""The page of a lift run: what it shows, how much of it, and that nothing hostile gets through."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.report import render
from skillgauge.lift.report._charts import Axis, lift_axis, mark, shade
from skillgauge.lift.report._diff import outcomes
from skillgauge.lift.report._model import RunReport
from skillgauge.lift.report._steps import Room, brief, shown
from skillgauge.lift.results import Artifact
from skillgauge.lift.statistics import estimate

from .hostile_run import hostile_page
from .made_runs import CASES, report_on

ONE = (Cell("claude-code", "m"),)
SMALL: dict[str, Any] = {"cases": CASES[:6], "cells": ONE, "attempts": 1}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> RunReport:
    return report_on(tmp_path_factory.mktemp("usual"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return hostile_page(tmp_path_factory.mktemp("hostile"))


class _Tags(HTMLParser):
    """The tags of a page with their attributes, and how often each is open at the end."""

    VOID = frozenset({"meta", "input", "br", "line", "rect", "circle", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


def parsed(page: str) -> _Tags:
    parser = _Tags()
    parser.feed(page)
    return parser


def test_page_is_well_formed_and_loads_nothing(usual: RunReport) -> None:
    found = parsed(render(usual, "html"))
    assert found.faults == []
    assert found.open == []
    names = {tag for tag, _ in found.tags}
    assert not names & {"img", "iframe", "link", "object", "embed", "form", "base"}
    for tag, attributes in found.tags:
        assert "src" not in attributes, tag
        assert "style" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert (attributes.get("href") or "#").startswith("#"), tag


def test_policy_has_the_hashes_of_what_is_there(usual: RunReport) -> None:
    page = render(usual, "html")
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in page
    assert "default-src &#39;none&#39;" in page
    assert "unsafe" not in page


def test_every_table_has_a_caption_and_headers(usual: RunReport) -> None:
    page = render(usual, "html")
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    assert len(tables) > 5
    for table in tables:
        assert "<caption>" in table
        assert 'scope="col"' in table


def test_page_shows_the_numbers_and_both_arms(usual: RunReport) -> None:
    page = render(usual, "html")
    assert "The skill helps: scores are higher with it, over 8 cases." in page
    assert "95 % interval +0.08 to +0.40" in page
    assert page.count('<details class="case') == 16
    assert page.count("With the skill</h4>") == page.count("Without the skill</h4>") == 32
    assert "<ins>+ Done. Arno 420.00, Berg 1180.50.</ins>" in page
    assert "<del>- The invoices come to about 1,600 in all.</del>" in page
    assert "failed, exit status 2" in page
    assert "data goes to sums.example.net" in page
    assert "529 (overloaded)" in page


def test_hostile_text_stays_text(hostile: str) -> None:
    found = parsed(hostile)
    assert found.faults == []
    assert [tag for tag, _ in found.tags].count("script") == 1
    assert "img" not in {tag for tag, _ in found.tags}
    assert not any(name.startswith("on") for _, attrs in found.tags for name in attrs)
    assert "\x00" not in hostile
    assert "\x1b" not in hostile
    assert "&lt;script&gt;steal()&lt;/script&gt;" in hostile


def test_big_run_makes_a_bounded_page(tmp_path: Path) -> None:
    """Each trial has its room: long ones are cut with a note, and the first steps are there."""
    cases = tuple(replace(case, id=f"{case.id}-{n}") for n in range(2) for case in CASES)

    def change(trial: Trial, results: dict[str, Any]) -> None:
        steps = results["trajectory"]["steps"]
        steps += [{"step_id": n, "source": "agent", "message": "<&>'\"" * 2000} for n in range(60)]
        results["ran"]["answer"] = "".join(f"<{trial.arm}{n}>\n" for n in range(3000))

    found = report_on(tmp_path, cases=cases, cells=ONE, attempts=1, change=change)
    page = render(found, "html")
    assert len(page) < 32 * 110_000
    assert "more characters)" in page
    assert "further steps not shown here" in page
    assert "further lines not shown" in page


def test_room_is_shared_out() -> None:
    assert Room.of(2).each == 60_000
    assert Room.of(200).each == 16_000
    room = Room.of(1, total=100, most=100)
    room.begin()
    assert room.take("short") == "short"
    cut = room.take("<" * 100)
    assert re.fullmatch(r"<+ … \(\d+ more characters\)", cut)
    assert len(cut.split(" ")[0]) * len("&lt;") <= 95
    assert room.cut is True


def test_trajectories_of_any_shape_are_shown() -> None:
    for body in (None, 3, [], {}, {"steps": 3}, {"steps": [3, {"tool_calls": [None, {}]}]}):
        shown(body, Room.of(1))
    inner = {"trajectory_id": "helper", "steps": [{"source": "agent", "message": "in"}]}
    parts = [{"type": "text", "text": "hello"}, {"type": "image", "source": {}}]
    body = {
        "steps": [{"source": "user", "message": parts}],
        "subagent_trajectories": [inner],
    }
    steps = shown(body, Room.of(1)).steps
    assert [(one.agent, one.text) for one in steps] == [("", "hello\n[image]"), ("helper", "in")]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"description": "List", "command": "ls -la"}, "ls -la"),
        ({"command": ["bash", "-lc", "ls"]}, "bash -lc ls"),
        ({"depth": 3, "other": "a\n b"}, "a b"),
        ({"cmd": "x" * 300}, "x" * 119 + "…"),
        ({}, ""),
    ],
)
def test_brief(arguments: dict[str, object], told: str) -> None:
    assert brief(arguments) == told


def test_outcomes_are_compared(usual: RunReport) -> None:
    case = usual.cases[0]
    treated, control = case.of("with-skill")[0], case.of("baseline")[0]
    room = Room.of(1)
    room.begin()
    found = {one.name: one for one in outcomes(treated, control, room)}
    assert [(line.sign, line.text) for line in found["Answer"].lines] == [
        ("-", "The invoices come to about 1,600 in all."),
        ("+", "Done. Arno 420.00, Berg 1180.50."),
    ]
    assert found["sum.awk"].state == "only without the skill"
    assert treated.ran
    assert control.ran
    binary = Artifact("a.bin", 1234, None)
    same = replace(treated, ran=replace(treated.ran, answer="x", artifacts=(binary,)))
    again = replace(control, ran=replace(control.ran, answer="x", artifacts=()))
    answer, file = outcomes(same, again, room)
    assert answer.state == "the same in both arms"
    assert file.state == "only with the skill, no text to show (1,234 bytes)"


def test_marks_and_shades() -> None:
    axis = Axis(1.0)
    assert [tick.text for tick in axis.ticks] == ["-1", "-0.5", "0", "+0.5", "+1"]
    assert (axis.x(-1), axis.x(0), axis.x(1), axis.x(9)) == (14, 130, 246, 246)
    helps, few = estimate([0.3] * 5), estimate([0.3, 0.2])
    assert helps
    assert few
    found = mark(helps, axis)
    assert found
    assert (found.kind, found.at, found.low) == ("up", axis.x(0.3), axis.x(0.3))
    sparse = mark(few, axis)
    assert sparse
    assert (sparse.kind, sparse.low, sparse.high) == ("open", None, None)
    assert lift_axis([helps, None]).span == 0.5
    assert [shade(one) for one in (None, 0.0, 0.04, -0.16, 0.5)] == [
        *("none", "zero", "zero", "down2", "up4")
    ]
