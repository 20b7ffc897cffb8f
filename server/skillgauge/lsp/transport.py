"""Serves one client over stdio, TCP or a WebSocket, to a clean end with the right exit status."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from skillgauge.errors import UserError
from skillgauge.lsp.lifetime import Watchdog, ended_by_signals
from skillgauge.lsp.stdio import open_stdio
from skillgauge.lsp.wire import FramingError

if TYPE_CHECKING:
    from skillgauge.lsp.base_server import Server

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that a server may stand still after its end before it is killed."""


# Plain classes: a dataclass costs a millisecond at every start.
class Stdio:
    """Standard input and output, as an editor starts its servers."""


class Port:
    """An address to listen on."""

    __slots__ = ("host", "port")

    def __init__(self, host: str, port: int) -> None:
        """Port 0 takes any that is free."""
        self.host = host
        self.port = port


class Tcp(Port):
    """Messages with headers, as over stdio, on a TCP port."""


class WebSocket(Port):
    """A message a frame, for browsers."""


Transport = Stdio | Tcp | WebSocket


def parse_address(text: str) -> tuple[str, int]:
    """Read `HOST:PORT`, `[IPV6]:PORT` or `PORT`; without a host it is the loopback."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise UserError(f"{text!r} is no address", "the port is a number up to 65535")
    return host, int(port)


def serve(server: Server, transport: Transport) -> int:
    """Serve one client until it goes, and return the exit status for the process.

    0 after `shutdown`, 1 if the client left without it, 128 and the number after a signal.
    """
    watchdog = Watchdog(GRACE)
    try:
        return asyncio.run(_serve(server, transport, watchdog))
    finally:
        watchdog.disarm()
        server.shutdown()


async def _serve(server: Server, transport: Transport, watchdog: Watchdog) -> int:
    async def pump(bodies: AsyncIterator[bytes]) -> None:
        await _pump(server, bodies, watchdog)

    opened: AbstractAsyncContextManager[None]
    match transport:
        case Stdio():
            server.watches_client = True
            opened = open_stdio(server.protocol, pump, watchdog)
        case Tcp():
            from skillgauge.lsp.sockets import open_tcp

            opened = open_tcp(server.protocol, pump, transport.host, transport.port)
        case WebSocket():
            from skillgauge.lsp.sockets import open_websocket

            opened = open_websocket(server.protocol, pump, transport.host, transport.port)
    with ended_by_signals(server.stop, watchdog):
        async with opened:
            status = await server.stopped()
            watchdog.arm()
    server.protocol.writer = None
    return status


async def _pump(server: Server, bodies: AsyncIterator[bytes], watchdog: Watchdog) -> None:
    """Hand over every message, and stop the server when there are no more."""
    try:
        async for body in bodies:
            server.protocol.receive(body)
            if server.is_stopping:
                break
            watchdog.feed()
            await asyncio.sleep(0)  # What a message has started gets its turn before the next.
    except (FramingError, ConnectionError) as error:
        log.error("The connection is lost: %s", error)
    finally:
        server.stop(server.protocol.exit_status)
