"""Revisions in the editor: scored in the background, for exactly the text, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from skillgauge.fix import apply_edits
from skillgauge.lsp.revisions import REST
from skillgauge.rule import Edit
from skillgauge.text import Span, Text

from .documents import make_skill
from .inprocess import EDITS, PUSHES, Editor

COMMAND = [sys.executable, str(Path(__file__).parent / "fake_table_scorer.py")]
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
RESOLVES = {**PUSHES, "codeAction": {"resolveSupport": {"properties": ["edit"]}}}
SNIPPETS = {**EDITS, "workspaceEdit": {**EDITS["workspaceEdit"], "snippetEditSupport": True}}
TOP, REPLY, ELSEWHERE = 1, 6, 12
FIELDS = "Add the fields of the JSON as a table (C2 +0.50, +31 tokens)"


@contextlib.asynccontextmanager
async def revising(
    root: Path, text: str = TEXT, **options: Any
) -> AsyncIterator[tuple[Editor, str]]:
    """Open a session with a skill that is scored."""
    uri = make_skill(root, "demo", text).as_uri()
    editor = Editor()
    editor.server.scores.quiet = 0.01
    editor.server.scores.command = COMMAND
    await editor.start(root, **{"document": RESOLVES, "workspace": EDITS, **options})
    editor.open(uri, text)
    await scored(editor, uri)
    yield editor, uri
    await editor.request("shutdown")
    editor.server.collisions.close()
    await editor.server.revisions.close()
    await editor.server.scores.close()


async def scored(editor: Editor, uri: str) -> None:
    await asyncio.sleep(0)
    await asyncio.wait_for(editor.server.scores.wait(uri), 20)
    await editor.settled()


async def actions(
    editor: Editor, uri: str, line: int, *only: str, revised: bool = True
) -> list[dict[str, Any]]:
    """Return the revisions that are offered on a line, once they are known if `revised`."""
    place = {"line": line, "character": 0}
    context: dict[str, Any] = {"diagnostics": [], **({"only": list(only)} if only else {})}
    params = {"range": {"start": place, "end": place}, "context": context}
    await editor.about("codeAction", uri, **params)
    if revised:
        await asyncio.wait_for(editor.server.revisions.wait(uri), 20)
    found = await editor.about("codeAction", uri, **params) or []
    return [item for item in found if item.get("data", {}).get("do") == "revise"]


async def resolved(editor: Editor, action: dict[str, Any]) -> Any:
    reply = await editor.request("codeAction/resolve", action)
    return reply["result"].get("edit")


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """Return a text with edits as they are sent, of plain text."""
    known = Text(text)

    def offset(place: dict[str, int]) -> int:
        return known.offset_of_units(place["line"], place["character"], "utf-16")

    return apply_edits(
        text,
        [
            Edit(
                Span(offset(item["range"]["start"]), offset(item["range"]["end"])), item["newText"]
            )
            for item in edits
        ],
    )


async def test_offers_come_once_they_are_scored(tmp_path: Path) -> None:
    async with revising(tmp_path) as (editor, uri):
        assert await actions(editor, uri, TOP, "refactor", revised=False) == []
        found = await actions(editor, uri, TOP)
        assert [(item["title"], item["kind"]) for item in found] == [
            (
                "Add what can be missing as a troubleshooting table"
                " (D1 +1.00, C2 +0.50, +79 tokens)",
                "refactor.rewrite",
            ),
            (FIELDS, "refactor.rewrite"),
        ]
        fields = next(item for item in found if item["title"] == FIELDS)
        (change,) = (await resolved(editor, fields))["documentChanges"]
        assert change["textDocument"] == {"uri": uri, "version": 1}
        after = applied(TEXT, change["edits"])
        assert "```\n\n| Field | Type | Example |\n" in after
        assert "| `rows` | integer | `3` |" in after


async def test_the_stated_change_is_that_of_the_text(tmp_path: Path) -> None:
    async with revising(tmp_path) as (editor, uri):
        found = (await editor.request("skillgauge/revisions", {"uri": uri}))["result"]
        assert found["version"] == 1
        before = editor.server.scores.of(editor.server.session.snapshot(uri)).profile
        for offer in found["offers"]:
            editor.change(uri, applied(TEXT, offer["edits"]))
            await scored(editor, uri)
            after = editor.server.scores.of(editor.server.session.snapshot(uri)).profile
            for code, change in offer["changes"].items():
                moved = after.scores[code].z - before.scores[code].z
                assert change == pytest.approx(moved, abs=1e-3)
            assert offer["tokens"] == after.tokens - before.tokens
        assert [offer["metric"] for offer in found["offers"]] == ["D1", "C2", "C2"]


async def test_a_hint_is_mended_where_it_stands(tmp_path: Path) -> None:
    async with revising(tmp_path) as (editor, uri):
        (found,) = await actions(editor, uri, REPLY)
        assert (found["title"], found["kind"]) == (FIELDS, "quickfix")
        assert [item["code"] for item in found["diagnostics"]] == ["C2"]
        shown = {item["code"]: item for item in editor.published(uri)[-1]["diagnostics"]}
        assert found["diagnostics"][0]["message"] == shown["C2"]["message"]
        assert found["diagnostics"][0]["range"] == shown["C2"]["range"]
        assert await actions(editor, uri, ELSEWHERE) == [], "no menu is filled unasked"
        assert len(await actions(editor, uri, ELSEWHERE, "refactor")) == 2


async def test_suggestions_are_tab_stops(tmp_path: Path) -> None:
    async with revising(tmp_path, workspace=SNIPPETS) as (editor, uri):
        table = next(
            item for item in await actions(editor, uri, TOP) if "troubleshooting" in item["title"]
        )
        (change,) = (await resolved(editor, table))["documentChanges"]
        (edit,) = change["edits"]
        assert edit["snippet"]["kind"] == "snippet"
        assert "| ${1:Install `csvcut`, or tell the user" in edit["snippet"]["value"]
        assert "${2:Check the path with the user" in edit["snippet"]["value"]


async def test_an_offer_is_withdrawn_when_the_text_has_moved(tmp_path: Path) -> None:
    async with revising(tmp_path) as (editor, uri):
        (found,) = await actions(editor, uri, REPLY)
        editor.change(uri, TEXT.replace("Demo", "Other"))
        assert await resolved(editor, found) is None
        assert await actions(editor, uri, REPLY, revised=False) == []
        await scored(editor, uri)
        (again,) = await actions(editor, uri, REPLY)
        (change,) = (await resolved(editor, again))["documentChanges"]
        assert change["textDocument"]["version"] == 2


async def test_work_ends_when_the_text_moves(tmp_path: Path) -> None:
    async with revising(tmp_path, TEXT + "\nSLOW\n") as (editor, uri):
        await actions(editor, uri, TOP, revised=False)
        await asyncio.sleep(0.05)
        editor.change(uri, TEXT)
        await asyncio.wait_for(editor.server.revisions.wait(uri), 0.4)
        snapshot = editor.server.session.snapshot(uri)
        assert editor.server.revisions.of(snapshot) is None


async def test_typing_does_not_wait(tmp_path: Path) -> None:
    """While a candidate is scored, the loop answers at once."""
    async with revising(tmp_path, TEXT + "\nSLOW\n") as (editor, uri):
        await actions(editor, uri, TOP, revised=False)
        await asyncio.sleep(0.05)
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await editor.about("hover", uri, position={"line": 1, "character": 1})
        assert loop.time() - begin < 0.3


async def test_a_cursor_that_moves_starts_nothing_at_once(tmp_path: Path) -> None:
    async with revising(tmp_path) as (editor, uri):
        place = {"line": TOP, "character": 0}
        context = {"diagnostics": [], "triggerKind": 2}
        await editor.about("codeAction", uri, range={"start": place, "end": place}, context=context)
        await asyncio.sleep(0.1)
        assert editor.server.revisions.of(editor.server.session.snapshot(uri)) is None
        begin = asyncio.get_running_loop().time()
        assert len(await actions(editor, uri, TOP)) == 2, "who asks does not wait for a rest"
        assert asyncio.get_running_loop().time() - begin < REST


async def test_a_scorer_that_fails_leaves_no_offers(tmp_path: Path) -> None:
    async with revising(tmp_path, TEXT + "\nFAIL\n") as (editor, uri):
        assert await actions(editor, uri, TOP) == []
        found = (await editor.request("skillgauge/revisions", {"uri": uri}))["result"]
        assert (found["offers"], bool(found["reason"])) == ([], True)


async def test_what_lowers_another_metric_is_not_offered(tmp_path: Path) -> None:
    async with revising(tmp_path, TEXT + "\nIt is fragile.\n") as (editor, uri):
        assert await actions(editor, uri, TOP, "refactor") == []


async def test_without_scores_there_are_none(tmp_path: Path) -> None:
    async with revising(tmp_path, options={"scores": False}) as (editor, uri):
        assert await actions(editor, uri, TOP, "refactor") == []
        found = (await editor.request("skillgauge/revisions", {"uri": uri}))["result"]
        assert found["offers"] == []
        json.dumps(found)
