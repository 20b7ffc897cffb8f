"""Places in other files, and what an editor shows or changes besides a skill's own text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skillgauge.text import Encoding, Text

from .documents import ENCODINGS, cut, make_skill, place
from .inprocess import EDITS, PULLS, Editor, editing

# --- places in other files ----------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("is_open", [False, True])
async def test_a_related_place_is_right_in_a_file_that_is_not_open(
    skills: Path, encoding: Encoding, is_open: bool
) -> None:
    """The place is known in code points; the client counts in units of its own."""
    claim = "😀é Prepares journal entries with debits and credits. Use when booking accruals."
    text = f"---\nname: {{}}\ndescription: {claim}\n---\n"
    one = make_skill(skills, "journal-entry", text.format("journal-entry"))
    two = make_skill(skills, "journal-prep", text.format("journal-prep"))
    async with editing(skills.parent.parent, encoding=encoding) as editor:
        if is_open:
            editor.open(two.as_uri(), two.read_text(encoding="utf-8"))
        editor.open(one.as_uri(), one.read_text(encoding="utf-8"))
        await editor.settled()
        found = editor.published(one.as_uri())[-1]["diagnostics"]
        (collision,) = [item for item in found if item["code"] == "X002"]
        (related,) = collision["relatedInformation"]
        assert related["location"]["uri"] == two.as_uri()
        shown = cut(two.read_text(encoding="utf-8"), related["location"]["range"], encoding)
        assert shown == claim


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_workspace_symbol_is_right_too(skills: Path, encoding: Encoding) -> None:
    path = make_skill(skills, description="Turns 😀 into é. Use when asked.")
    async with editing(skills, encoding=encoding) as editor:
        reply = await editor.request("workspace/symbol", {"query": "csv"})
        (symbol,) = reply["result"]
        shown = cut(path.read_text(encoding="utf-8"), symbol["location"]["range"], encoding)
        assert shown == "Turns 😀 into é. Use when asked."
        assert symbol["containerName"] == "."


# --- renaming a folder --------------------------------------------------------------------------


async def will_rename(editor: Editor, old: Path, new: Path) -> Any:
    files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
    reply = await editor.request("workspace/willRenameFiles", {"files": files})
    assert "error" not in reply, reply
    return reply["result"]


async def test_a_renamed_folder_takes_name_and_mentions_along(skills: Path, evals: Path) -> None:
    path = skills / "csv-tools" / "SKILL.md"
    text = path.read_text() + "\nSee https://example.com/csv-tools and csv-tools.\n"
    path.write_text(text)
    other = make_skill(skills, "other", "---\nname: other\ndescription: x\n---\nNot `csv-tools`.\n")
    capabilities = {**EDITS, "fileOperations": {"willRename": True}}
    editor = Editor()
    offered = await editor.start(skills, workspace=capabilities)
    (pattern,) = offered["workspace"]["fileOperations"]["willRename"]["filters"]
    assert pattern["pattern"] == {"glob": "**/*", "matches": "folder"}
    edit = await will_rename(editor, path.parent, skills / "csv-kit")
    changed = {
        change["textDocument"]["uri"]: [item["newText"] for item in change["edits"]]
        for change in edit["documentChanges"]
    }
    assert changed == {
        path.as_uri(): ["csv-kit"] * 3,  # name, description, body: not the address
        other.as_uri(): ["csv-kit"],
        evals.as_uri(): ["csv-kit"],
    }


async def test_other_folders_are_renamed_without_us(skills: Path) -> None:
    path = make_skill(skills, "folder", "---\nname: another\ndescription: x\n---\n")
    plain = skills / "plain"
    plain.mkdir()
    good = make_skill(skills, "good")
    make_skill(skills, "taken")
    async with editing(skills, workspace=EDITS) as editor:
        assert await will_rename(editor, path.parent, skills / "new") is None
        assert await will_rename(editor, plain, skills / "new") is None
        assert await will_rename(editor, good.parent, skills / "No Name") is None
        assert await will_rename(editor, good.parent, skills / "taken") is None


# --- hover and completion beyond the frontmatter -------------------------------------------------


async def hovered(editor: Editor, path: Path, text: str, needle: str, into: int = 1) -> str:
    hover = await editor.about("hover", path.as_uri(), position=place(text, needle, into))
    return hover["contents"]["value"] if hover else ""


async def test_hover_on_codes_placeholders_skills_and_lengths(skills: Path) -> None:
    path = make_skill(skills)
    make_skill(skills, "other", description="Draws charts. Use when numbers are to be seen.")
    text = path.read_text().rstrip() + (
        "\n\nRun on $ARGUMENTS in ${CLAUDE_SKILL_DIR}, or use `other`.\n"
        "<!-- skillgauge: ignore L001 -->\n"
    )
    async with editing(skills) as editor:
        editor.open(path.as_uri(), text)
        assert "link-target-missing" in await hovered(editor, path, text, "L001")
        assert "Claude Code: All arguments" in await hovered(editor, path, text, "$ARGUMENTS")
        assert "The folder of this" in await hovered(editor, path, text, "${CLAUDE_SKILL_DIR}")
        assert "Draws charts." in await hovered(editor, path, text, "`other`", 2)
        description = Text(text).line(2).removeprefix("description: ")
        about = await hovered(editor, path, text, "description")
        assert f"This one has {len(description)} characters" in about


async def test_configuration_explains_and_completes_rules(tmp_path: Path) -> None:
    config = tmp_path / "skillgauge.toml"
    text = 'ignore = ["F011", "L0"]\n'
    async with editing(tmp_path) as editor:
        editor.open(config.as_uri(), text, "toml")
        assert "yaml-unquoted-colon" in await hovered(editor, config, text, "F011")
        at = place(text, '"L0', 3)
        found = await editor.about("completion", config.as_uri(), position=at)
        offered = {item["label"]: item["textEdit"] for item in found["items"]}
        assert cut(text, offered["L001"]["range"], "utf-16") == "L0"


async def test_completion_in_a_reference_is_relative_to_it(skills: Path) -> None:
    guide = make_skill(skills).parent / "references" / "guide.md"
    make_skill(skills, "other")
    text = "# Guide\n\nSee [x](\nand `o\nand [y](guide.md#\n"
    async with editing(skills) as editor:
        editor.open(guide.as_uri(), text)

        async def offered(needle: str) -> set[str]:
            at = place(text, needle, len(needle))
            found = await editor.about("completion", guide.as_uri(), position=at)
            return {item["label"] for item in found["items"]}

        assert {"../SKILL.md", "../scripts/run.py"} <= await offered("[x](")
        assert "guide.md" not in await offered("[x]("), "the file itself"
        assert "other" in await offered("`o")
        assert "#guide" in await offered("guide.md#")


async def test_a_reference_has_links_and_hover_of_its_skill(skills: Path) -> None:
    path = make_skill(skills)
    guide = path.parent / "references" / "guide.md"
    text = guide.read_text() + "Run `scripts/run.py`.\n"
    async with editing(skills) as editor:
        editor.open(guide.as_uri(), text)
        links = await editor.about("documentLink", guide.as_uri())
        assert {link["target"] for link in links} == {
            path.as_uri(),
            (path.parent / "scripts" / "run.py").as_uri(),
        }
        assert "4 lines" in await hovered(editor, guide, text, "scripts/run.py")


async def test_other_markdown_is_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    text = "# Notes\n\nSee [x](notes.md), https://example.com and [y](gone.md).\n"
    async with editing(tmp_path, document=PULLS) as editor:
        editor.open(notes.as_uri(), text)
        assert (await editor.about("diagnostic", notes.as_uri()))["items"] == []
        assert await editor.about("documentLink", notes.as_uri()) == []
        assert await editor.about("documentSymbol", notes.as_uri()) == []
        assert await hovered(editor, notes, text, "notes.md") == ""


# --- code actions -------------------------------------------------------------------------------


async def test_actions_for_what_the_client_shows_on_the_line(tmp_path: Path) -> None:
    """Neovim sends all diagnostics of the cursor's line with the cursor's own place."""
    text = "---\nname: demo\ndescription: Sends: mail.\n---\n"
    path = make_skill(tmp_path, "demo", text)
    resolves = {"codeAction": {"resolveSupport": {"properties": ["edit"]}, "dataSupport": True}}
    async with editing(tmp_path, document={**PULLS, **resolves}, workspace=EDITS) as editor:
        editor.open(path.as_uri(), text)
        shown = (await editor.about("diagnostic", path.as_uri()))["items"]
        colon = next(item for item in shown if item["code"] == "F011")
        start = {"line": 2, "character": 0}
        where = {"start": start, "end": start}

        async def fixes(*diagnostics: Any) -> list[Any]:
            context = {"diagnostics": list(diagnostics), "only": ["quickfix"]}
            found = await editor.about("codeAction", path.as_uri(), range=where, context=context)
            return [item for item in found if item["data"]["do"] == "fix"]

        assert await fixes() == []
        (fix,) = await fixes(colon)
        assert "edit" not in fix
        resolved = (await editor.request("codeAction/resolve", fix))["result"]
        (change,) = resolved["edit"]["documentChanges"]
        assert change["textDocument"]["version"] == 1
        editor.change(path.as_uri(), text.replace("Sends: mail.", "Sends mail."))
        gone = (await editor.request("codeAction/resolve", fix))["result"]
        assert "edit" not in gone, "the text has moved on"


async def test_a_client_that_names_file_operations_alone_gets_them(tmp_path: Path) -> None:
    """Neovim doesn't say `documentChanges`, and takes them."""
    path = make_skill(tmp_path, "csv-tools")
    operations = {"workspaceEdit": {"resourceOperations": ["rename"]}}
    async with editing(tmp_path, workspace=operations) as editor:
        at = place(path.read_text(), "csv-tools", 1)
        edit = await editor.about("rename", path.as_uri(), position=at, newName="csv-kit")
        assert edit["documentChanges"][-1] == {
            "kind": "rename",
            "oldUri": path.parent.as_uri(),
            "newUri": (tmp_path / "csv-kit").as_uri(),
        }


async def test_the_preview_is_a_virtual_document(tmp_path: Path) -> None:
    folder = tmp_path / "50% off"
    path = make_skill(folder, "demo", "---\nname: demo\ndescription: D.\n---\nGo to $0.\n")
    editor = Editor()
    offered = await editor.start(tmp_path)
    assert offered["workspace"]["textDocumentContent"] == {"schemes": ["skillgauge-preview"]}
    params = {"uri": path.as_uri(), "client": "claude-code", "arguments": "a=b&c"}
    uri = (await editor.request("skillgauge/preview", params))["result"]["uri"]
    assert not set("=&%") & set(uri), "VS Code writes these in another way"
    reply = await editor.request("workspace/textDocumentContent", {"uri": uri})
    assert "Go to a=b&c." in reply["result"]["text"]
    other = {"uri": "skillgauge-preview:/preview.md?é"}
    assert (await editor.request("workspace/textDocumentContent", other))["result"] == {"text": ""}
