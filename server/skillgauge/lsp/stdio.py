"""The transport of editors: standard input and output, kept clean of everything else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from skillgauge.lsp.lifetime import Watchdog
from skillgauge.lsp.wire import messages

if TYPE_CHECKING:
    from skillgauge.lsp.protocol import Protocol

_CHUNK = 64 * 1024


@contextlib.asynccontextmanager
async def open_stdio(
    protocol: Protocol,
    pump: Callable[[AsyncIterator[bytes]], Awaitable[None]],
    watchdog: Watchdog,
) -> AsyncGenerator[None, None]:
    """Pump messages from standard input and write to standard output."""
    source, sink = _claim()
    reader = asyncio.StreamReader()
    protocol.set_writer(_Output(sink))
    threading.Thread(
        target=_read_all,
        args=(source, asyncio.get_running_loop(), reader, watchdog),
        name="stdin",
        daemon=True,  # It may sit in a read that never returns.
    ).start()
    task = asyncio.ensure_future(pump(messages(reader)))
    yield
    task.cancel()


def _claim() -> tuple[int, int]:
    """Keep the two streams for the protocol alone.

    Whatever else prints, here or in a child process, lands on standard error, and whatever else
    reads finds nothing.
    """
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # Started without a standard error.
        os.dup2(null, 1)
    os.close(null)
    sys.stdout = sys.stderr  # One buffer, so that the order of lines is kept.
    for descriptor in (source, sink):  # Whoever started us may have set them otherwise.
        with contextlib.suppress(OSError, AttributeError):
            os.set_blocking(descriptor, True)
    return source, sink


def _read_all(
    source: int, loop: asyncio.AbstractEventLoop, reader: asyncio.StreamReader, watchdog: Watchdog
) -> None:
    """Feed the reader from a thread: not every platform can await a pipe."""
    with contextlib.suppress(RuntimeError):  # The loop has closed.
        with contextlib.suppress(OSError):
            while chunk := os.read(source, _CHUNK):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
        watchdog.arm()
        loop.call_soon_threadsafe(reader.feed_eof)


class _Output:
    """Standard output without a buffer: one would still hold bytes when the client is gone."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def close(self) -> None:
        os.close(self._descriptor)
