"""What is worked out once and kept, and what makes it old."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp import snapshot as snapshots
from skillgauge.lsp import surroundings
from skillgauge.lsp.scanner import Scanner
from skillgauge.lsp.surroundings import Project

from .documents import make_skill
from .inprocess import PULLS, Editor, editing

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"
REFRESHES: dict[str, Any] = {
    "diagnostics": {"refreshSupport": True},
    "codeLens": {"refreshSupport": True},
}


def codes(report: dict[str, Any]) -> set[str]:
    return {item["code"] for item in report["items"]}


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the documents that were judged, in their order; partly judged ones marked."""
    judged: list[str] = []
    check = snapshots.check

    def counted(document: Any, settings: Any, **options: Any) -> Any:
        judged.append(f"{document.path.parent.name}{' in part' if 'rules' in options else ''}")
        return check(document, settings, **options)

    monkeypatch.setattr(snapshots, "check", counted)
    return judged


async def test_what_has_not_changed_is_not_judged_again(tmp_path: Path, checks: list[str]) -> None:
    path, other = make_skill(tmp_path, "demo", BAD), make_skill(tmp_path, "other")
    async with editing(tmp_path, document=PULLS) as editor:
        editor.open(path.as_uri(), BAD)
        first = await pull_all(editor, {})
        assert sorted(checks) == ["demo", "other"]
        assert await pull_all(editor, first) == first
        editor.save(path.as_uri())
        await editor.settled()
        assert await pull_all(editor, first) == first
        assert sorted(checks) == ["demo", "other"], "nothing had changed"
        other.write_text(other.read_text() + "\nMore.\n")
        await pull_all(editor, first)
        assert checks[2:] == ["other"]


async def pull_all(editor: Editor, known: dict[str, str]) -> dict[str, str]:
    """Return the result ids of all skills, asked for as an editor does."""
    ids = [{"uri": uri, "value": value} for uri, value in known.items()]
    reply = await editor.request("workspace/diagnostic", {"previousResultIds": ids})
    items = reply["result"]["items"]
    if known:
        kinds = {item["uri"]: item["kind"] for item in items}
        changed = {item["uri"] for item in items if known.get(item["uri"]) != item["resultId"]}
        assert kinds == {uri: "full" if uri in changed else "unchanged" for uri in kinds}
    return {item["uri"]: item["resultId"] for item in items}


async def test_new_neighbours_cost_only_the_rules_about_neighbours(
    tmp_path: Path, checks: list[str]
) -> None:
    skills = tmp_path / ".claude" / "skills"
    path = make_skill(skills, "demo")
    async with editing(tmp_path, document=PULLS, workspace=REFRESHES) as editor:
        editor.open(path.as_uri(), path.read_text())
        before = await editor.about("diagnostic", path.as_uri())
        assert checks == ["demo"]
        twin = make_skill(skills, "twin", path.read_text())
        change = {"uri": twin.as_uri(), "type": 1}
        asked = len(editor.of("workspace/diagnostic/refresh"))
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        await editor.settled()
        assert len(editor.of("workspace/diagnostic/refresh")) > asked
        after = await editor.about("diagnostic", path.as_uri())
        assert codes(after) - codes(before) == {"X001"}
        assert [item for item in after["items"] if item["code"] != "X001"] == before["items"]
        assert checks == ["demo", "demo in part"]


async def test_a_script_that_changes_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word from the editor, too, after a while."""
    monkeypatch.setattr(surroundings, "FOLDER_SECONDS", 0.0)
    path = make_skill(tmp_path)
    text = path.read_text().replace("run.py --fast", "run.py --quick")
    async with editing(tmp_path, document=PULLS) as editor:
        editor.open(path.as_uri(), text)
        assert "T006" in codes(await editor.about("diagnostic", path.as_uri()))
        script = path.parent / "scripts" / "run.py"
        script.write_text(script.read_text().replace("--fast", "--quick"))
        editor.change(path.as_uri(), text + "\n")
        assert "T006" not in codes(await editor.about("diagnostic", path.as_uri()))


async def test_a_file_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    path = make_skill(tmp_path, "demo", BAD)
    async with editing(tmp_path, document=PULLS) as editor:
        assert "F011" in codes(await editor.about("diagnostic", path.as_uri()))
        known = await pull_all(editor, {})
        path.unlink()
        editor.server.scanner.request(Project(tmp_path))
        await editor.settled()
        assert codes(await editor.about("diagnostic", path.as_uri())) == set()
        ids = [{"uri": uri, "value": value} for uri, value in known.items()]
        reply = await editor.request("workspace/diagnostic", {"previousResultIds": ids})
        assert [item["items"] for item in reply["result"]["items"]] == [[]]


async def test_a_scan_that_fails_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    make_skill(one, "demo")
    make_skill(two, "other")
    walk = Scanner._walk

    def fails(self: Scanner, project: Project) -> Any:
        if project.root == one:
            raise RuntimeError("a bug")
        return walk(self, project)

    monkeypatch.setattr(Scanner, "_walk", fails)
    async with editing(one, two) as editor:
        reply = await editor.request("workspace/symbol", {"query": ""})
        assert [item["name"] for item in reply["result"]] == ["other"]
        assert "a bug" in caplog.text
