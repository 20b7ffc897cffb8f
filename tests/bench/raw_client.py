"""A language client of bare pipes and JSON, so that what is measured is the server."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from measure import environment

PATIENCE = 3600.0  # seconds for everything that one client does
Json = dict[str, Any]


class ServerEnded(Exception):
    """The server closed its output while an answer was awaited."""


class RawClient:
    """Starts a server on stdio and speaks with it; every call waits for its answer."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._log = log.open("wb")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment(),
        )
        self._requests = 0
        # A server that never answers must not hold up the whole run.
        self._limit = threading.Timer(PATIENCE, self.process.kill)
        self._limit.start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._limit.cancel()
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        else:
            self.process.kill()
        self.process.communicate()
        self._log.close()

    def initialize(self, root: Path) -> Json:
        """The handshake; the reply of the server."""
        folder = {"uri": root.as_uri(), "name": root.name}
        reply = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": {
                    "textDocument": {"publishDiagnostics": {"versionSupport": True}},
                },
            },
        )
        self.notify("initialized", {})
        return reply

    def request(self, method: str, params: Any) -> Json:
        """Send a request and read on until its reply comes."""
        self._requests += 1
        self.send({"id": self._requests, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self._requests and "method" not in message:
                return message.get("result") or {}

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def diagnostics_of(self, version: int) -> list[Json]:
        """Read on until the diagnostics of this version of the document come."""
        while True:
            message = self.read()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            if message["params"].get("version") == version:
                return message["params"]["diagnostics"]

    def send(self, message: Json) -> None:
        """Write one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self) -> Json:
        """Read one message; a request of the server is answered with null at once."""
        assert self.process.stdout is not None
        length = 0
        while header := self.process.stdout.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            said = Path(self._log.name).read_text(errors="replace").strip().splitlines()
            raise ServerEnded(f"status {self.process.wait()}: {said[-1] if said else 'no output'}")
        message = json.loads(self.process.stdout.read(length))
        if "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})
        return message
