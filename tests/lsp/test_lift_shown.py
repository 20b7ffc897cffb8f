"""Results of lift runs at their places: lenses, hovers, diagnostics, and what is stale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .documents import place
from .inprocess import PULLS
from .lift_world import CASES, RESULTS, UNSATISFIED, LiftEditor, World, lifting, settled

LAST = "lift +0.42 [0.10, 0.74], 2 cases, low precision"
ASSERTION = (
    "codex: not satisfied with the skill in 2 of 3 attempts: “1;2 3;4”. The first line has values."
    " What failed was the skill."
)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.setenv("SKILLGAUGE_DATA", str(made.data))
    return made


async def opened(editor: LiftEditor, path: Path) -> str:
    """Open a file, wait for all there is to show, and return its URI."""
    editor.open(path.as_uri(), path.read_text(encoding="utf-8"))
    await settled(editor)
    return path.as_uri()


async def test_a_skill_has_its_last_lift_and_a_way_to_the_next(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        assert await editor.lenses(uri) == [("Run lift…", 0), (LAST, 0)]
        lenses = await editor.about("codeLens", uri)
        commands = [(one["command"]["command"], one["command"]["arguments"]) for one in lenses[-2:]]
        assert commands == [
            ("skillgauge.lift.run", [{"uri": uri}]),
            ("skillgauge.lift.report", [{"run": "run-1"}]),
        ]


async def test_cases_have_their_own(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        text = world.evals.read_text()
        a, b = (place(text, f'"{name}"')["line"] for name in "ab")
        top = place(text, '"evals"')["line"]
        assert await editor.lenses(uri) == [
            ("Run all", top),
            (LAST, top),
            ("Run this case", a),
            ("lift +0.25 codex", a),
            ("Run this case", b),
            ("lift -0.25 codex", b),
        ]


async def test_without_runs_there_is_a_way_to_the_first_and_no_child(world: World) -> None:
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        assert await editor.lenses(uri) == [("Run lift…", 0)]
        editor.change(uri, world.skill.read_text() + "\nMore.\n")
        await settled(editor)
        assert world.calls("status") == [], "nobody is asked while there is no journal"


async def test_a_skill_without_cases_has_no_lens(world: World) -> None:
    world.evals.unlink()
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        assert await editor.lenses(uri) == []


async def test_results_are_diagnostics_at_their_case(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        failed = (
            "codex: the skill failed: it was loaded, and still the assertions failed"
            " (lift +0.25, 0.50 with the skill, 0.25 without)"
        )
        worse = "codex: better without the skill: lift -0.25, 0.75 with the skill, 1.00 without"
        assert editor.shown(uri) == [
            ("lift-failed", 3, failed),
            ("lift-assertion", 3, ASSERTION),
            ("lift-negative", 3, worse),
        ]
        item = next(
            one
            for one in editor.published(uri)[-1]["diagnostics"]
            if one["code"] == "lift-assertion"
        )
        text = world.evals.read_text()
        assert item["range"]["start"] == place(text, '"It has a head"')
        assert item["data"] == {"run": "run-1", "case": "a", "harness": "codex"}


async def test_findings_of_rules_stay_beside_them(world: World) -> None:
    world.put()
    cases = json.loads(json.dumps(CASES))
    del cases["evals"][1]["prompt"]
    world.evals.write_text(json.dumps(cases, indent=1))
    refresh = {"diagnostics": {"refreshSupport": True}}
    async with lifting(world, document=PULLS, workspace=refresh) as editor:
        uri = await opened(editor, world.evals)
        report = await editor.about("diagnostic", uri)
        sources = [item["source"] for item in report["items"]]
        assert sources.count("skillgauge lift") == 3
        assert "skillgauge" in sources
        same = await editor.about("diagnostic", uri, previousResultId=report["resultId"])
        assert same["kind"] == "unchanged"
        world.put(stale=True)
        await settled(editor)
        await wait_for(lambda: bool(world.calls("status")[1:]))
        await settled(editor)
        assert editor.of("workspace/diagnostic/refresh")
        after = await editor.about("diagnostic", uri, previousResultId=report["resultId"])
        assert after["kind"] == "full"
        late = [one for one in after["items"] if one["source"] == "skillgauge lift"]
        assert all("(stale" in one["message"] and one["severity"] == 4 for one in late)
        assert len(late) == 3


async def wait_for(condition: Any) -> None:
    from .loopback import until

    await until(condition)


async def test_no_fix_and_no_switch_is_offered_for_a_result(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        text = world.evals.read_text()
        where = {
            "start": place(text, '"It has a head"', 3),
            "end": place(text, '"It has a head"', 3),
        }
        shown = editor.published(uri)[-1]["diagnostics"]
        actions = await editor.about("codeAction", uri, range=where, context={"diagnostics": shown})
        kinds = {one["kind"] for one in actions if "lift-" in one["title"]}
        assert kinds == set()


async def test_results_follow_their_case_by_its_id(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        first, second = CASES["evals"]
        moved = {**first, "assertions": ["New", "It has a head"]}
        text = json.dumps(
            {**CASES, "evals": [{"id": "new", "prompt": "x"}, second, moved]}, indent=1
        )
        editor.change(uri, text)
        await settled(editor)
        last = editor.published(uri)[-1]
        assert last["version"] == 2
        places = {
            one["code"]: one["range"]["start"]
            for one in last["diagnostics"]
            if one["source"] == "skillgauge lift"
        }
        assert places == {
            "lift-negative": place(text, '"b"'),
            "lift-failed": place(text, '"a"'),
            "lift-assertion": place(text, '"It has a head"'),
        }
        gone = text.replace('"It has a head"', '"It has two heads"').replace('"b"', '"c"')
        editor.change(uri, gone)
        await settled(editor)
        assert [code for code, *_ in editor.shown(uri)] == ["lift-failed"], "others are outdated"


async def test_the_newest_result_of_each_case_counts(world: World) -> None:
    world.put("run-1", created=1.0, stale=True)
    only = {**RESULTS[1], "lift": 0.5, "control": 0.25}
    lift = {"estimate": 0.5, "interval": None, "n_cases": 1, "precision": "insufficient"}
    world.put("run-2", created=2.0, lift=lift, cases=[only])
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        titles = [title for title, _ in await editor.lenses(uri)]
        assert titles[1] == f"{LAST}, stale", "a run of one case is no lift of the skill"
        assert titles[3] == "lift +0.25 codex (stale)"
        assert titles[5] == "lift +0.50 codex"
        assert [(code, severity) for code, severity, _ in editor.shown(uri)] == [
            ("lift-failed", 4),
            ("lift-assertion", 4),
            ("lift-result", 4),
        ]


async def test_what_only_the_editor_has_is_stale_too(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        editor.change(uri, world.skill.read_text() + "\nMore.\n")
        assert (f"{LAST}, stale", 0) in await editor.lenses(uri)
        editor.change(uri, world.skill.read_text())
        assert (LAST, 0) in await editor.lenses(uri)
        assert len(world.calls("status")) == 1, "typing asks nobody"


async def test_a_saved_skill_is_asked_about_again(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        editor.server.lift.every = 60
        runs = [{**world.runs[0], "stale": True}]
        world.write("runs.json", runs)
        editor.save(uri)
        await settled(editor)
        assert (f"{LAST}, stale", 0) in await editor.lenses(uri)


async def test_hover(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri = await opened(editor, world.skill)
        for line in (0, 1):
            at = {"line": line, "character": 1}
            text = (await editor.about("hover", uri, position=at))["contents"]["value"]
            assert (
                "**Lift +0.42 [0.10, 0.74], 2 cases, low precision** · 2026-03-01 · $0.31" in text
            )
            assert "| a | codex | 0.50 | 0.25 | +0.25 | skill |" in text
        cases = await opened(editor, world.evals)
        at = place(world.evals.read_text(), '"b"', 1)
        text = (await editor.about("hover", cases, position=at))["contents"]["value"]
        assert "| 2026-03-01 | codex | 0.75 | 1.00 | -0.25 |  |" in text


async def test_what_agents_wrote_is_shown_as_text_alone(world: World) -> None:
    """No control characters, no Markdown, and not without end."""
    nasty = {
        **UNSATISFIED,
        "quote": "\x1b[31m<img src=x>\u202e" + "x" * 100_000,
        "reason": "[click](command:evil)\n# Head",
    }
    case = {**RESULTS[0], "harness": "co|dex<b>", "unsatisfied": [nasty], "blame": "*skill*"}
    world.put(cases=[case])
    async with lifting(world) as editor:
        uri = await opened(editor, world.evals)
        message = next(text for code, _, text in editor.shown(uri) if code == "lift-assertion")
        assert not any(ord(one) < 32 or one == "\u202e" for one in message)
        assert len(message) < 900
        at = place(world.evals.read_text(), '"a"', 1)
        text = (await editor.about("hover", uri, position=at))["contents"]["value"]
        assert r"co\|dex\<b\>" in text
        assert r"\*skill\*" in text
