"""Open configuration files: their faults are shown while they are written, and count once saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .inprocess import PULLS, PUSHES, Editor, editing

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "SKILL.md").write_text(BAD)
    return tmp_path


def shown(editor: Editor, uri: str) -> list[tuple[int, int, str]]:
    """Return place and message of what the editor shows now."""
    sent = editor.published(uri)
    return [_place(item) for item in sent[-1]["diagnostics"]] if sent else []


def _place(item: dict[str, Any]) -> tuple[int, int, str]:
    start = item["range"]["start"]
    return start["line"], start["character"], item["message"]


@pytest.mark.parametrize("ability", [PUSHES, PULLS], ids=["push", "pull"])
async def test_faults_are_shown_before_the_file_is_saved(
    root: Path, ability: dict[str, Any]
) -> None:
    config = root / "skillgauge.toml"
    config.write_text("")
    uri, skill = config.as_uri(), (root / "demo" / "SKILL.md").as_uri()
    async with editing(root, document=ability) as editor:
        editor.open(uri, "", "toml")
        await editor.settled()
        assert shown(editor, uri) == []
        version = editor.change(uri, 'ignore = ["F011"]\nigno = []\n')
        await editor.settled()
        ((line, column, message),) = shown(editor, uri)
        assert (line, column) == (1, 0)
        assert "Did you mean “ignore”?" in message
        assert editor.published(uri)[-1]["version"] == version
        report = await editor.about("diagnostic", skill)  # not in force before it is saved
        assert "F011" in {item["code"] for item in report["items"]}
        editor.change(uri, 'ignore = ["F011"\n')
        await editor.settled()
        assert "not TOML" in shown(editor, uri)[0][2]
        editor.change(uri, 'ignore = ["F011"]\n')
        await editor.settled()
        assert shown(editor, uri) == []


async def test_what_stands_in_the_file_counts_again_when_it_is_closed(root: Path) -> None:
    config = root / "skillgauge.toml"
    config.write_text("wrong = 1\n")
    async with editing(root) as editor:
        editor.open(config.as_uri(), "wrong = 1\n", "toml")
        editor.change(config.as_uri(), "")
        await editor.settled()
        assert shown(editor, config.as_uri()) == []
        editor.close_document(config.as_uri())
        await editor.settled()
        assert shown(editor, config.as_uri())[0][:2] == (0, 0)


async def test_a_pyproject_without_our_table_is_none_of_ours(root: Path) -> None:
    uri = (root / "pyproject.toml").as_uri()
    async with editing(root) as editor:
        editor.open(uri, "[project\n", "toml")
        await editor.settled()
        assert shown(editor, uri) == []
        editor.change(uri, '[tool.skillgauge]\nprofil = "spec"\n')
        await editor.settled()
        assert shown(editor, uri)[0][:2] == (1, 0)
        editor.change(uri, "[project\n")
        await editor.settled()
        assert shown(editor, uri) == []
