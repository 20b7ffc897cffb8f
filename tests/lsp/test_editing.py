"""What an editor offers to change: fixes, silencing, fix-all, refactorings, rename, completion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from .documents import apply, at, edits_of, make_skill
from .editor_client import EditorClient, diagnostics_for, open_document, within

pytestmark = pytest.mark.e2e

BAD = "---\nname: demo\ndescription: Sends: mail.\nargument-hint: [a] [b]\n---\n# Demo\n\nText.\n"


async def actions(
    client: EditorClient, uri: str, where: lsp.Position, only: list[str] | None = None
) -> list[lsp.CodeAction]:
    """Ask for code actions at a place, and have each resolved if the client can do that."""
    context = lsp.CodeActionContext(diagnostics=[], only=only)
    span = lsp.Range(where, where)
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), span, context)
    found = await within(client.text_document_code_action_async(params))
    made: list[lsp.CodeAction] = []
    for action in found or ():
        assert isinstance(action, lsp.CodeAction)
        if action.edit is None:
            action = await within(client.code_action_resolve_async(action))
        made.append(action)
    return made


def titled(found: list[lsp.CodeAction], words: str) -> lsp.CodeAction:
    """Return the one action whose title has these words."""
    matching = [action for action in found if words in action.title]
    assert len(matching) == 1, [action.title for action in found]
    return matching[0]


async def test_quick_fix(shared_client: EditorClient, tmp_path: Path) -> None:
    """The fix of the finding under the cursor, bound to the version it was made for."""
    uri = open_document(shared_client, make_skill(tmp_path, "demo", BAD))
    found = await actions(shared_client, uri, at(BAD, ": mail"))
    fix = titled(found, "Quote the value of “description”")
    assert fix.is_preferred
    assert fix.kind == lsp.CodeActionKind.QuickFix
    assert fix.diagnostics is not None
    assert fix.diagnostics[0].code == "F011"
    assert fix.edit is not None
    mended = apply(BAD, edits_of(fix.edit, uri))
    assert mended == BAD.replace("Sends: mail.", '"Sends: mail."')
    for change in fix.edit.document_changes or ():
        assert isinstance(change, lsp.TextDocumentEdit)
        assert change.text_document.version == 1


async def test_fix_all(shared_client: EditorClient, tmp_path: Path) -> None:
    """`source.fixAll.skillgauge` mends all that is safe, and only when it is asked for."""
    uri = open_document(shared_client, make_skill(tmp_path, "demo", BAD))
    place = lsp.Position(0, 0)
    assert not [
        action
        for action in await actions(shared_client, uri, place)
        if action.kind == "source.fixAll.skillgauge"
    ]
    (fix,) = await actions(shared_client, uri, place, ["source.fixAll"])
    assert fix.kind == "source.fixAll.skillgauge"
    assert fix.edit is not None
    mended = apply(BAD, edits_of(fix.edit, uri))
    assert 'description: "Sends: mail."\nargument-hint: "[a] [b]"\n' in mended
    assert mended.endswith("# Demo\n\nText.\n")


async def test_silencing(shared_client: EditorClient, tmp_path: Path) -> None:
    """A comment above the entry silences the rule there."""
    path = make_skill(tmp_path, "demo", BAD)
    uri = open_document(shared_client, path)
    found = await actions(shared_client, uri, at(BAD, ": mail"))
    ignore = titled(found, "Ignore F011 here")
    assert ignore.edit is not None
    silenced = apply(BAD, edits_of(ignore.edit, uri))
    assert "# skillgauge: ignore F011\ndescription: Sends: mail.\n" in silenced
    other = open_document(shared_client, make_skill(tmp_path / "b", "demo", silenced))
    assert "F011" not in {item.code for item in await diagnostics_for(shared_client, other)}


@pytest.mark.parametrize("editor", ["vscode"])
async def test_disabling(client: EditorClient, workspace: Path) -> None:
    """The rule is switched off in a configuration file, which is made if there is none."""
    uri = open_document(client, make_skill(workspace, "demo", BAD))
    disable = titled(await actions(client, uri, at(BAD, ": mail")), "Disable F011")
    assert disable.edit is not None
    create, change = list(disable.edit.document_changes or ())
    assert isinstance(create, lsp.CreateFile)
    assert create.uri == (workspace / "skillgauge.toml").as_uri()
    assert isinstance(change, lsp.TextDocumentEdit)
    assert [edit.new_text for edit in change.edits if isinstance(edit, lsp.TextEdit)] == [
        'ignore = ["F011"]\n'
    ]


@pytest.mark.parametrize("editor", ["vscode"])
async def test_move_section(client: EditorClient, workspace: Path) -> None:
    """A refactoring makes the new file and changes the skill in one edit."""
    text = (
        "---\nname: demo\ndescription: D.\n---\n# Demo\n\n## Long\n\na\n\nb\n\nc\n\n## Last\n\nd\n"
    )
    uri = open_document(client, make_skill(workspace, "demo", text))
    found = await actions(client, uri, at(text, "b\n"), ["refactor"])
    move = titled(found, "Move “Long” to references/long.md")
    assert move.edit is not None
    kinds = [type(change).__name__ for change in move.edit.document_changes or ()]
    assert kinds == ["TextDocumentEdit", "CreateFile", "TextDocumentEdit"]
    left = apply(text, edits_of(move.edit, uri))
    assert "## Long\n\nRead [references/long.md](references/long.md) when" in left
    new = (workspace / "demo" / "references" / "long.md").as_uri()
    assert apply("", edits_of(move.edit, new)) == "# Long\n\na\n\nb\n\nc\n"


@pytest.mark.parametrize("editor", ["vscode", "emacs"])
async def test_rename(client: EditorClient, editor: str, workspace: Path) -> None:
    """A skill's name, folder and every mention change together; other words stay."""
    path = make_skill(workspace, "csv-tools")
    mention = (
        "---\nname: other\ndescription: Makes charts. Not for csv: use csv-tools.\n---\n"
        "Then run `csv-tools` or /csv-tools. Not xcsv-tools.\n"
    )
    other = make_skill(workspace, "other", mention)
    (path.parent / "evals").mkdir()
    evals = path.parent / "evals" / "evals.json"
    evals.write_text('{"skill_name": "csv-tools", "evals": []}\n')
    uri = open_document(client, path)
    text = path.read_text()
    document, place = lsp.TextDocumentIdentifier(uri), at(text, "csv-tools", 3)
    prepared = await within(
        client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, place))
    )
    assert isinstance(prepared, lsp.PrepareRenamePlaceholder)
    assert prepared.placeholder == "csv-tools"
    edit = await within(
        client.text_document_rename_async(lsp.RenameParams(document, place, "csv-kit"))
    )
    assert edit is not None
    renamed = apply(text, edits_of(edit, uri))
    assert "\nname: csv-kit\n" in renamed
    assert apply(mention, edits_of(edit, other.as_uri())) == (
        mention.replace("csv-tools", "csv-kit").replace("xcsv-kit", "xcsv-tools")
    )
    assert '"csv-kit"' in apply(evals.read_text(), edits_of(edit, evals.as_uri()))
    moves = [item for item in edit.document_changes or () if isinstance(item, lsp.RenameFile)]
    if editor == "emacs":  # it can't rename files, so it is told to the user
        assert not moves
        told = await client.wait_until(lambda: client.messages)
        assert "yourself" in told[0].message
        return
    assert [(item.old_uri, item.new_uri) for item in moves] == [
        (path.parent.as_uri(), (workspace / "csv-kit").as_uri())
    ]


