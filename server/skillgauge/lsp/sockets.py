"""The transports for tests and browsers: one client on a TCP or WebSocket port."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterable
from socket import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from skillgauge.errors import UserError
from skillgauge.lsp.wire import MAX_BODY, messages

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

    from skillgauge.lsp.protocol import Protocol

log = logging.getLogger(__name__)

FLUSH = 1.0
"""Seconds that the last messages may take to leave."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
Pump = Callable[[AsyncIterator[bytes]], Awaitable[None]]


@contextlib.asynccontextmanager
async def open_tcp(
    protocol: Protocol, pump: Pump, host: str, port: int
) -> AsyncGenerator[None, None]:
    """Listen until the first client comes, and pump its messages."""
    clients: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if clients:
            writer.close()
            return
        clients.append(writer)
        listener.close()
        protocol.set_writer(writer)  # pyright: ignore[reportArgumentType]
        await pump(messages(reader))

    with _said_plainly(host, port):
        listener = await asyncio.start_server(accept, host, port)
    _announce("tcp", listener.sockets)
    yield
    listener.close()
    for writer in clients:
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            await asyncio.wait_for(writer.wait_closed(), FLUSH)


@contextlib.asynccontextmanager
async def open_websocket(
    protocol: Protocol, pump: Pump, host: str, port: int
) -> AsyncGenerator[None, None]:
    """Listen until the first client comes, and pump its messages, one a frame."""
    from websockets.asyncio.server import serve

    clients: list[_QueueWriter] = []

    async def accept(connection: ServerConnection) -> None:
        if clients:
            await connection.close(1013, "one client only")
            return
        clients.append(_QueueWriter(connection))
        protocol.set_writer(clients[0], include_headers=False)
        await pump(_frames(connection))

    with _said_plainly(host, port):
        listener = await serve(
            accept, host, port, process_request=_same_machine, max_size=MAX_BODY, compression=None
        )
    _announce("ws", listener.sockets)
    yield
    for writer in clients:
        await writer.finish()
    listener.close()


async def _frames(connection: ServerConnection) -> AsyncIterator[bytes]:
    async for frame in connection:
        yield frame.encode() if isinstance(frame, str) else frame


def _same_machine(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse pages from elsewhere: a browser lets any page connect to a local port."""
    origin = request.headers.get("Origin")
    if origin is None or urlsplit(origin).hostname in _LOOPBACK:
        return None
    log.warning("A page of %s is refused", origin)
    return connection.respond(403, "Only pages of this machine may connect.\n")


class _QueueWriter:
    """Sends messages one after the other as text, which is what browsers expect."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._sender = asyncio.create_task(self._send())

    def write(self, data: bytes) -> None:
        self._waiting.put_nowait(data.decode())

    def close(self) -> None:
        self._waiting.put_nowait(None)

    async def finish(self) -> None:
        """Wait a little until all is sent and the connection closed."""
        self.close()
        await asyncio.wait({self._sender}, timeout=FLUSH)

    async def _send(self) -> None:
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):
            while (message := await self._waiting.get()) is not None:
                await self._connection.send(message)
        await self._connection.close()


@contextlib.contextmanager
def _said_plainly(host: str, port: int) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise UserError(f"The server can't listen on {host}:{port}", why) from error


def _announce(scheme: str, listening: Iterable[socket]) -> None:
    """Say on standard error where the server listens: with port 0 nobody else knows."""
    for one in listening:
        host, port = one.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        print(f"listening on {scheme}://{shown}:{port}", file=sys.stderr, flush=True)
        if host not in _LOOPBACK:
            log.warning("Anybody who can reach %s can use this server", shown)
