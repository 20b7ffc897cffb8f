"""Findings for clients that ask: of one document, and of all skills that the editor has open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.uris import JUDGED

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


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
        digest = server.publisher.digest(snapshot)
        if params.previous_result_id == digest:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(digest)
        return lsp.RelatedFullDocumentDiagnosticReport(
            items=server.publisher.diagnostics(snapshot), result_id=digest
        )

    @server.feature(lsp.WORKSPACE_DIAGNOSTIC)
    async def pull_workspace(
        params: lsp.WorkspaceDiagnosticParams,
    ) -> lsp.WorkspaceDiagnosticReport:
        known = {item.uri: item.value for item in params.previous_result_ids}
        items: list[lsp.WorkspaceDocumentDiagnosticReport] = []
        for uri in await _workspace_uris(server):
            await asyncio.sleep(0)  # one file a turn: typing is never kept waiting
            report = _report(server, uri, known.get(uri))
            if report is not None:
                items.append(report)
        gone = known.keys() - {item.uri for item in items}
        items.extend(lsp.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in sorted(gone))
        return lsp.WorkspaceDiagnosticReport(items)


def _report(
    server: SkillgaugeServer, uri: str, known: str | None
) -> lsp.WorkspaceDocumentDiagnosticReport | None:
    """Return what a file has, or that it has not changed; None for a file that is gone."""
    snapshot = server.session.snapshot(uri)
    if snapshot is None or snapshot.kind not in JUDGED:
        return None
    digest, version = server.publisher.digest(snapshot), snapshot.version
    if known == digest:
        report: lsp.WorkspaceDocumentDiagnosticReport = (
            lsp.WorkspaceUnchangedDocumentDiagnosticReport(uri, digest, version)
        )
    else:
        items = server.publisher.diagnostics(snapshot)
        report = lsp.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=digest)
    if not server.session.is_open(snapshot.uri):
        snapshot.slim()
    return report


async def _workspace_uris(server: SkillgaugeServer) -> list[str]:
    """Return all skills and their evaluation files, once their own projects are known as well."""
    from skillgauge.discover import EVAL_NAMES

    around = server.session.around
    await server.scanner.wait()
    for path in _skills(server):
        around.workspace(path)
    await server.scanner.wait()
    uris: dict[str, None] = {}
    for path in _skills(server):
        beside = (path.parent / "evals" / name for name in sorted(EVAL_NAMES))
        for file in (path, *(file for file in beside if file.is_file())):
            uris[server.session.uri_of(file)] = None
    for snapshot in server.session.open_snapshots():
        if snapshot.kind in JUDGED:
            uris[snapshot.uri] = None
    return list(uris)


def _skills(server: SkillgaugeServer) -> Iterator[Path]:
    """Yield the SKILL.md files below the editor's folders."""
    around = server.session.around
    seen: set[Path] = set()
    for workspace in around.workspaces().values():
        for summary in workspace.skills:
            if summary.path not in seen and around.root_of(summary.path) is not None:
                seen.add(summary.path)
                yield summary.path