@pytest.mark.parametrize("editor", ["vscode"])
async def test_rename_refused(client: EditorClient, workspace: Path) -> None:
    """A name that is none, or that another skill has, is refused with a reason."""
    path = make_skill(workspace, "csv-tools")
    make_skill(workspace, "other")
    uri = open_document(client, path)
    place = at(path.read_text(), "csv-tools")
    for name, reason in (("Bad Name", "no skill name"), ("other", "already a skill")):
        params = lsp.RenameParams(lsp.TextDocumentIdentifier(uri), place, name)
        with pytest.raises(JsonRpcException, match=reason):
            await within(client.text_document_rename_async(params))


async def complete(client: EditorClient, path: Path, text: str, needle: str) -> dict[str, Any]:
    """Open a text and complete right behind a needle."""
    uri = open_document(client, path, text)
    place = at(text, needle, len(needle))
    params = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), place)
    found = await within(client.text_document_completion_async(params))
    assert isinstance(found, lsp.CompletionList)
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    return {item.label: item for item in found.items}


def takes_snippets(client: EditorClient) -> bool:
    document = client.capabilities.text_document if client.capabilities else None
    item = document.completion.completion_item if document and document.completion else None
    return item is not None and item.snippet_support is True


async def test_completion(shared_client: EditorClient, tmp_path: Path) -> None:
    """Keys, values, tools, paths and anchors, each where it fits."""
    path = make_skill(tmp_path)
    head = "---\nname: csv-tools\n"

    async def offered(text: str, needle: str) -> dict[str, Any]:
        return await complete(shared_client, path, text, needle)

    keys = await offered(f"{head}des\n---\n", "des")
    assert "description" in keys
    assert "name" not in keys, "a key that is there already"
    assert keys["description"].text_edit.new_text == "description: "
    resolved = await within(shared_client.completion_item_resolve_async(keys["description"]))
    assert resolved.documentation is not None
    values = await offered(f"{head}user-invocable: \n---\n", "user-invocable: ")
    assert set(values) == {"true", "false"}
    tools = await offered(f"{head}allowed-tools: Read, We\n---\n", "Read, We")
    assert "WebFetch" in tools
    paths = await offered(f"{head}---\nSee [x](ref\n", "](ref")
    assert paths["references/guide.md"].text_edit.new_text == "references/guide.md"
    code = await offered(f"{head}---\nRun `scr\n", "`scr")
    assert "scripts/run.py" in code
    anchors = await offered(f"{head}---\nSee [x](references/guide.md#\n", "guide.md#")
    assert "#setup" in anchors
    sections = await offered(f"{head}---\n\n## Wo\n", "## Wo")
    assert ("## Workflow" in sections) is takes_snippets(shared_client)
    rules = await offered(f"{head}---\n<!-- skillgauge: ignore L0\n", "ignore L0")
    assert "L001" in rules


async def test_completion_in_evals(shared_client: EditorClient, tmp_path: Path) -> None:
    """The keys of a case, in quotes."""
    path = make_skill(tmp_path).parent / "evals" / "evals.json"
    found = await complete(shared_client, path, '{"evals": [{"pro', '"pro')
    assert "prompt" in found
    assert found["prompt"].text_edit.new_text == "prompt"
