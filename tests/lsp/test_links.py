"""From a mention to the file and back: links, definition, references, workspace symbols."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .documents import at, make_skill
from .editor_client import EditorClient, open_document, within

pytestmark = pytest.mark.e2e


async def test_document_links(shared_client: EditorClient, tmp_path: Path) -> None:
    """Every reference to a file that is there, and every web address, can be followed."""
    path = make_skill(tmp_path)
    text = path.read_text() + "\nSee <https://example.com/> and [none](nowhere.md).\n"
    uri = open_document(shared_client, path, text)
    params = lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(uri))
    found = await within(shared_client.text_document_document_link_async(params))
    targets = {item.target for item in found or ()}
    folder = path.parent
    assert targets >= {
        (folder / "scripts" / "run.py").as_uri(),
        (folder / "references" / "guide.md").as_uri() + "#setup",
    }
    assert not [target for target in targets if target and "nowhere" in target]


async def test_definition(shared_client: EditorClient, tmp_path: Path) -> None:
    """A link leads to its file, an anchor to its heading there."""
    path = make_skill(tmp_path)
    text = path.read_text()
    uri = open_document(shared_client, path)
    document = lsp.TextDocumentIdentifier(uri)

    async def defined(needle: str) -> lsp.Location:
        params = lsp.DefinitionParams(document, at(text, needle, 2))
        found = await within(shared_client.text_document_definition_async(params))
        assert isinstance(found, lsp.Location)
        return found

    guide = await defined("references/guide.md")
    assert guide.uri == (path.parent / "references" / "guide.md").as_uri()
    assert guide.range.start == lsp.Position(2, 0)
    script = await defined("scripts/run.py")
    assert script.uri == (path.parent / "scripts" / "run.py").as_uri()


async def test_references(shared_client: EditorClient, tmp_path: Path) -> None:
    """A script or reference shows where the skill names it; a skill who links to it."""
    path = make_skill(tmp_path)
    guide = path.parent / "references" / "guide.md"
    uri = open_document(shared_client, guide)
    context = lsp.ReferenceContext(include_declaration=False)
    title = lsp.ReferenceParams(context, lsp.TextDocumentIdentifier(uri), lsp.Position(0, 0))
    found = await within(shared_client.text_document_references_async(title))
    place = at(path.read_text(), "references/guide.md")
    assert [(item.uri, item.range.start) for item in found or ()] == [(path.as_uri(), place)]
    own = open_document(shared_client, path)
    on_script = at(path.read_text(), "scripts/run.py", 1)
    params = lsp.ReferenceParams(context, lsp.TextDocumentIdentifier(own), on_script)
    found = await within(shared_client.text_document_references_async(params))
    assert [item.range.start for item in found or ()] == [at(path.read_text(), "scripts/run.py")]


@pytest.mark.parametrize("editor", ["neovim"])
async def test_between_skills(client: EditorClient, workspace: Path) -> None:
    """Skills are found by name in the workspace, and a mention leads to the skill."""
    path = make_skill(workspace, "csv-tools")
    head = "---\nname: other\ndescription: Charts. Not for tables.\n---\n"
    text = f"{head}Use `csv-tools`.\n"
    other = make_skill(workspace, "other", text)
    symbols = await within(client.workspace_symbol_async(lsp.WorkspaceSymbolParams("csv")))
    assert [(item.name, item.location.uri) for item in symbols or ()] == [
        ("csv-tools", path.as_uri())
    ]
    uri = open_document(client, other)
    document = lsp.TextDocumentIdentifier(uri)
    params = lsp.DefinitionParams(document, at(text, "`csv-tools", 3))
    found = await within(client.text_document_definition_async(params))
    assert isinstance(found, lsp.Location)
    assert found.uri == path.as_uri()
    links = await within(client.text_document_document_link_async(lsp.DocumentLinkParams(document)))
    assert path.as_uri() in {item.target for item in links or ()}
