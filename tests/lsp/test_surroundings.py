"""What lies around a document: its URI, configuration, project and neighbours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp.surroundings import Project, Surroundings
from skillgauge.lsp.uris import Kind, kind_of, path_of, uri_of

from .documents import make_skill
from .inprocess import PULLS, editing

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"


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
