"""Findings as diagnostics: pulled by clients that can, pushed to the others, never both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.errors import ConfigError
from skillgauge.lsp.convert import SOURCE, to_diagnostic
from skillgauge.lsp.session import Kind, Snapshot, path_of, uri_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

JUDGED = (Kind.SKILL, Kind.EVALS)


class Publisher:
    """Sends diagnostics, each set with its version, and only while its snapshot is the newest."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Publish nothing yet."""
        self.server = server
        self._shown: dict[str, str] = {}  # uri → digest of what the client shows
        self._refresh: asyncio.Task[None] | None = None

    @property
    def pulls(self) -> bool:
        """Whether the client asks for diagnostics itself."""
        document = self.server.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def push(self, snapshot: Snapshot) -> None:
        """Send a document's findings, unless the client pulls them or they are stale."""
        session = self.server.session
        if self.pulls or snapshot.kind not in JUDGED or not session.is_current(snapshot):
            return
        found = self.diagnostics(snapshot)
        if not found and snapshot.uri not in self._shown:
            return  # an empty list makes some editors open a buffer for the file
        self._shown[snapshot.uri] = snapshot.digest
        self._send(snapshot.uri, found, snapshot.version)

    def diagnostics(self, snapshot: Snapshot) -> list[lsp.Diagnostic]:
        """Return a document's findings as the client wants them."""
        encoding = self.server.session.encoding
        return [to_diagnostic(snapshot, item, encoding) for item in snapshot.result.findings]

    def everything(self) -> None:
        """Judge every open document anew: push, or ask the client to pull again soon."""
        if not self.pulls:
            for snapshot in self.server.session.open_snapshots():
                self.push(snapshot)
        if self._refresh is None or self._refresh.done():
            self._refresh = asyncio.create_task(self._refresh_soon())

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(0.05)  # several causes in a row make one refresh
        workspace = self.server.client_capabilities.workspace
        if workspace is None:
            return
        asks = (
            (workspace.diagnostics, self.server.workspace_diagnostic_refresh_async),
            (workspace.code_lens, self.server.workspace_code_lens_refresh_async),
            (workspace.inlay_hint, self.server.workspace_inlay_hint_refresh_async),
        )
        for supported, ask in asks:
            if supported is not None and supported.refresh_support:
                await ask(None)

    def clear(self, uri: str) -> None:
        """Take back what a closed document showed."""
        if self._shown.pop(uri, None) is not None:
            self._send(uri, [], None)

    def config_failed(self, error: Exception) -> None:
        """Show a configuration file's fault at its place in that file."""
        if not isinstance(error, ConfigError):
            return
        line, column = max(error.line - 1, 0), max(error.column - 1, 0)
        where = lsp.Range(lsp.Position(line, column), lsp.Position(line, column + 1))
        message = ". ".join(part for part in (error.what, error.why, error.how) if part)
        diagnostic = lsp.Diagnostic(
            where, message, severity=lsp.DiagnosticSeverity.Error, source=SOURCE, code="config"
        )
        uri = uri_of(error.path)
        self._shown[uri] = message
        self._send(uri, [diagnostic], None)

    def forgive(self, uri: str) -> None:
        """Take back a configuration file's fault before it is read again."""
        self.clear(uri)

    def _send(self, uri: str, found: list[lsp.Diagnostic], version: int | None) -> None:
        params = lsp.PublishDiagnosticsParams(uri, found, version)
        self.server.text_document_publish_diagnostics(params)


def register(server: SkillgaugeServer) -> None:
    """Register pull and workspace diagnostics."""
    options = lsp.DiagnosticOptions(
        identifier="skillgauge", inter_file_dependencies=True, workspace_diagnostics=True
    )

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)
    def pull(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        snapshot = server.session.snapshot(params.text_document.uri)
        if snapshot is None or snapshot.kind not in JUDGED:
            return lsp.RelatedFullDocumentDiagnosticReport(items=[])
        if params.previous_result_id == snapshot.digest:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(snapshot.digest)
        return lsp.RelatedFullDocumentDiagnosticReport(
            items=server.publisher.diagnostics(snapshot), result_id=snapshot.digest
        )

    @server.feature(lsp.WORKSPACE_DIAGNOSTIC)
    async def pull_workspace(
        params: lsp.WorkspaceDiagnosticParams,
    ) -> lsp.WorkspaceDiagnosticReport:
        await server.scanner.wait()
        known = {item.uri: item.value for item in params.previous_result_ids}
        items: list[lsp.WorkspaceDocumentDiagnosticReport] = []
        for uri in _workspace_uris(server):
            await asyncio.sleep(0)  # one file a turn: typing is never kept waiting
            snapshot = server.session.snapshot(uri)
            if snapshot is None:
                continue
            if known.get(uri) == snapshot.digest:
                items.append(
                    lsp.WorkspaceUnchangedDocumentDiagnosticReport(
                        uri, snapshot.digest, snapshot.version
                    )
                )
            else:
                items.append(
                    lsp.WorkspaceFullDocumentDiagnosticReport(
                        uri,
                        server.publisher.diagnostics(snapshot),
                        snapshot.version,
                        result_id=snapshot.digest,
                    )
                )
        gone = known.keys() - {item.uri for item in items}
        items.extend(lsp.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in sorted(gone))
        return lsp.WorkspaceDiagnosticReport(items)


def _workspace_uris(server: SkillgaugeServer) -> Iterator[str]:
    from skillgauge.discover import EVAL_NAMES

    seen: set[Path] = set()
    for workspace in server.session.workspaces().values():
        for summary in workspace.skills:
            if summary.path in seen:
                continue
            seen.add(summary.path)
            yield uri_of(summary.path)
            for name in sorted(EVAL_NAMES):
                path = summary.path.parent / "evals" / name
                if path.is_file():
                    yield uri_of(path)
    for snapshot in server.session.open_snapshots():
        path = path_of(snapshot.uri)
        own = path is None or (path not in seen and path.parent.name != "evals")
        if snapshot.kind in JUDGED and own:
            yield snapshot.uri
