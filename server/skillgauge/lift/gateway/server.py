"""Listens for one trial, and ends all that is under way when the trial ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from aiohttp import web

from skillgauge.lift.gateway.sockets import listen, remove
from skillgauge.lift.gateway.trial import MAX_REQUEST, TrialGateway

_END: Final = 2.0
"""Seconds that handlers have to note how far they came."""


@contextlib.asynccontextmanager
async def serving(desk: TrialGateway, path: Path) -> AsyncGenerator[None]:
    """Answer requests at a socket's path until the block ends."""
    listener = listen(path)
    app = web.Application(client_max_size=MAX_REQUEST)
    app.router.add_route("*", "/{path:.*}", desk.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0, handle_signals=False)
    try:
        await runner.setup()
        async with desk.connected():
            await web.SockSite(runner, listener).start()
            try:
                yield
            finally:
                # Before the connections are ended: what is under way then is not “waiting”.
                await runner.cleanup()
                await _rest(desk)
    finally:
        listener.close()
        remove(path)


async def _rest(desk: TrialGateway) -> None:
    """Wait until the handlers that were broken off have written their lines."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END):
            while desk.is_busy:
                await asyncio.sleep(0.005)
