"""Scores in the editor: shown beside findings, for exactly the text they are of, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp.server import SkillgaugeServer

from .documents import make_skill
from .inprocess import PULLS, PUSHES, Editor

COMMAND = [sys.executable, str(Path(__file__).parent / "fake_scorer.py")]
TEXT = """\
---
name: demo
description: Sends: mail to a list. Use when the user asks for a mailing.
---
# Demo

## Good

Text.

## Bad

  This is weak.
"""
"""One F011, at the colon in the description, and a line that pulls C2 down."""
DOCUMENT = {**PUSHES, "hover": {"contentFormat": ["markdown"]}}


@contextlib.asynccontextmanager
async def scoring(root: Path, *, told: bool = False, **options: Any) -> AsyncIterator[Editor]:
    """Open a session whose scorer is the fake one."""
    editor = Editor()
    editor.server.scores.quiet = 0.01
    editor.server.scores.command = COMMAND
    if told:
        editor.experimental = {"skillgaugeScores": True}
    await editor.start(root, **{"document": DOCUMENT, **options})
    yield editor
    await editor.request("shutdown")
    editor.server.collisions.close()
    await editor.server.scores.close()


async def scored(editor: Editor, uri: str) -> None:
    """Wait until a document is scored and everything is shown."""
    await asyncio.sleep(0)
    await asyncio.wait_for(editor.server.scores.wait(uri), 20)
    await editor.settled()


def shown(editor: Editor, uri: str) -> dict[str, dict[str, Any]]:
    """Return what was published last, by code."""
    return {item["code"]: item for item in editor.published(uri)[-1]["diagnostics"]}


async def titles(editor: Editor, uri: str) -> list[str]:
    return [lens["command"]["title"] for lens in await editor.about("codeLens", uri)]


async def hover(editor: Editor, uri: str, line: int) -> str:
    found = await editor.about("hover", uri, position={"line": line, "character": 2})
    return found["contents"]["value"] if found else ""


async def test_scores_come_beside_the_findings(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, TEXT)
        await editor.settled()
        assert "F011" in shown(editor, uri), "findings don't wait for scores"
        await scored(editor, uri)
        found = shown(editor, uri)
        assert {"F011", "C2"} <= set(found)
        assert not {"A2", "D1"} & set(found), "one is good, the other is not shown"
        hint = found["C2"]
        assert (hint["severity"], hint["source"]) == (4, "skillgauge")
        assert hint["range"] == {
            "start": {"line": 12, "character": 2},
            "end": {"line": 12, "character": 15},
        }
        assert hint["message"] == (
            "These lines are weak (Input and output explicitness 10%, a surface measure)."
            " Mend them."
        )
        assert editor.published(uri)[-1]["version"] == 1
        lenses = await titles(editor, uri)
        assert len(lenses) == 2
        assert lenses[1] == "A1 ok · A2 90% · C2 10% (surface)"


async def test_hover(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        text = TEXT.replace("Sends: mail", "Sends mail")
        editor.open(uri, text)
        await scored(editor, uri)
        row = "| C2 Input and output explicitness (surface) | 10% | -1.50 |  |"
        for line in (0, 1, 2, 4):
            assert row in await hover(editor, uri, line)
        assert "D1" not in await hover(editor, uri, 2)
        assert "What this section adds" not in await hover(editor, uri, 6)
        editor.change(uri, text.replace("Text.", "weak"))
        await scored(editor, uri)
        assert "| 10% | -3.00 | -1.50 |" in await hover(editor, uri, 4), "the change since opening"


async def test_stale_scores_are_never_shown(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, TEXT)
        await scored(editor, uri)
        assert "C2" in shown(editor, uri)
        editor.server.scores.quiet = 60
        version = editor.change(uri, f"{TEXT}\nMore.\n")
        await editor.settled()
        last = editor.published(uri)[-1]
        assert last["version"] == version
        assert "C2" not in {item["code"] for item in last["diagnostics"]}
        assert "F011" in {item["code"] for item in last["diagnostics"]}
        assert (await titles(editor, uri))[1:] == ["scoring …"]
        assert "| 10% |" not in await hover(editor, uri, 4)


async def test_a_newer_text_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, f"{TEXT}SLOW\n")
        while editor.server.scores.scorer is None:
            await asyncio.sleep(0.01)
        editor.change(uri, TEXT)
        await scored(editor, uri)
        assert "C2" in shown(editor, uri)
        versions = [
            params["version"]
            for params in editor.published(uri)
            if "C2" in {item["code"] for item in params["diagnostics"]}
        ]
        assert versions == [2]


async def test_for_clients_that_pull(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    refresh = {"diagnostics": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}
    async with scoring(tmp_path, document=PULLS, workspace=refresh) as editor:
        editor.open(uri, TEXT)
        before = await editor.about("diagnostic", uri)
        await scored(editor, uri)
        assert editor.of("workspace/diagnostic/refresh")
        assert editor.of("workspace/codeLens/refresh")
        after = await editor.about("diagnostic", uri, previousResultId=before["resultId"])
        assert "C2" in {item["code"] for item in after["items"]}
        same = await editor.about("diagnostic", uri, previousResultId=after["resultId"])
        assert same == {"kind": "unchanged", "resultId": after["resultId"]}


async def test_the_request_and_the_notification(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path, told=True) as editor:
        editor.open(uri, TEXT)
        reply = (await editor.request("skillgauge/scores", {"uri": uri}))["result"]
        assert (reply["uri"], reply["version"], reply["reason"]) == (uri, 1, "")
        assert reply["profile"]["metrics"]["A1"] == {"passed": True, "reasons": []}
        metric = reply["profile"]["metrics"]["C2"]
        assert (metric["label"], metric["shown"]) == ("surface", True)
        assert metric["lines"] == [{"line": 13, "contribution": -1.5}]
        assert not reply["profile"]["metrics"]["D1"]["shown"]
        await editor.settled()
        (message,) = editor.of("skillgauge/scores")
        assert message["params"] == reply
        shown = await editor.request(
            "workspace/executeCommand",
            {"command": "skillgauge.showScores", "arguments": [uri]},
        )
        assert shown["result"] == reply
        text = editor.of("window/showMessage")[-1]["params"]["message"]
        assert "C2 Input and output explicitness: 10% (-1.50)" in text


async def test_only_those_who_want_it_are_told(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, TEXT)
        await scored(editor, uri)
        assert editor.of("skillgauge/scores") == []


@pytest.mark.parametrize("how", ["option", "flag", "missing"])
async def test_without_a_scorer_all_else_works(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    if how == "missing":
        monkeypatch.setenv("FAKE_SCORER", "missing")
    options = {"scores": False} if how == "option" else None
    async with scoring(tmp_path, options=options) as editor:
        editor.server.scores.off = how == "flag"
        editor.open(uri, TEXT)
        await scored(editor, uri)
        assert "F011" in shown(editor, uri)
        assert "C2" not in shown(editor, uri)
        assert len(await titles(editor, uri)) == 1
        reply = (await editor.request("skillgauge/scores", {"uri": uri}))["result"]
        assert reply["profile"] is None
        wanted = "There is no model. Run this" if how == "missing" else "Scores are switched off"
        assert reply["reason"] == wanted
        assert editor.of("window/showMessage") == []


async def test_a_crash_loses_only_that_score(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, f"{TEXT}CRASH\n")
        await scored(editor, uri)
        assert "F011" in shown(editor, uri)
        assert "C2" not in shown(editor, uri)
        child = editor.server.scores._child  # pyright: ignore[reportPrivateUsage]
        assert child is not None
        child._rest_until = 0.0  # pyright: ignore[reportPrivateUsage]
        editor.change(uri, TEXT)
        await scored(editor, uri)
        assert "C2" in shown(editor, uri)


async def test_switching_off_and_on(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, TEXT)
        await scored(editor, uri)
        for wanted in (False, True):
            settings = {"skillgauge": {"scores": wanted}}
            editor.notify("workspace/didChangeConfiguration", {"settings": settings})
            await editor.settled()
            await scored(editor, uri)
            assert ("C2" in shown(editor, uri)) is wanted
            assert "F011" in shown(editor, uri)


async def test_closing_forgets(tmp_path: Path) -> None:
    uri = make_skill(tmp_path, "demo", TEXT).as_uri()
    async with scoring(tmp_path) as editor:
        editor.open(uri, TEXT)
        await scored(editor, uri)
        editor.close_document(uri)
        await editor.settled()
        assert editor.published(uri)[-1]["diagnostics"] == []
        assert editor.server.scores.idle


async def test_other_documents_are_not_scored(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(TEXT)
    async with scoring(tmp_path) as editor:
        editor.open(path.as_uri(), TEXT, "plaintext")
        await scored(editor, path.as_uri())
        assert editor.server.scores.scorer is None, "nobody was asked"


def test_nothing_is_started_before_there_is_a_skill() -> None:
    assert SkillgaugeServer().scores.idle
