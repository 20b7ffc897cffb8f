"""Lift runs in workspaces that their user does not trust: nothing is started, nothing is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from .lift_world import World, lifting, settled
from .loopback import until


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.setenv("SKILLGAUGE_DATA", str(made.data))
    return made


async def test_an_untrusted_workspace_runs_and_shows_nothing(world: World) -> None:
    world.put()
    async with lifting(world, own=True, options={"trusted": False}) as editor:
        uri, text = world.skill.as_uri(), world.skill.read_text()
        editor.open(uri, text)
        await settled(editor)
        assert await editor.lenses(uri) == []
        for name in ("plan", "run", "cancel", "resume", "status", "report"):
            answer = await editor.command(name, {"uri": uri, "run": "run-1", "consent": True})
            assert answer["error"]["message"].startswith("This workspace is not trusted")
        known = (await editor.request("skillgauge/lift", {"uri": uri}))["result"]
        assert (known["trusted"], known["runs"]) == (False, [])
        assert not (world.state / "calls").exists(), "no process was started"


async def test_refusing_is_told_once(world: World) -> None:
    async with lifting(world, options={"trusted": False}) as editor:
        await editor.command("run", {"uri": world.skill.as_uri()})
        assert editor.messages() == [
            "Skillgauge: This workspace is not trusted, so nothing of its skills is run."
        ]


async def test_settings_cannot_give_trust(world: World) -> None:
    async with lifting(world, options={"trusted": False}) as editor:
        settings = {"settings": {"skillgauge": {"trusted": True}}}
        editor.notify("workspace/didChangeConfiguration", settings)
        await settled(editor)
        assert not editor.server.lift.trusted
        editor.notify("skillgauge/trust", {"trusted": True})
        await settled(editor)
        assert editor.server.lift.trusted
        editor.notify("workspace/didChangeConfiguration", settings)
        await settled(editor)
        assert editor.server.lift.trusted


async def test_trust_that_is_taken_away_takes_everything_away(world: World) -> None:
    world.put(state="open", working=True)
    async with lifting(world, own=True) as editor:
        uri = world.evals.as_uri()
        editor.open(uri, world.evals.read_text())
        await until(lambda: bool(editor.progress()) and bool(editor.shown(uri)))
        settings = {"settings": {"skillgauge": {"trusted": False}}}
        editor.notify("workspace/didChangeConfiguration", settings)
        await until(lambda: editor.progress()[-1]["value"]["kind"] == "end")
        await settled(editor)
        assert editor.server.lift.followed == []
        assert await editor.lenses(uri) == []
        assert editor.shown(uri) == []
        last = editor.of("skillgauge/lift")[-1]["params"]
        assert (last["uri"], last["trusted"], last["runs"]) == (world.skill.as_uri(), False, [])
        assert editor.server.lift.command.busy == 0
        assert world.runs[0]["state"] == "open", "the run itself goes on"
        editor.notify("workspace/didChangeConfiguration", {"settings": {"skillgauge": {}}})
        await until(lambda: editor.server.lift.followed == ["run-1"])
