"""Text synchronisation: full texts in, snapshots out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.uris import JUDGED, Kind, path_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot


def register(server: SkillgaugeServer) -> None:
    """Register the handlers of open, change, save and close."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        made = server.session.opened(item.uri, item.language_id, item.version, item.text)
        _judge(made)
        server.lift.opened(made)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if not params.content_changes:
            return
        text = params.content_changes[-1].text  # full sync: the last one is the whole text
        _judge(server.session.changed(document.uri, document.version, text))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        snapshot = server.session.snapshot(params.text_document.uri)
        if path is None or snapshot is None:
            return
        server.session.around.changed(path)
        server.lift.touched(path)
        if snapshot.kind is Kind.CONFIG:
            server.reload()
            return
        if snapshot.kind is Kind.SKILL:
            server.scanner.request_at(path)
        if snapshot.kind in JUDGED:
            server.publisher.everything()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        snapshot = server.session.snapshot(uri)
        server.session.closed(uri)
        server.scores.closed(uri)
        if snapshot is None:
            return
        if snapshot.kind in JUDGED:
            server.publisher.clear(uri)
        elif snapshot.kind is Kind.CONFIG and snapshot.path is not None:
            server.publisher.config_soon(snapshot.path)  # the file's own text counts again

    def _judge(snapshot: Snapshot) -> None:
        """Have a text judged: a configuration shows its faults before it is saved and in force."""
        if snapshot.kind is Kind.CONFIG and snapshot.path is not None:
            server.publisher.config_soon(snapshot.path)
        else:
            server.publisher.soon(snapshot.uri)
            server.scores.soon(snapshot.uri)
