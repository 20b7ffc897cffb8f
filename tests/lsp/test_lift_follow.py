"""Runs that go on: progress, cancelling, a restart of the server, and children that misbehave."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp import lift_follower

from .lift_world import RESULTS, WINDOW, LiftEditor, World, lifting, settled
from .loopback import until

OPEN: dict[str, Any] = {
    "state": "open",
    "working": True,
    "counts": {"planned": 3, "done": 1},
    "lift": None,
    "cases": [],
    "eta_seconds": 120.0,
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.setenv("SKILLGAUGE_DATA", str(made.data))
    monkeypatch.setattr(lift_follower, "FIRST_PAUSE", 0.001)
    return made


def open_cases(editor: LiftEditor, world: World) -> str:
    editor.open(world.evals.as_uri(), world.evals.read_text())
    return world.evals.as_uri()


async def test_progress_and_results_as_they_come(world: World) -> None:
    refresh = {"codeLens": {"refreshSupport": True}}
    async with lifting(world, workspace=refresh) as editor:
        uri = open_cases(editor, world)
        await settled(editor)
        answer = await editor.command("run", {"uri": uri, "consent": True})
        assert answer["run"] == "run-1"
        await until(lambda: bool(editor.progress()))
        (created,) = editor.of("window/workDoneProgress/create")
        token = created["params"]["token"]
        begun = editor.progress()[0]
        assert begun["token"] == token == "skillgauge-lift-run-1"
        assert begun["value"] == {
            "kind": "begin",
            "title": "Lift of demo",
            "cancellable": True,
            "message": "0/0 trials",
            "percentage": 0,
        }
        await until(lambda: editor.progress()[-1]["value"]["message"] == "0/4 trials")
        world.put("run-1", **{**OPEN, "cases": RESULTS[:1]})
        await until(lambda: len(editor.shown(uri)) == 2)
        value = editor.progress()[-1]["value"]
        assert (value["message"], value["percentage"]) == ("1/4 trials, $0.31, 2 min left", 25)
        titles = [title for title, _ in await editor.lenses(uri)]
        assert titles[:2] == ["lift: 1/4 trials, $0.31, 2 min left", "Cancel lift run"]
        assert "lift +0.25 codex" in titles
        world.put("run-1")
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        done = "lift +0.42 [0.10, 0.74], 2 cases, low precision"
        assert editor.progress()[-1]["value"]["message"] == done
        await settled(editor)
        assert [code for code, *_ in editor.shown(uri)] == [
            "lift-failed",
            "lift-assertion",
            "lift-negative",
        ]
        assert editor.of("workspace/codeLens/refresh")
        assert editor.server.lift.followed == []
        assert world.follows() == ["run-1"], "one child follows it"


async def test_one_run_is_followed_once_whoever_asks(world: World) -> None:
    world.put(**OPEN)
    async with lifting(world) as editor:
        editor.open(world.skill.as_uri(), world.skill.read_text())
        open_cases(editor, world)
        await until(lambda: editor.server.lift.followed == ["run-1"])
        for _ in range(3):
            await editor.command("status", {"uri": world.skill.as_uri()})
        await until(lambda: bool(editor.progress()))
        assert len(editor.of("window/workDoneProgress/create")) == 1
        await until(lambda: world.follows() == ["run-1"])


async def test_cancel_by_the_progress(world: World) -> None:
    async with lifting(world) as editor:
        await editor.command("run", {"uri": world.skill.as_uri(), "consent": True})
        await until(lambda: bool(editor.progress()))
        editor.notify("window/workDoneProgress/cancel", {"token": "skillgauge-lift-run-1"})
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        assert editor.progress()[-1]["value"]["message"] == "cancelled"
        assert [words[0] for words in world.calls("cancel")] == ["run-1"]
        assert world.runs[0]["state"] == "cancelled"


async def test_other_progress_cancels_nothing(world: World) -> None:
    world.put(**OPEN)
    async with lifting(world) as editor:
        open_cases(editor, world)
        await until(lambda: bool(editor.progress()))
        for token in ("other", 7, "skillgauge-lift-", "skillgauge-lift---help"):
            editor.notify("window/workDoneProgress/cancel", {"token": token})
        await settled(editor)
        assert world.calls("cancel") == []


async def test_cancel_by_the_command(world: World) -> None:
    world.put("run-1")
    world.put("run-2", **OPEN, created=2e9)
    async with lifting(world) as editor:
        answer = await editor.command("cancel", {"uri": world.evals.as_uri()})
        assert answer == {"cancelled": ["run-2"]}
        assert [one["state"] for one in world.runs] == ["done", "cancelled"]


async def test_closing_the_editor_leaves_the_run_and_the_next_one_finds_it(world: World) -> None:
    async with lifting(world) as editor:
        await editor.command("run", {"uri": world.skill.as_uri(), "consent": True})
        await until(lambda: bool(editor.progress()))
    assert world.runs[0]["state"] == "open"
    assert world.calls("cancel") == []
    world.put("run-1", **OPEN)
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        await until(lambda: bool(editor.progress()))
        first = editor.progress()[0]
        assert first["token"] == "skillgauge-lift-run-1"
        assert first["value"]["message"] == "1/4 trials, $0.31, 2 min left"
        world.put("run-1")
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        await until(lambda: len(editor.shown(uri)) == 3)


async def test_a_run_that_was_begun_elsewhere_shows_up(world: World) -> None:
    """The journal's time tells; nobody is asked while nothing happens."""
    async with lifting(world) as editor:
        open_cases(editor, world)
        await settled(editor)
        await asyncio.sleep(0.1)
        assert world.calls("status") == []
        world.put(**OPEN)
        await until(lambda: editor.server.lift.followed == ["run-1"])
        asked = len(world.calls("status"))
        await asyncio.sleep(0.2)
        assert len(world.calls("status")) <= asked + 2, "nothing is asked again and again"


