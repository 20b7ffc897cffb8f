"""The clients that other tests rely on: each editor sees what a server finds, and no more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .editor_client import (
    EditorClient,
    capabilities,
    change_document,
    connected,
    diagnostics_for,
    open_document,
    pulls,
)

pytestmark = pytest.mark.e2e
FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="module")
def server_command() -> list[str]:
    return [sys.executable, str(FIXTURES / "echo_server.py")]


async def test_diagnostics_follow_the_document(
    shared_client: EditorClient, editor: str, tmp_path: Path
) -> None:
    uri = open_document(shared_client, tmp_path / "SKILL.md", "one\nTODO\n")
    assert pulls(shared_client) is (editor != "emacs")
    assert [d.range.start.line for d in await diagnostics_for(shared_client, uri)] == [1]
    change_document(shared_client, uri, 2, "one\n")
    assert await diagnostics_for(shared_client, uri, version=2) == []


async def test_a_shared_session_stays_open(shared_client: EditorClient, tmp_path: Path) -> None:
    uri = open_document(shared_client, tmp_path / "SKILL.md", "TODO")
    assert len(await diagnostics_for(shared_client, uri)) == 1


async def test_the_text_on_disk_is_opened(client: EditorClient, workspace: Path) -> None:
    path = workspace / "SKILL.md"
    path.write_text("TODO: é\n", encoding="utf-8")
    uri = open_document(client, path)
    assert len(await diagnostics_for(client, uri)) == 1


@pytest.mark.parametrize(("editor", "encoding"), [("vscode", "utf-16"), ("neovim", "utf-8")])
async def test_the_session_has_the_encoding_of_its_editor(
    client: EditorClient, encoding: str
) -> None:
    assert client.offered.position_encoding == encoding


def test_the_capabilities_of_vscode_are_of_today() -> None:
    vscode = capabilities("vscode")
    assert vscode.text_document
    assert vscode.text_document.diagnostic
    assert vscode.text_document.inlay_hint
    assert vscode.text_document.code_action
    assert vscode.text_document.code_action.resolve_support
    assert vscode.workspace
    assert vscode.workspace.workspace_edit
    assert vscode.workspace.workspace_edit.document_changes
    assert set(vscode.workspace.workspace_edit.resource_operations or []) == {
        lsp.ResourceOperationKind.Create,
        lsp.ResourceOperationKind.Rename,
        lsp.ResourceOperationKind.Delete,
    }
    assert vscode.general
    assert list(vscode.general.position_encodings or []) == ["utf-16"]


async def test_a_session_that_fails_leaves_no_process(
    server_command: list[str], tmp_path: Path
) -> None:
    sessions: list[EditorClient] = []

    async def fail() -> None:
        async with connected(server_command, "vscode", tmp_path) as client:
            sessions.append(client)
            raise RuntimeError("a test fails")

    with pytest.raises(RuntimeError, match="a test fails"):
        await fail()
    process = sessions[0]._server
    assert process is not None
    assert process.returncode is not None
