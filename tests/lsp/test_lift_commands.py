"""The commands of lift runs: consent first, one clear sentence for what keeps them from running."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import command
from skillgauge.cli._parser import Parser
from skillgauge.lsp import lift_options
from skillgauge.lsp.features.lift import COMMANDS
from skillgauge.lsp.server import SkillgaugeServer

from .documents import place
from .lift_world import PLAN, WINDOW, LiftEditor, World, lifting, settled
from .loopback import until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.setenv("SKILLGAUGE_DATA", str(made.data))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return made


async def test_plan(world: World) -> None:
    options = {"lift": {"harnesses": ["codex=o4", "claude-code"], "maxCost": 2.5, "jobs": 3}}
    async with lifting(world, options=options) as editor:
        editor.open(world.skill.as_uri(), "changed")
        uri = world.skill.as_uri()
        plan = await editor.command("plan", {"uri": uri, "cases": ["a", "b"], "jobs": 1})
        assert plan == {**PLAN, "uri": uri, "unsaved": ["SKILL.md"]}
        assert world.calls("plan") == [
            [
                *(str(world.folder), "--harness=codex=o4", "--harness=claude-code"),
                *("--max-cost=2.5", "--jobs=1", "--only=a", "--only=b", "--format", "json"),
            ]
        ]
        assert world.calls("run") == []


async def test_the_evaluation_file_that_is_named_is_measured(world: World) -> None:
    async with lifting(world) as editor:
        await editor.command("plan", {"uri": world.evals.as_uri()})
        await editor.command("plan", (world.folder / "scripts" / "run.py").as_uri())
        found = [words[0] for words in world.calls("plan")]
        assert found == [str(world.evals), str(world.folder)]


async def test_a_run_asks_first(world: World) -> None:
    problems = [{"line": 12, "message": "Case 3 has no prompt."}]
    world.write("plan.json", {**PLAN, "problems": problems, "left_out": 2})
    async with lifting(world) as editor:
        editor.open(world.skill.as_uri(), "changed")
        answer = await editor.command("run", {"uri": world.skill.as_uri(), "cases": ["a"]})
        assert answer == {"run": None, "asking": True}, "some editors wait for the answer"
        await until(lambda: bool(world.follows()))
        (asked,) = editor.of("window/showMessageRequest")
        assert asked["params"]["message"] == (
            "Run 4 trials of “demo” (2 cases; with-skill, baseline; codex)?"
            " Estimated cost $0.12, about 2 min. The agents call the models with your keys."
            " 2 trials beyond the limit are left out."
            " 1 case can't be run: Case 3 has no prompt."
            " What is not saved is not measured: SKILL.md."
        )
        assert [one["title"] for one in asked["params"]["actions"]] == ["Run", "Don't run"]
        (words,) = world.calls("run")
        assert words == [
            *(str(world.folder), "--only=a", "--yes", "--detach", "--format", "json"),
        ]


@pytest.mark.parametrize("choice", ["Don't run", None])
async def test_without_consent_nothing_is_run(world: World, choice: str | None) -> None:
    async with lifting(world) as editor:
        editor.choice = choice
        await editor.command("run", {"uri": world.skill.as_uri()})
        await settled(editor)
        assert len(editor.of("window/showMessageRequest")) == 1
        assert world.calls("run") == []
        assert editor.progress() == []


async def test_in_an_editor_that_cannot_ask_a_code_action_agrees(world: World) -> None:
    async with lifting(world) as editor:
        editor.refuses = ("window/showMessageRequest",)
        uri, text = world.skill.as_uri(), world.skill.read_text()
        editor.open(uri, text)
        await editor.command("run", {"uri": uri, "cases": ["a"]})
        await settled(editor)
        assert world.calls("run") == []
        title = "Yes, run 4 trials (about $0.12)"
        (message,) = editor.messages()
        assert message.startswith("Run 4 trials of “demo”")
        assert message.endswith(f"To agree, choose the code action “{title}”.")
        first = (await kinds(editor, uri, text, "name"))["skillgauge.lift"][0]
        assert first["title"] == title
        given = first["command"]["arguments"][0]
        assert given == {"uri": uri, "cases": ["a"], "consent": True}
        assert (await editor.command("run", given))["run"] == "run-1"
        actions = (await kinds(editor, uri, text, "name"))["skillgauge.lift"]
        assert title not in [one["title"] for one in actions], "agreeing counts once"


async def test_consent_may_be_given_with_the_command(world: World) -> None:
    async with lifting(world) as editor:
        answer = await editor.command("run", {"uri": world.skill.as_uri(), "consent": True})
        assert answer["run"] == "run-1"
        assert editor.of("window/showMessageRequest") == []


async def test_a_client_with_its_own_interface_asks_and_tells_itself(world: World) -> None:
    async with lifting(world, own=True) as editor:
        answer = await editor.command("run", {"uri": world.skill.as_uri()})
        assert answer["run"] == "run-1"
        world.mode("refuse")
        answer = await editor.command("run", {"uri": world.skill.as_uri()})
        assert answer["error"]["message"] == "There is no engine. Start Docker"
        assert editor.of("window/showMessageRequest") == []
        assert editor.messages() == []
        text = world.skill.read_text()
        editor.open(world.skill.as_uri(), text)
        assert "skillgauge.lift" not in await kinds(editor, world.skill.as_uri(), text, "name")


async def test_what_is_missing_is_told_before_anybody_is_asked(world: World) -> None:
    missing = [
        {"what": "There is no container engine", "how": "Start Docker"},
        {"what": "There is no key for codex", "how": "Set OPENAI_API_KEY"},
    ]
    world.write("plan.json", {**PLAN, "missing": missing})
    async with lifting(world) as editor:
        await editor.command("run", {"uri": world.skill.as_uri()})
        await settled(editor)
        told = (
            "There is no container engine. Start Docker. "
            "There is no key for codex. Set OPENAI_API_KEY"
        )
        assert editor.messages() == [f"Skillgauge: {told}."]
        assert editor.of("window/showMessageRequest") == []
        assert world.calls("run") == []


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("crash", "`skillgauge lift plan` ended with status 1: Traceback: boom"),
        ("garbage", "`skillgauge lift plan` answers what can't be understood"),
        ("hang", "`skillgauge lift plan` did not answer in 0 s"),
        ("refuse", "There is no engine. Start Docker"),
    ],
)
async def test_a_child_that_fails(world: World, mode: str, told: str) -> None:
    async with lifting(world) as editor:
        world.mode(mode)
        if mode == "hang":
            editor.server.lift.command.patience = 0.3
        await editor.command("run", {"uri": world.skill.as_uri()})
        await settled(editor)
        assert editor.messages() == [f"Skillgauge: {told}."]
        answer = await editor.command("plan", {"uri": world.skill.as_uri()})
        assert answer["error"]["message"] == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"uri": "untitled:Untitled-1"}, "Save it first"),
        ({"uri": "file:///nowhere/at/all.md"}, "belongs to no skill"),
        ({"cases": "x" * 3, "harness": []}, "there is no key “harness”"),
        ({"cases": [7]}, "“cases” takes a list of texts"),
        ({"maxCost": -1}, "“maxCost” takes a number that is not negative"),
        ({"attempts": True}, "“attempts” takes a whole number"),
        ({"cases": ["\0"]}, "can't be started"),
    ],
)
async def test_arguments_that_are_none(world: World, given: dict[str, Any], told: str) -> None:
    async with lifting(world) as editor:
        answer = await editor.command("plan", {"uri": world.skill.as_uri(), **given})
        assert told in answer["error"]["message"]
        assert world.calls("plan") == []


@pytest.mark.parametrize("run", ["--help", "-x", "../../etc", "a b", "", 7, "ä"])
async def test_ids_of_runs_are_nothing_else(world: World, run: Any) -> None:
    async with lifting(world) as editor:
        for name in ("cancel", "resume", "report"):
            answer = await editor.command(name, {"run": run})
            assert "takes the id of a run" in answer["error"]["message"]
        assert not (world.state / "calls").exists()


async def test_report(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        answer = await editor.command("report", {"uri": world.skill.as_uri()})
        path = Path(answer["path"])
        assert path.read_text() == "<html></html>"
        assert answer == {"run": "run-1", "format": "html", "path": str(path), "uri": path.as_uri()}
        (shown,) = editor.of("window/showDocument")
        assert shown["params"] == {"uri": path.as_uri(), "external": True}
        editor.refuses = ("window/showDocument",)
        answer = await editor.command("report", {"run": "run-1", "format": "markdown"})
        assert editor.messages() == [f"The report is in {answer['path']}"]
        answer = await editor.command("report", {"run": "run-1", "format": "exe"})
        assert answer["error"]["message"].startswith("A report is one of html")


async def test_no_report_without_a_run(world: World) -> None:
    async with lifting(world) as editor:
        answer = await editor.command("report", world.skill.as_uri())
        assert answer["error"]["message"] == "No run of this skill has ended yet"


async def test_status(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        answer = await editor.command("status", {"uri": world.evals.as_uri()})
        (run,) = answer["runs"]
        assert run == {**world.runs[0], "uri": world.skill.as_uri()}
        told = "run-1, done, lift +0.42 [0.10, 0.74], 2 cases, low precision"
        assert editor.messages() == [told]
        assert await editor.command("status") == answer


async def test_resume(world: World) -> None:
    world.put(state="open", working=False, lift=None, counts={"done": 1, "planned": 3})
    async with lifting(world) as editor:
        uri = world.skill.as_uri()
        editor.open(uri, world.skill.read_text())
        await settled(editor)
        assert editor.server.lift.followed == []
        titles = [title for title, _ in await editor.lenses(uri)]
        assert titles == ["lift: stopped at 1 of 4 trials", "Resume lift run"]
        answer = await editor.command("resume", {"uri": uri})
        assert answer == {"run": "run-1", "pid": 1}
        await until(lambda: editor.server.lift.followed == ["run-1"])
        await until(lambda: bool(editor.progress()))
        assert editor.progress()[0]["value"]["message"] == "1/4 trials, $0.31, 0 s left"
        answer = await editor.command("resume", {"uri": uri})
        assert answer["error"]["message"] == "There is no run of this skill to go on with"


async def kinds(editor: LiftEditor, uri: str, text: str, needle: str) -> dict[str, list[Any]]:
    """Return the code actions at a place by their kind."""
    at = place(text, needle)
    found = await editor.about(
        "codeAction", uri, range={"start": at, "end": at}, context={"diagnostics": []}
    )
    made: dict[str, list[Any]] = {}
    for one in found:
        made.setdefault(one["kind"], []).append(one)
    return made


async def test_code_actions_do_what_lenses_do(world: World) -> None:
    world.put()
    async with lifting(world) as editor:
        uri, text = world.skill.as_uri(), world.skill.read_text()
        editor.open(uri, text)
        cases, evals = world.evals.as_uri(), world.evals.read_text()
        editor.open(cases, evals)
        await settled(editor)
        found = (await kinds(editor, uri, text, "name"))["skillgauge.lift"]
        last = "lift +0.42 [0.10, 0.74], 2 cases, low precision"
        assert [one["title"] for one in found] == ["Run lift of this skill…", f"Report: {last}"]
        assert found[0]["command"]["command"] == "skillgauge.lift.run"
        assert "skillgauge.lift" not in await kinds(editor, uri, text, "## Workflow")
        found = (await kinds(editor, cases, evals, '"Mail"'))["skillgauge.lift"]
        assert [one["title"] for one in found] == [
            "Run lift of all cases…",
            f"Report: {last}",
            "Run lift of case “b”…",
            "Report: b, lift -0.25 codex",
        ]
        assert found[2]["command"]["arguments"] == [{"uri": cases, "cases": ["b"]}]


def test_what_a_run_can_be_asked_for_is_on_the_command_line_and_on_the_page() -> None:
    parser = Parser("lift", "")
    command("lift").add_arguments(parser)
    given: dict[str, Any] = {"cases": ["a"], "harnesses": ["h"], "maxCost": 1.5}
    given |= dict.fromkeys(("attempts", "maxTrials", "jobs", "seed"), 1)
    given |= dict.fromkeys(("model", "judge", "image", "script"), "x")
    asked = lift_options.read(given)
    words = lift_options.words(asked)
    assert len(words) == len(given)
    options = parser.read(["run", "skill", *words])
    assert options is not None
    assert (options.only, options.harness, options.max_cost, options.max_trials) == (
        ["a"],
        ["h"],
        1.5,
        1,
    )
    page = (ROOT / "docs" / "editors" / "lift-protocol.md").read_text(encoding="utf-8")
    section = page.partition("### What a run can be asked for")[2].partition("\n### ")[0]
    keys = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| ([^|]*) \|", section, re.MULTILINE)))
    assert set(keys) == {*given, "uri", "consent"}


def test_every_command_is_on_the_page() -> None:
    page = (ROOT / "docs" / "editors" / "lift-protocol.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(skillgauge\.lift\.\w+)` \|", page, re.MULTILINE)) == set(COMMANDS)


def test_nothing_is_started_before_there_is_a_skill() -> None:
    assert SkillgaugeServer().lift.idle


def test_the_window_of_tests_is_that_of_editors() -> None:
    from .editor_client import capabilities

    window = capabilities("vscode").window
    assert window is not None
    assert window.work_done_progress is WINDOW["workDoneProgress"]
