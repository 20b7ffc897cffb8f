"""Lift runs in a session with the real server, as three editors open it.

The command line and the journal are the product's own; the first tests read a finished run, the
others have a worker in a process of its own, on a stage without containers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.user_data import journal_path

from ..lift import made_runs
from .documents import make_skill, place
from .editor_client import EditorClient, connected, diagnostics_for, open_document, within

SERVER = [sys.executable, str(Path(__file__).parent / "lift_server.py")]
REAL = [sys.executable, "-m", "skillgauge", "server", "--no-scorer"]
OWN = {"vscode": {"skillgaugeLift": True}}
"""Which editors have an interface of their own."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("SKILLGAUGE_DATA", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def cases(data: Path, tmp_path: Path) -> Path:
    """The evaluation file of a skill that nothing was run of."""
    path = make_skill(tmp_path / "skills", "demo").parent / "evals" / "evals.json"
    path.parent.mkdir()
    given = [{"id": name, "prompt": "Convert", "assertions": ["It is a table"]} for name in "abc"]
    path.write_text(json.dumps({"skill_name": "demo", "evals": given}, indent=1))
    return path


@contextlib.asynccontextmanager
async def session(editor: str, root: Path, command: list[str]) -> AsyncIterator[EditorClient]:
    async with connected(command, editor, root, experimental=OWN.get(editor)) as client:
        client.choice = "Run"
        yield client


async def command(client: EditorClient, name: str, argument: dict[str, Any]) -> dict[str, Any]:
    params = lsp.ExecuteCommandParams(f"skillgauge.lift.{name}", [argument])
    found: Any = await within(client.workspace_execute_command_async(params))
    return json.loads(json.dumps(found, default=lambda value: value._asdict()))


async def lenses(client: EditorClient, uri: str) -> list[str]:
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    found = await within(client.text_document_code_lens_async(params))
    titles = [lens.command.title for lens in found or () if lens.command]
    words = ("lift", "run", "cancel", "resume", "last")
    return [title for title in titles if title.lower().startswith(words)]


