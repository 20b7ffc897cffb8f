"""Reads what a container writes, while it runs and with a bound."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any, Final

CHUNK: Final = 2**16
HEADER: Final = 8
STDERR: Final = 2


class Output:
    """Standard output and error of a container; `over` is set when they are too much."""

    def __init__(self, limit: int) -> None:
        """Take how many bytes there may be of both together."""
        self.stdout, self.stderr = bytearray(), bytearray()
        self.over = asyncio.Event()
        self._left = limit
        self._connection: socket.socket | None = None

    def attach(self, client: Any, container: str) -> None:
        """Connect to all that a container will write; it must not have been started.

        One that has ended would be waited for without an end.
        """
        params = {"stdout": 1, "stderr": 1, "stream": 1, "logs": 0}
        raw = client.attach_socket(container, params)
        try:
            self._connection = socket.socket(fileno=os.dup(raw.fileno()))
        finally:
            getattr(raw, "_response", raw).close()

    def close(self) -> None:
        """Give up a connection that nothing was read from."""
        if self._connection is not None:
            self._connection.close()

    async def read(self) -> None:
        """Read to the end: what is too much is thrown away, or the container would stand still."""
        reader, writer = await asyncio.open_connection(sock=self._connection)
        self._connection = None
        try:
            while True:
                header = await reader.readexactly(HEADER)
                size = int.from_bytes(header[4:], "big")
                while size:
                    data = await reader.read(min(size, CHUNK))
                    if not data:
                        return
                    size -= len(data)
                    self._add(header[0], data)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    def _add(self, stream: int, data: bytes) -> None:
        kept = data[: self._left]
        self._left -= len(kept)
        (self.stderr if stream == STDERR else self.stdout).extend(kept)
        if len(kept) < len(data):
            self.over.set()
