"""Listens for one trial, and ends all that is under way when the trial ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from skillgauge.lift.gateway.forward import MAX_HEADER
from skillgauge.lift.gateway.sockets import listen, remove
from skillgauge.lift.gateway.trial import MAX_REQUEST, TrialGateway

_IDLE: Final = 0.05
"""Seconds for connections on which nothing is under way; 0 would be no limit."""
_KEPT: Final = 3600.0
"""Seconds that a connection may be idle: a harness runs commands between two requests."""
_END: Final = 2.0
"""Seconds that handlers have to note how far they came."""


@contextlib.asynccontextmanager
async def serving(desk: TrialGateway, path: Path) -> AsyncGenerator[None]:
    """Answer requests at a socket's path until the block ends."""
    listener = listen(path)

    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        del handler  # the routes, which would answer some requests by themselves
        return await desk.handle(request)

    app = web.Application(client_max_size=MAX_REQUEST, middlewares=[answer])
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        keepalive_timeout=_KEPT,
        max_field_size=MAX_HEADER,
        max_line_size=MAX_HEADER,
        shutdown_timeout=_IDLE,
    )
    try:
        await runner.setup()
        async with desk.connected():
            await web.SockSite(runner, listener).start()
            try:
                yield
            finally:
                await _stop(desk)
                await runner.cleanup()
    finally:
        listener.close()
        remove(path)


async def _stop(desk: TrialGateway) -> None:
    """Break off what is under way, and wait until it has written its lines."""
    desk.stop()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END):
            while desk.is_busy:
                await asyncio.sleep(0.005)
