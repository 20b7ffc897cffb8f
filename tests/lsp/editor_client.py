"""A client with the capabilities of VS Code, Neovim or Emacs, and an end to every wait."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

EDITORS = ("vscode", "neovim", "emacs")
TIMEOUT = 20.0
"""Seconds for anything that a server is asked; a start takes one, and several under load."""

T = TypeVar("T")


def capabilities(editor: str) -> lsp.ClientCapabilities:
    """What an editor says it can do.

    VS Code's are those that vscode-languageclient 10 computes: pull diagnostics, inlay hints,
    resolved code actions, and workspace edits that create, rename and delete files.
    """
    if editor != "vscode":
        return client_capabilities(editor)
    file = Path(__file__).parent / "fixtures" / "vscode_capabilities.json"
    return get_converter().structure(json.loads(file.read_text()), lsp.ClientCapabilities)


async def within(awaitable: Awaitable[T], seconds: float = TIMEOUT) -> T:
    """Wait for something, but not for ever."""
    return await asyncio.wait_for(awaitable, seconds)


class EditorClient(LanguageClient):
    """Keeps what the server has published, asked to apply and registered."""

    def __init__(self) -> None:
        """Make a client that isn't connected yet."""
        super().__init__(converter_factory=default_converter)
        self.published: dict[str, list[lsp.PublishDiagnosticsParams]] = {}
        self.applied: list[lsp.WorkspaceEdit] = []
        self.registrations: list[lsp.Registration] = []
        self.offered = lsp.ServerCapabilities()
        """What the server can do."""
        self.asked: list[lsp.ShowMessageRequestParams] = []
        self.choice: str | None = None
        """The button that is pressed when the user is asked something."""
        self.told: dict[str, list[Any]] = {}
        """Notifications of ours that the server has sent, by name."""
        register_lsp_features(self, {**DEFAULT_CLIENT_FEATURES, **_FEATURES})

    async def wait_until(self, condition: Callable[[], T | None], seconds: float = TIMEOUT) -> T:
        """Wait until a message of the server has made something true, and return it."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not (value := condition()):
            assert asyncio.get_running_loop().time() < deadline, "the server never sent it"
            assert self.error is None, self.error
            await asyncio.sleep(0.005)
        return value


def _published(client: EditorClient, params: lsp.PublishDiagnosticsParams) -> None:
    client.published.setdefault(params.uri, []).append(params)
    client.diagnostics[params.uri] = params.diagnostics


def _applied(
    client: EditorClient, params: lsp.ApplyWorkspaceEditParams
) -> lsp.ApplyWorkspaceEditResult:
    client.applied.append(params.edit)
    return lsp.ApplyWorkspaceEditResult(applied=True)


def _registered(client: EditorClient, params: lsp.RegistrationParams) -> None:
    client.registrations.extend(params.registrations)


def _asked(
    client: EditorClient, params: lsp.ShowMessageRequestParams
) -> lsp.MessageActionItem | None:
    client.asked.append(params)
    return lsp.MessageActionItem(client.choice) if client.choice else None


def _refreshed(client: EditorClient, params: Any) -> None:
    """Editors ask again; a test asks by itself."""


def _told(name: str) -> Callable[..., None]:
    def take(client: EditorClient, params: Any) -> None:
        client.told.setdefault(name, []).append(params)

    return take


_FEATURES: dict[str, Callable[..., Any]] = {
    lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _published,
    lsp.WORKSPACE_APPLY_EDIT: _applied,
    lsp.CLIENT_REGISTER_CAPABILITY: _registered,
    lsp.WINDOW_SHOW_MESSAGE_REQUEST: _asked,
    lsp.WORKSPACE_CODE_LENS_REFRESH: _refreshed,
    lsp.WORKSPACE_INLAY_HINT_REFRESH: _refreshed,
    lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: _refreshed,
    lsp.WORKSPACE_FOLDING_RANGE_REFRESH: _refreshed,
    "skillgauge/lift": _told("skillgauge/lift"),
}


@contextlib.asynccontextmanager
async def connected(
    command: Sequence[str],
    editor: str,
    workspace: Path,
    *,
    experimental: dict[str, Any] | None = None,
    **params: Any,
) -> AsyncIterator[EditorClient]:
    """Start a server, open a session as an editor would, and close both.

    `params` go into `initialize`, such as `initialization_options`.
    """
    client = EditorClient()
    able = capabilities(editor)
    able.experimental = experimental or able.experimental
    await client.start_io(*command, cwd=workspace)
    try:
        folder = lsp.WorkspaceFolder(uri=workspace.as_uri(), name=workspace.name)
        opening = lsp.InitializeParams(
            capabilities=able,
            client_info=lsp.ClientInfo(name=editor),
            root_uri=folder.uri,
            workspace_folders=[folder],
            **params,
        )
        client.offered = (await within(client.initialize_session(opening))).capabilities
        yield client
        await within(client.shutdown_session())
    finally:
        await _close(client)


async def _close(client: EditorClient) -> None:
    """End the process, and wait until nothing is left of it."""
    process = client._server
    assert process is not None
    if process.returncode is None:
        process.kill()
    await within(client.stop())
    forwarder = client._stderr_forwarder
    assert forwarder is not None
    await asyncio.wait({forwarder}, timeout=TIMEOUT)


def open_document(
    client: EditorClient, path: Path, text: str | None = None, *, language: str = "markdown"
) -> str:
    """Open a file as version 1, with the text on disk or another, and return its URI."""
    content = path.read_text(encoding="utf-8") if text is None else text
    item = lsp.TextDocumentItem(uri=path.as_uri(), language_id=language, version=1, text=content)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return item.uri


def change_document(client: EditorClient, uri: str, version: int, text: str) -> None:
    """Replace the text of an open document."""
    document = lsp.VersionedTextDocumentIdentifier(version=version, uri=uri)
    changes = [lsp.TextDocumentContentChangeWholeDocument(text)]
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, changes))


def pulls(client: EditorClient) -> bool:
    """Whether diagnostics are asked for in this session, rather than sent."""
    text_document = client.capabilities.text_document if client.capabilities else None
    can_ask = text_document is not None and text_document.diagnostic is not None
    return can_ask and client.offered.diagnostic_provider is not None


async def diagnostics_for(
    client: EditorClient, uri: str, *, version: int = 1
) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a document at this version, asked for or sent."""
    if pulls(client):
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        report = await within(client.text_document_diagnostic_async(params))
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    def sent() -> lsp.PublishDiagnosticsParams | None:
        return next((p for p in client.published.get(uri, []) if p.version == version), None)

    return list((await client.wait_until(sent)).diagnostics)
