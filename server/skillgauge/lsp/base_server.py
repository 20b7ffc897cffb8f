"""The server that ours is built on: it ends in order, and reports its errors to the log alone."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from lsprotocol import types as lsp
from pygls.exceptions import FeatureRequestError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from skillgauge.lsp.lifetime import watch_process
from skillgauge.lsp.protocol import Protocol
from skillgauge.lsp.transport import Stdio, Transport, serve

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """A language server that ends in order and reports its errors to the log alone."""

    protocol: Protocol  # pyright: ignore[reportIncompatibleVariableOverride]
    watches_client = False
    """Whether the process id that the client gives is one of this machine."""
    client_poll_seconds = 3.0

    def __init__(
        self,
        name: str,
        version: str,
        *,
        text_document_sync_kind: lsp.TextDocumentSyncKind = lsp.TextDocumentSyncKind.Full,
    ) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            name, version, text_document_sync_kind, protocol_cls=Protocol
        )
        self._stopping = asyncio.Event()
        self._status = 0
        self._watch: asyncio.Task[None] | None = None

    def withdraw(self, method: str) -> None:
        """Take a feature back, before `initialize` is answered."""
        self.protocol.fm.features.pop(method, None)  # pyright: ignore[reportUnknownMemberType]

    def start(self, transport: Transport | None = None) -> int:
        """Serve one client to the end and return the exit status, by default over stdio."""
        return serve(self, transport or Stdio())

    def stop(self, status: int) -> None:
        """End `start` with this exit status; the first one stands."""
        if not self._stopping.is_set():
            self._status = status
            self._stopping.set()

    @property
    def is_stopping(self) -> bool:
        """Whether the end has come."""
        return self._stopping.is_set()

    async def stopped(self) -> int:
        """Wait for the end and return the exit status."""
        await self._stopping.wait()
        return self._status

    def watch_client(self, pid: int | None) -> None:
        """Stop when this process ends, even if someone else holds its pipes open."""
        if pid is not None and self.watches_client and self._watch is None:
            gone = partial(self.stop, 1)
            self._watch = asyncio.create_task(watch_process(pid, self.client_poll_seconds, gone))

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Log an error; pygls opens a box for it."""
        if source is FeatureRequestError:  # It has been logged, with its trace, and answered.
            return
        log.error("%s: %s", source.__name__, error, exc_info=error)
