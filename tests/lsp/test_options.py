"""What a client may choose: rules, clients, and what its editor shows by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .documents import make_skill
from .inprocess import PULLS, Editor, editing

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"


def codes(report: dict[str, Any]) -> set[str]:
    return {item["code"] for item in report["items"]}


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
