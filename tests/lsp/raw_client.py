"""A JSON-RPC client that adds nothing of its own, for tests of what goes over the wire."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

Message = dict[str, Any]
TIMEOUT = 20.0
"""Seconds that a test waits for a message: a start costs a second, and far more under load."""


def encode(message: object) -> bytes:
    """Frame a message."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class RawClient:
    """Talks to a server over two byte streams; every wait has an end."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Read messages from `source` and write to `sink`."""
        self._sink = sink
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        self._number = 0
        self.inbox: list[Message] = []
        """Notifications and requests of the server, in the order in which they came."""
        self.junk = b""
        """Bytes that belong to no message."""
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source: BinaryIO) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := source.readline():
                if not line.startswith(b"Content-Length: "):
                    self.junk += line
                    continue
                while source.readline().strip():
                    pass
                self._arrived.put(json.loads(source.read(int(line.split()[1]))))
        self._arrived.put(None)

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._sink.write(data)
        self._sink.flush()

    def send(self, message: Message) -> None:
        """Write one message."""
        self.send_bytes(encode({"jsonrpc": "2.0", **message}))

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        """Send a request and return its id without waiting for the answer."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int | None, timeout: float = TIMEOUT) -> Message:
        """Wait for the answer to a request; the server's own requests are answered with null."""
        return self._wait(lambda m: "method" not in m and m.get("id") == number, timeout)

    def request(self, method: str, params: object = None, timeout: float = TIMEOUT) -> Message:
        """Send a request and wait for its answer."""
        return self.answer(self.ask(method, params), timeout)

    def expect(self, method: str, timeout: float = TIMEOUT) -> Message:
        """Wait for a notification or request of the server."""
        return self._wait(lambda m: m.get("method") == method, timeout)

    def _wait(self, wanted: Callable[[Message], bool], timeout: float) -> Message:
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            try:
                message = self._arrived.get(timeout=left)
            except queue.Empty:
                break
            if message is None:
                raise EOFError(f"the server closed the stream; so far: {self.inbox}")
            if "method" in message:
                self.inbox.append(message)
                if "id" in message:
                    self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message
        raise TimeoutError(f"no such message; so far: {self.inbox}")

    def initialize(self, **params: object) -> Message:
        """Open the session and return the server's answer to `initialize`."""
        reply = self.request("initialize", {"processId": None, "capabilities": {}, **params})
        self.notify("initialized", {})
        return reply["result"]

    def shut_down(self) -> None:
        """Close the session in order."""
        self.request("shutdown")
        self.notify("exit")


class RawServer(RawClient):
    """A client with the server process that it has started and talks to over stdio."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the server; what it writes to standard error is kept in `stderr`."""
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self._log: list[bytes] = []
        self._logger = threading.Thread(
            target=lambda stream: self._log.extend(stream), args=(self.process.stderr,), daemon=True
        )
        self._logger.start()
        super().__init__(cast(BinaryIO, self.process.stdout), cast(BinaryIO, self.process.stdin))

    @property
    def stderr(self) -> str:
        """What the server has written to standard error so far."""
        return b"".join(self._log).decode()

    def close_stdin(self) -> None:
        """Hang up without a word."""
        assert self.process.stdin
        self.process.stdin.close()

    def wait(self, timeout: float = TIMEOUT) -> int:
        """Wait for the end of the process and return its exit status."""
        status = self.process.wait(timeout)
        self._logger.join(timeout)
        return status


@contextlib.contextmanager
def running(command: Sequence[str | Path], **options: Any) -> Iterator[RawServer]:
    """Start a server, and end it if the test leaves it running."""
    server = RawServer(command, **options)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()
        for stream in (server.process.stdin, server.process.stdout, server.process.stderr):
            with contextlib.suppress(OSError):
                assert stream
                stream.close()
