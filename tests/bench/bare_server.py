"""The least that a pygls server can do: one fixed diagnostic for every change of a document.

The benchmarks measure our server beside it, so that the cost of the protocol, of Python's start
and of the machine is the same on both sides.
"""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1", text_document_sync_kind=types.TextDocumentSyncKind.Full)
DIAGNOSTIC = types.Diagnostic(
    range=types.Range(types.Position(0, 0), types.Position(0, 3)),
    message="A fixed diagnostic.",
    severity=types.DiagnosticSeverity.Warning,
    source="bare",
)


def publish(uri: str, version: int) -> None:
    """Send the diagnostic for one version of one document."""
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=[DIAGNOSTIC])
    )


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: types.DidOpenTextDocumentParams) -> None:
    publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: types.DidChangeTextDocumentParams) -> None:
    publish(params.text_document.uri, params.text_document.version)


if __name__ == "__main__":
    server.start_io()