async def results(client: EditorClient, uri: str) -> list[lsp.Diagnostic]:
    """Return the results of lift that the editor shows, asked for or sent, once there are some."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if client.capabilities and client.capabilities.text_document.diagnostic:  # type: ignore[union-attr]
            found = await diagnostics_for(client, uri)
        else:
            found = list(client.published[uri][-1].diagnostics) if uri in client.published else []
        if ours := [item for item in found if item.source == "skillgauge lift"]:
            return ours
        await asyncio.sleep(0.05)
    raise AssertionError("no result came")


def progress(client: EditorClient, run: str) -> list[Any]:
    return client.progress_reports.get(f"skillgauge-lift-{run}", [])


def state_of(run: str, data: Path) -> str:
    with JournalReader(journal_path(data)) as reader:
        return reader.run(run).state


def worker_of(run: str, data: Path) -> int | None:
    with JournalReader(journal_path(data)) as reader:
        return reader.run(run).worker


async def ended(run: str, data: Path) -> str:
    deadline = time.monotonic() + 20
    while (state := state_of(run, data)) == "open":
        assert time.monotonic() < deadline, "the run never ended"
        await asyncio.sleep(0.05)
    return state


# --- a run that has ended -----------------------------------------------------------------------


async def test_results_of_the_journal(editor: str, data: Path, tmp_path: Path) -> None:
    run = made_runs.make_run(data, cells=made_runs.CELLS[:1], attempts=1)
    folder = data / "skills" / made_runs.SKILL
    evals = folder / "evals" / "evals.json"
    evals.parent.mkdir()
    given = [
        {"id": case.id, "prompt": case.prompt, "assertions": list(case.assertions)}
        for case in made_runs.CASES
    ]
    text = json.dumps({"skill_name": made_runs.SKILL, "evals": given}, indent=1)
    evals.write_text(text)
    async with session(editor, data / "skills", REAL) as client:
        uri = open_document(client, evals, language="json")
        found = await results(client, uri)
        at = {(item.range.start.line, item.code) for item in found}
        lines = {case.id: place(text, f'"{case.id}"')["line"] for case in made_runs.CASES}
        assert {line for line, code in at if code != "lift-assertion"} == set(lines.values())
        wrong = [item for item in found if item.code == "lift-assertion"]
        assert wrong
        assert all("not satisfied with the skill" in item.message for item in wrong)
        assert "“" in wrong[0].message, "the judge's quote"
        titles = await lenses(client, uri)
        assert titles[0] == "Run all"
        assert titles[1].startswith("lift +")
        assert "8 cases, low precision" in titles[1]
        assert "stale" not in titles[1]
        skill = folder / "SKILL.md"
        params = lsp.TextDocumentIdentifier(open_document(client, skill))
        skill.write_text(made_runs.SKILL_TEXT + "\nMore.\n")
        client.text_document_did_save(lsp.DidSaveTextDocumentParams(params))
        await client_until(client, uri, "stale")
        report = await command(client, "report", {"run": run})
        assert Path(report["path"]).read_text(encoding="utf-8").lstrip().startswith("<!")


async def client_until(client: EditorClient, uri: str, word: str) -> None:
    deadline = time.monotonic() + 20
    while not any(word in title for title in await lenses(client, uri)):
        assert time.monotonic() < deadline, f"no lens ever said “{word}”"
        await asyncio.sleep(0.05)


# --- runs that go on ------------------------------------------------------------------------------


async def begin(client: EditorClient, editor: str, uri: str, **more: Any) -> str:
    """Run lift as the editor does: VS Code has asked by itself, for the others the server asks."""
    answer = await command(client, "run", {"uri": uri, "harnesses": ["claude-code"], **more})
    if editor in OWN:
        assert answer["run"], answer
        return answer["run"]
    assert answer == {"run": None, "asking": True}
    (token,) = await client.wait_until(lambda: list(client.progress_reports))
    assert len(client.asked) == 1
    return str(token).removeprefix("skillgauge-lift-")


async def test_a_run_from_consent_to_results(
    editor: str, cases: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "0.2")
    async with session(editor, cases.parents[2], SERVER) as client:
        uri = open_document(client, cases, language="json")
        assert await lenses(client, uri) == ["Run all", *["Run this case"] * 3]
        plan = await command(client, "plan", {"uri": uri, "harnesses": ["claude-code"]})
        assert plan["trials"] == 6
        run = await begin(client, editor, uri)
        if editor not in OWN:
            assert client.asked[0].message.startswith("Run 6 trials of “demo” (3 cases;")
        reports = await client.wait_until(
            lambda: (
                isinstance((told := progress(client, run) or [None])[-1], lsp.WorkDoneProgressEnd)
                and told
            )
        )
        assert isinstance(reports[0], lsp.WorkDoneProgressBegin)
        assert reports[0].cancellable
        shares = [one.percentage for one in reports[1:-1]]
        assert shares == sorted(shares)
        assert await ended(run, data) == "done"
        assert {item.code for item in await results(client, uri)} <= {"lift-result", "lift-failed"}
        await client_until(client, uri, "lift +")
        if editor in OWN:
            last = client.told["skillgauge/lift"][-1]
            assert last.runs[0].run == run
            events = [event for told in client.told["skillgauge/lift"] for event in told.events]
            assert "done" in {event.event for event in events}


async def test_one_case_alone(cases: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "0")
    async with session("neovim", cases.parents[2], SERVER) as client:
        uri = open_document(client, cases, language="json")
        run = await begin(client, "neovim", uri, cases=["b"])
        await ended(run, data)
        (item,) = await results(client, uri)
        assert item.data["case"] == "b"  # type: ignore[index]
        assert item.range.start.line == place(cases.read_text(), '"b"')["line"]


async def test_the_run_outlives_the_session_is_found_again_and_cancelled(
    editor: str, cases: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "600")
    async with session(editor, cases.parents[2], SERVER) as client:
        uri = open_document(client, cases, language="json")
        run = await begin(client, editor, uri)
        await client.wait_until(lambda: progress(client, run))
    assert state_of(run, data) == "open", "the session is over, the run is not"
    async with session(editor, cases.parents[2], SERVER) as client:
        uri = open_document(client, cases, language="json")
        await client.wait_until(lambda: progress(client, run))
        assert (await lenses(client, uri))[1] == "Cancel lift run"
        token = lsp.WorkDoneProgressCancelParams(token=f"skillgauge-lift-{run}")
        client.window_work_done_progress_cancel(token)
        assert await ended(run, data) == "cancelled"
        last = await client.wait_until(
            lambda: isinstance(one := progress(client, run)[-1], lsp.WorkDoneProgressEnd) and one
        )
        assert last.message == "cancelled"


async def test_a_killed_server_leaves_no_child_but_the_run(
    cases: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "0.5")
    run = ""
    with contextlib.suppress(Exception):  # the session ends as no session should
        async with session("neovim", cases.parents[2], SERVER) as client:
            uri = open_document(client, cases, language="json")
            run = await begin(client, "neovim", uri)
            await client.wait_until(lambda: progress(client, run))
            server = client._server
            assert server is not None
            os.kill(server.pid, signal.SIGKILL)
            await server.wait()
    assert run
    assert await ended(run, data) == "done"
    assert (folders.run_folder(data, run) / "worker.log").is_file()


async def test_a_run_whose_worker_was_killed_is_resumed(
    cases: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "1")
    async with session("neovim", cases.parents[2], SERVER) as client:
        uri = open_document(client, cases, language="json")
        run = await begin(client, "neovim", uri)
        os.kill(await client.wait_until(lambda: worker_of(run, data)), signal.SIGKILL)
        await client_until(client, uri, "Resume lift run")
        assert state_of(run, data) == "open"
        answer = await command(client, "resume", {"uri": uri})
        assert answer["run"] == run
        assert await ended(run, data) == "done"
        await client_until(client, uri, "lift +")
