"""Text synchronisation: full texts in, snapshots out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.lsp.session import Kind, path_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register(server: SkillgaugeServer) -> None:
    """Register the handlers of open, change, save and close."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        if path := path_of(item.uri):
            server.session.forget_folder(path)
        snapshot = server.session.opened(item.uri, item.language_id, item.version, item.text)
        server.publisher.push(snapshot)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if not params.content_changes:
            return
        text = params.content_changes[-1].text  # full sync: the last one is the whole text
        server.publisher.push(server.session.changed(document.uri, document.version, text))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = path_of(uri)
        snapshot = server.session.snapshot(uri)
        if path is None or snapshot is None:
            return
        server.session.forget_folder(path)
        if snapshot.kind is Kind.CONFIG:
            server.publisher.forgive(uri)
            server.session.forget_configs()
            server.session.config(path)
        elif snapshot.kind is Kind.SKILL and (root := server.session.root_of(path)):
            server.scanner.request(root)
        server.session.renew()
        server.publisher.everything()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.session.closed(params.text_document.uri)
        server.publisher.clear(params.text_document.uri)
