"""Diagnostics reach every editor: pushed or pulled, at the right place, and never stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .documents import make_skill
from .editor_client import (
    EditorClient,
    change_document,
    diagnostics_for,
    open_document,
    pulls,
    within,
)

pytestmark = pytest.mark.e2e

BAD = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"


async def test_finding_and_mend(shared_client: EditorClient, tmp_path: Path) -> None:
    """A finding has place, code, source and the address of its page; mended, it is gone."""
    path = make_skill(tmp_path, "demo", BAD)
    uri = open_document(shared_client, path)
    found = await diagnostics_for(shared_client, uri)
    colon = next(item for item in found if item.code == "F011")
    assert colon.range == lsp.Range(lsp.Position(2, 18), lsp.Position(2, 19))
    assert colon.source == "skillgauge"
    assert colon.severity == lsp.DiagnosticSeverity.Error
    assert colon.code_description is not None
    assert colon.code_description.href.endswith("docs/rules/yaml-unquoted-colon.md")
    change_document(shared_client, uri, 2, BAD.replace("Sends: mail.", '"Sends: mail."'))
    mended = await diagnostics_for(shared_client, uri, version=2)
    assert not [item for item in mended if item.code == "F011"]


async def test_unchanged_is_said_by_content(shared_client: EditorClient, tmp_path: Path) -> None:
    """A pull with the last result's id is answered with “unchanged”, also in another version."""
    uri = open_document(shared_client, make_skill(tmp_path, "demo", BAD))
    if not pulls(shared_client):
        sent = await diagnostics_for(shared_client, uri)
        assert sent
        return
    document = lsp.TextDocumentIdentifier(uri)
    first = await within(
        shared_client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(document))
    )
    assert isinstance(first, lsp.RelatedFullDocumentDiagnosticReport)
    change_document(shared_client, uri, 2, BAD + "\n")
    again = await within(
        shared_client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(document, previous_result_id=first.result_id)
        )
    )
    assert isinstance(again, lsp.RelatedUnchangedDocumentDiagnosticReport)
    assert not shared_client.published.get(uri), "pushed and pulled: everything would show twice"


async def test_untitled_and_unknown_names(shared_client: EditorClient) -> None:
    """A buffer without a file is judged by what it looks like, other files are left alone."""

    def opened(uri: str, language: str, text: str) -> str:
        item = lsp.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        shared_client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    skill = opened("untitled:Untitled-1", "markdown", BAD)
    codes = {item.code for item in await diagnostics_for(shared_client, skill)}
    assert "F011" in codes
    other = opened("untitled:Untitled-2", "markdown", "# Notes\n\n[x](missing.md)\n")
    skill_id = opened("untitled:Untitled-3", "skill", "# No frontmatter\n")
    assert "F001" in {item.code for item in await diagnostics_for(shared_client, skill_id)}
    if pulls(shared_client):
        assert await diagnostics_for(shared_client, other) == []
    else:
        assert other not in shared_client.published


async def test_closing_takes_findings_back(shared_client: EditorClient, tmp_path: Path) -> None:
    """After didClose nothing stays in a client that was sent diagnostics."""
    uri = open_document(shared_client, make_skill(tmp_path, "demo", BAD))
    await diagnostics_for(shared_client, uri)
    document = lsp.TextDocumentIdentifier(uri)
    shared_client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
    if not pulls(shared_client):
        await shared_client.wait_until(
            lambda: shared_client.published[uri][-1].diagnostics in ((), []) or None
        )


@pytest.mark.parametrize("editor", ["vscode", "neovim", "emacs"])
async def test_astral_columns(client: EditorClient, workspace: Path) -> None:
    """Columns count in the encoding of the session: UTF-16 units, bytes of UTF-8, code points."""
    text = "---\nname: demo\ndescription: 😀é Sends: mail.\n---\n# Demo\n"
    uri = open_document(client, make_skill(workspace, "demo", text))
    found = await diagnostics_for(client, uri)
    colon = next(item for item in found if item.code == "F011")
    units = {"utf-16": 22, "utf-32": 21, "utf-8": 25}
    encoding = client.offered.position_encoding or "utf-16"
    assert colon.range.start.character == units[encoding]


