"""Listens for one trial, and ends all that is under way when the trial ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from skillgauge.lift.gateway.forward import MAX_HEADER
from skillgauge.lift.gateway.sockets import listen, remove
from skillgauge.lift.gateway.trial import MAX_REQUEST, TrialGateway

MAX_CONNECTIONS: Final = 64
"""Of one trial, lest it take the files that the whole worker may have open."""
_SILENT: Final = logging.Logger("silent", logging.CRITICAL + 1)
"""Whoever sends what is no HTTP would fill the worker's log."""
_IDLE: Final = 0.05
"""Seconds for connections on which nothing is under way; 0 would be no limit."""
_KEPT: Final = 3600.0
"""Seconds that a connection may be idle: a harness runs commands between two requests."""
_END: Final = 2.0
"""Seconds that handlers have to note how far they came."""


class _Closed(asyncio.Protocol):
    """What is said to one connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


@contextlib.asynccontextmanager
async def serving(desk: TrialGateway, path: Path) -> AsyncGenerator[None]:
    """Answer requests at a socket's path until the block ends."""
    listener = listen(path)
    try:
        async with desk.connected():
            runner = _runner(desk)
            await runner.setup()
            try:
                server = await _start(runner, listener)
                try:
                    yield
                finally:
                    server.close()
                    await _stop(desk)
            finally:
                await runner.cleanup()
    finally:
        listener.close()
        remove(path)


def _runner(desk: TrialGateway) -> web.AppRunner:
    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        del handler  # the routes, which would answer some requests by themselves
        return await desk.handle(request)

    return web.AppRunner(
        web.Application(client_max_size=MAX_REQUEST, middlewares=[answer]),
        access_log=None,
        handle_signals=False,
        keepalive_timeout=_KEPT,
        logger=_SILENT,
        max_field_size=MAX_HEADER,
        max_line_size=MAX_HEADER,
        shutdown_timeout=_IDLE,
    )


async def _start(runner: web.AppRunner, listener: socket.socket) -> asyncio.Server:
    """Take connections, of which a trial may have so many at once."""
    loop, protocols = asyncio.get_running_loop(), runner.server
    assert protocols

    def protocol() -> asyncio.Protocol:
        full = len(protocols.connections) >= MAX_CONNECTIONS
        return _Closed() if full else protocols()

    return await loop.create_server(protocol, sock=listener)


async def _stop(desk: TrialGateway) -> None:
    """Break off what is under way, and wait until it has written its lines."""
    desk.stop()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END):
            while desk.is_busy:
                await asyncio.sleep(0.005)
