"""What lies around a document: options, configuration, neighbours, folders, files not open."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp import snapshot as snapshots
from skillgauge.lsp import surroundings
from skillgauge.lsp.scanner import Scanner
from skillgauge.lsp.surroundings import Project, Surroundings
from skillgauge.lsp.uris import Kind, kind_of, path_of, uri_of

from .documents import make_skill
from .inprocess import PULLS, Editor, editing

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"
REFRESHES: dict[str, Any] = {
    "diagnostics": {"refreshSupport": True},
    "codeLens": {"refreshSupport": True},
}


def codes(report: dict[str, Any]) -> set[str]:
    return {item["code"] for item in report["items"]}


# --- URIs and kinds -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("file:///a/SKILL.md", Kind.SKILL),
        ("file:///a/skill.MD", Kind.SKILL),
        ("file:///a/evals/evals.json", Kind.EVALS),
        ("file:///data/evals.json", Kind.RESOURCE),
        ("file:///a/SKILL.md.bak", Kind.RESOURCE),
        ("file:///a/skillgauge.toml", Kind.CONFIG),
        ("vscode-remote://ssh/a/SKILL.md", Kind.SKILL),
        ("file://[x/SKILL.md", Kind.RESOURCE),
        ("untitled:Untitled-1", Kind.RESOURCE),
    ],
)
def test_a_document_is_what_its_name_says(uri: str, kind: Kind) -> None:
    assert kind_of(uri, "plaintext", "---\nname: x\n---\n") is kind


@pytest.mark.parametrize("name", ["a b", "ä😀", "50%", "#?", "a:b", "x\udcff"])
def test_paths_and_uris_turn_into_each_other(name: str) -> None:
    path = Path("/skills") / name / "SKILL.md"
    assert path_of(uri_of(path)) == path


@pytest.mark.parametrize("uri", ["untitled:x", "file:", "file:///a%00b", "file://[", "", "x"])
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) is None


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="names are Unicode")
async def test_a_folder_whose_name_is_no_unicode(tmp_path: Path) -> None:
    path = make_skill(tmp_path / os.fsdecode(b"caf\xe9"), "demo", BAD)
    async with editing(tmp_path, document=PULLS) as editor:
        reply = await editor.request("workspace/diagnostic", {"previousResultIds": []})
        (item,) = reply["result"]["items"]
        assert item["uri"] == uri_of(path)
        assert "caf%E9" in item["uri"]
        assert "F011" in codes(item)


async def test_an_open_file_is_found_however_it_is_spelt(tmp_path: Path) -> None:
    """Editors escape more or fewer characters than we do."""
    path = make_skill(tmp_path / "a (1)", "demo")
    ours = uri_of(path)
    theirs = ours.replace("%28", "(").replace("%29", ")")
    assert ours != theirs
    async with editing(tmp_path, document=PULLS) as editor:
        editor.open(theirs, BAD)
        assert "F011" in codes(await editor.about("diagnostic", ours))
        reply = await editor.request("workspace/diagnostic", {"previousResultIds": []})
        assert [item["uri"] for item in reply["result"]["items"]] == [theirs]


# --- options ------------------------------------------------------------------------------------


async def test_options_choose_rules_and_clients(tmp_path: Path) -> None:
    path = make_skill(tmp_path, "demo", BAD)
    options = {"ignore": ["F011"], "extendSelect": "limitations-missing", "clients": ["codex"]}
    async with editing(tmp_path, document=PULLS, options=options) as editor:
        found = codes(await editor.about("diagnostic", path.as_uri()))
        assert "F011" not in found
        assert "R005" in found
        snapshot = editor.server.session.snapshot(path.as_uri())
        assert snapshot is not None
        assert snapshot.clients == ("codex",)


async def test_a_wrong_option_is_told_and_the_rest_is_taken(tmp_path: Path) -> None:
    path = make_skill(tmp_path, "demo", BAD)
    options = {"ignroe": ["F011"], "profile": "loud", "ignore": ["F011"], "clients": ["cluade"]}
    async with editing(tmp_path, document=PULLS, options=options) as editor:
        told = [message["params"]["message"] for message in editor.of("window/showMessage")]
        assert len(told) == 3
        assert any("“ignroe”. Did you mean “ignore”?" in text for text in told)
        assert any("one of default, spec, aces, strict" in text for text in told)
        assert any("No client is called “cluade”" in text for text in told)
        assert "F011" not in codes(await editor.about("diagnostic", path.as_uri()))


async def test_settings_count_at_once_and_are_taken_back(tmp_path: Path) -> None:
    path = make_skill(tmp_path, "demo", BAD)
    async with editing(tmp_path, options={"extendSelect": ["R005"]}) as editor:
        editor.open(path.as_uri(), BAD)
        await editor.settled()
        for settings, shown in (
            ({"skillgauge": {"ignore": ["F011"]}}, False),
            ({"skillgauge": {}}, True),
        ):
            editor.notify("workspace/didChangeConfiguration", {"settings": settings})
            await editor.settled()
            last = editor.published(path.as_uri())[-1]["diagnostics"]
            assert ("F011" in {item["code"] for item in last}) is shown
            assert "R005" in {item["code"] for item in last}, "an option of the start"


class Asked(Editor):
    """An editor that is asked for its settings."""

    settings: Any = None

    def result_for(self, message: dict[str, Any]) -> Any:
        if message["method"] != "workspace/configuration":
            return None
        (item,) = message["params"]["items"]
        assert item["section"] == "skillgauge"
        return [self.settings]


async def test_settings_are_asked_for(tmp_path: Path) -> None:
    path = make_skill(tmp_path, "demo", BAD)
    editor = Asked()
    editor.settings = {"ignore": ["F011"]}
    await editor.start(tmp_path, document=PULLS, workspace={"configuration": True})
    assert "F011" not in codes(await editor.about("diagnostic", path.as_uri()))
    editor.settings = None
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    await editor.settled()
    assert "F011" in codes(await editor.about("diagnostic", path.as_uri()))


async def test_what_the_host_reports_is_left_out_but_for_its_fix(tmp_path: Path) -> None:
    text = "---\nname: other\nuser-invocable: 3\ndescription: Sends: mail.\n---\n# Demo\n"
    path = make_skill(tmp_path, "demo", text)
    async with editing(tmp_path, document=PULLS) as editor:
        usual = codes(await editor.about("diagnostic", path.as_uri()))
    async with editing(tmp_path, document=PULLS, options={"hostDiagnostics": "vscode"}) as editor:
        fewer = codes(await editor.about("diagnostic", path.as_uri()))
        assert usual - fewer == {"F036", "F051"}
        where = {"line": 1, "character": 7}
        actions = await editor.about(
            "codeAction",
            path.as_uri(),
            range={"start": where, "end": where},
            context={"diagnostics": [], "only": ["quickfix"]},
        )
        assert any(action["data"]["code"] == "F036" for action in actions)


@pytest.mark.parametrize(
    ("client", "options", "offered"),
    [
        ("Neovim", None, True),
        ("Visual Studio Code", None, False),
        ("Visual Studio Code - Insiders", None, False),
        ("Visual Studio Code", {"semanticTokens": True}, True),
        ("Neovim", {"semanticTokens": False}, False),
    ],
)
async def test_semantic_tokens_where_the_editor_has_none(
    client: str, options: Any, offered: bool
) -> None:
    editor = Editor()
    capabilities = await editor.start(client=client, options=options)
    assert ("semanticTokensProvider" in capabilities) is offered


# --- configuration and projects -----------------------------------------------------------------


async def test_a_configuration_that_is_removed_takes_its_faults_along(tmp_path: Path) -> None:
    config = tmp_path / "skillgauge.toml"
    config.write_text("ignroe = []\n")
    path = make_skill(tmp_path, "demo", BAD)
    async with editing(tmp_path) as editor:
        editor.open(path.as_uri(), BAD)
        await editor.settled()
        assert len(editor.published(config.as_uri())[-1]["diagnostics"]) == 1
        config.unlink()
        change = {"uri": config.as_uri(), "type": 3}
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        await editor.settled()
        assert editor.published(config.as_uri())[-1]["diagnostics"] == []


def test_a_project_is_that_of_the_command_line(tmp_path: Path) -> None:
    """The configuration's folder, the repository, the editor's folder, the folder of skills."""
    for name in ("repo/.git", "repo/own/demo", "open/skills/demo/evals", "home/skills/demo"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "repo" / "own" / "skillgauge.toml").write_text("")
    around = Surroundings(roots=[tmp_path / "open"])

    def project(name: str) -> Project:
        return around.project(tmp_path / name)

    assert project("repo/own/demo/SKILL.md") == Project(tmp_path / "repo" / "own")
    assert project("repo/other/SKILL.md") == Project(tmp_path / "repo")
    assert project("open/skills/demo/SKILL.md") == Project(tmp_path / "open")
    assert project("home/skills/demo/SKILL.md") == Project(tmp_path / "home" / "skills", 1)


async def test_a_skill_outside_of_all_folders_sees_its_neighbours(tmp_path: Path) -> None:
    """As for ~/.claude/skills, opened from a project elsewhere."""
    home = tmp_path / "home" / ".claude" / "skills"
    text = "---\nname: same\ndescription: Sends mail. Use when asked to.\n---\n# A\n"
    one, two = make_skill(home, "one", text), make_skill(home, "two", text)
    work = tmp_path / "work"
    work.mkdir()
    async with editing(work) as editor:
        editor.open(one.as_uri(), text)
        await editor.settled()
        found = editor.published(one.as_uri())[-1]["diagnostics"]
        twin = next(item for item in found if item["code"] == "X001")
        (related,) = twin["relatedInformation"]
        assert related["location"]["uri"] == two.as_uri()


async def test_a_skill_that_git_ignores_joins_its_own_neighbours_only(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("one/\n")
    text = "---\nname: same\ndescription: Sends mail. Use when asked to.\n---\n# A\n"
    skills = tmp_path / ".claude" / "skills"
    ignored, seen = make_skill(skills, "one", text), make_skill(skills, "two", text)
    async with editing(tmp_path, document=PULLS) as editor:
        assert "X001" in codes(await editor.about("diagnostic", ignored.as_uri()))
        assert "X001" not in codes(await editor.about("diagnostic", seen.as_uri()))


# --- what is kept -------------------------------------------------------------------------------


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