@pytest.mark.parametrize("editor", ["vscode"])
async def test_workspace_diagnostics(client: EditorClient, workspace: Path) -> None:
    """All skills of the workspace are judged without being opened; unchanged ones are said so."""
    broken = make_skill(workspace, "demo", BAD)
    good = make_skill(workspace, "other")
    made = [lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Created) for path in (broken, good)]
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(made))
    params = lsp.WorkspaceDiagnosticParams(previous_result_ids=[])
    report = await within(client.workspace_diagnostic_async(params))
    found = {item.uri: item for item in report.items}
    first = found[broken.as_uri()]
    assert isinstance(first, lsp.WorkspaceFullDocumentDiagnosticReport)
    assert "F011" in {item.code for item in first.items}
    assert good.as_uri() in found
    known = [lsp.PreviousResultId(uri, item.result_id or "") for uri, item in found.items()]
    again = await within(
        client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(previous_result_ids=known))
    )
    kinds = {type(item) for item in again.items}
    assert kinds == {lsp.WorkspaceUnchangedDocumentDiagnosticReport}


@pytest.mark.parametrize("editor", ["emacs"])
async def test_configuration_is_read_again(client: EditorClient, workspace: Path) -> None:
    """A changed skillgauge.toml counts at once. A wrong key is shown there; what was good stays."""
    path = make_skill(workspace, "demo", BAD)
    uri = open_document(client, path)
    assert "F011" in {item.code for item in await diagnostics_for(client, uri)}
    config = workspace / "skillgauge.toml"
    config.write_text('ignore = ["F011"]\n')
    config_uri = open_document(client, config, language="toml")
    saved = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(config_uri))
    client.text_document_did_save(saved)
    await client.wait_until(
        lambda: "F011" not in {item.code for item in client.diagnostics.get(uri, ())} or None
    )
    wrong = 'profile = "strict"\nignroe = ["F011"]\nfail-on = "never!"\n'
    config.write_text(wrong)
    change_document(client, config_uri, 2, wrong)
    client.text_document_did_save(saved)
    shown = await client.wait_until(lambda: client.diagnostics.get(config_uri))
    assert [item.range.start for item in shown] == [lsp.Position(1, 0), lsp.Position(2, 10)]
    assert "Did you mean “ignore”?" in shown[0].message
    assert "F011" not in {item.code for item in client.diagnostics.get(uri, ())}
    config.write_text("")
    change_document(client, config_uri, 3, "")
    client.text_document_did_save(saved)
    await client.wait_until(lambda: client.diagnostics.get(config_uri) in ((), []) or None)
    await client.wait_until(
        lambda: "F011" in {item.code for item in client.diagnostics.get(uri, ())} or None
    )


@pytest.mark.parametrize("editor", ["emacs"])
async def test_watched_files(client: EditorClient, workspace: Path) -> None:
    """A file that appears on disk mends the link to it without an edit."""
    text = "---\nname: demo\ndescription: Sends mail. Use when asked.\n---\n\nSee [x](late.md).\n"
    path = make_skill(workspace, "demo", text)
    uri = open_document(client, path)
    assert "L001" in {item.code for item in await diagnostics_for(client, uri)}
    late = path.parent / "late.md"
    late.write_text("# Late\n")
    change = lsp.FileEvent(late.as_uri(), lsp.FileChangeType.Created)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    await client.wait_until(
        lambda: "L001" not in {item.code for item in client.diagnostics.get(uri, ())} or None
    )


@pytest.mark.parametrize("editor", ["emacs"])
async def test_second_root(client: EditorClient, workspace: Path, tmp_path_factory) -> None:
    """A folder added to the session is scanned, with its own configuration."""
    other = tmp_path_factory.mktemp("second")
    (other / "skillgauge.toml").write_text('ignore = ["F011"]\n')
    path = make_skill(other, "demo", BAD)
    folder = lsp.WorkspaceFolder(other.as_uri(), "second")
    event = lsp.WorkspaceFoldersChangeEvent([folder], [])
    client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
    uri = open_document(client, path)
    inside = open_document(client, make_skill(workspace, "demo", BAD))
    assert "F011" in {item.code for item in await diagnostics_for(client, inside)}
    assert "F011" not in {item.code for item in client.diagnostics.get(uri, ())}
    query = lsp.WorkspaceSymbolParams("demo")
    symbols = await within(client.workspace_symbol_async(query))
    assert path.as_uri() in {item.location.uri for item in symbols or ()}