async def test_nobody_looks_once_all_is_closed(world: World) -> None:
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        await settled(editor)
        editor.close_document(uri)
        await asyncio.sleep(0.1)
        world.put(**OPEN)
        await asyncio.sleep(0.1)
        assert world.calls("status") == []
        uri = open_cases(editor, world)
        await until(lambda: editor.server.lift.followed == ["run-1"])


async def test_the_notification(world: World) -> None:
    async with lifting(world, own=True) as editor:
        uri = world.skill.as_uri()
        await editor.command("run", {"uri": uri})
        await until(lambda: bool(editor.of("skillgauge/lift")))
        world.put("run-1", **{**OPEN, "cases": RESULTS})
        await until(lambda: any(told["events"] for told in notified(editor)))
        event = next(told["events"] for told in notified(editor) if told["events"])[0]
        assert (event["event"], event["run"], event["case"]) == ("done", "run-1", "a")
        await until(lambda: bool(notified(editor)[-1]["runs"][0]["cases"]))
        await settled(editor)
        last = {**notified(editor)[-1], "events": []}
        assert last == {
            "uri": uri,
            "path": str(world.folder),
            "trusted": True,
            "runs": [{**world.runs[0], "uri": uri}],
            "events": [],
        }
        reply = await editor.request("skillgauge/lift", {"uri": world.evals.as_uri()})
        assert reply["result"] == last


def notified(editor: LiftEditor) -> list[dict[str, Any]]:
    return [message["params"] for message in editor.of("skillgauge/lift")]


async def test_only_those_who_want_it_are_notified(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        open_cases(editor, world)
        await settled(editor)
        assert editor.of("skillgauge/lift") == []


@pytest.mark.parametrize("mode", ["crash", "garbage"])
async def test_a_follower_that_misbehaves_is_started_again(world: World, mode: str) -> None:
    world.put(**OPEN)
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        await until(lambda: bool(editor.progress()))
        await until(lambda: world.follows() == ["run-1"])
        world.mode(mode)
        for process in list(editor.server.lift.command._running):
            process.kill()
        await until(lambda: len(world.follows()) >= 2)
        world.mode("")
        world.put()
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        await until(lambda: len(editor.shown(uri)) == 3)


async def test_a_run_that_nobody_tells_of_is_lost_sight_of(world: World) -> None:
    world.put(**OPEN)
    async with lifting(world) as editor:
        editor.server.lift.every = 3600
        open_cases(editor, world)
        await until(lambda: bool(editor.progress()))
        world.mode("crash")
        for process in list(editor.server.lift.command._running):
            process.kill()
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        assert len(world.follows()) == lift_follower.MAX_FAILURES
        await settled(editor)
        assert editor.server.lift.followed == []
        assert editor.messages() == [], "nobody is bothered by what happens in the background"


@pytest.mark.parametrize("mode", ["crash", "garbage", "refuse"])
async def test_findings_come_whatever_becomes_of_lift(world: World, mode: str) -> None:
    world.put()
    world.mode(mode)
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        editor.change(uri, '{"evals": [{"id": "a"}]}')
        await settled(editor)
        assert {one["source"] for one in editor.published(uri)[-1]["diagnostics"]} == {"skillgauge"}
        assert ("Run all", 0) in await editor.lenses(uri)
        assert editor.messages() == []


async def test_a_client_without_progress(world: World) -> None:
    async with lifting(world, window={}) as editor:
        await editor.command("run", {"uri": world.skill.as_uri(), "consent": True})
        await until(lambda: bool(world.follows()))
        assert editor.of("window/workDoneProgress/create") == []
        assert editor.progress() == []


async def test_a_client_that_refuses_progress(world: World) -> None:
    async with lifting(world, window=WINDOW) as editor:
        editor.refuses = ("window/workDoneProgress/create",)
        uri = open_cases(editor, world)
        await editor.command("run", {"uri": uri, "consent": True})
        await until(lambda: bool(world.follows()))
        world.put("run-1")
        await until(lambda: len(editor.shown(uri)) == 3)
        assert editor.progress() == []


async def test_edits_meanwhile(world: World) -> None:
    """Results land at their case, though the file was edited since the run was begun."""
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        await editor.command("run", {"uri": uri, "consent": True})
        await until(lambda: bool(world.follows()))
        text = world.evals.read_text().replace('"evals": [', '"evals": [\n\n  {"id": "z"},')
        editor.change(uri, text)
        world.put("run-1", **{**OPEN, "cases": RESULTS[1:]})
        await until(lambda: bool(editor.shown(uri)))
        (item,) = (
            one
            for one in editor.published(uri)[-1]["diagnostics"]
            if one["source"] == "skillgauge lift"
        )
        line = text[: text.index('"b"')].count("\n")
        assert item["range"]["start"]["line"] == line


async def test_a_run_that_failed_says_why(world: World) -> None:
    world.put(**OPEN)
    async with lifting(world) as editor:
        uri = open_cases(editor, world)
        await until(lambda: bool(editor.progress()))
        why = "the engine was stopped"
        world.put(state="failed", reason=why, lift=None, cases=[])
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        assert editor.progress()[-1]["value"]["message"] == f"failed: {why}"
        await settled(editor)
        titles = [title for title, _ in await editor.lenses(uri)]
        assert titles[:2] == ["Run all", f"last lift run failed: {why}"]
