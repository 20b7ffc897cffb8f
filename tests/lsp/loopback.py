"""A client in the same process, for tests of a server's answers without its start-up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from skillgauge.lsp.protocol import Protocol

DEMO = "file:///skills/demo/SKILL.md"
Message = dict[str, Any]
SECONDS = 5.0


class Loopback:
    """Hands messages to a server as its reader would, and keeps what it sends."""

    def __init__(self, server: LanguageServer) -> None:
        """Become the server's client."""
        self.server = server
        self.sent: list[Message] = []
        self._number = 0
        server.protocol.set_writer(self, include_headers=False)

    def write(self, data: bytes) -> None:
        """Take a message from the server."""
        self.sent.append(json.loads(data))

    def close(self) -> None:
        """Do nothing; a server closes its writer on exit."""

    def send(self, message: Message) -> None:
        """Give a message to the server, ours or plain pygls."""
        protocol = self.server.protocol
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if isinstance(protocol, Protocol):
            protocol.receive(body)
            return
        try:  # What pygls' own loop does.
            protocol.handle_message(json.loads(body, object_hook=protocol.structure_message))
        except Exception as error:
            self.server.report_server_error(error, JsonRpcException)

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        """Send a request and return its id."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def run(self, command: str, *arguments: object) -> int:
        """Ask for a command."""
        params = {"command": command, "arguments": list(arguments)}
        return self.ask("workspace/executeCommand", params)

    def answers(self, number: int | str) -> list[Message]:
        """Every answer to this request so far: there should be one."""
        return [m for m in self.sent if m.get("id") == number and "method" not in m]

    def of(self, method: str) -> list[Message]:
        """Every notification and request of the server with this method so far."""
        return [m for m in self.sent if m.get("method") == method]

    async def answer(self, number: int) -> Message:
        """Wait for the answer to a request."""
        await until(lambda: bool(self.answers(number)))
        assert len(self.answers(number)) == 1
        return self.answers(number)[0]

    async def request(self, method: str, params: object = None) -> Message:
        """Send a request and wait for its answer."""
        return await self.answer(self.ask(method, params))

    async def initialize(self, **capabilities: object) -> Message:
        """Open the session."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities}
        reply = await self.request("initialize", params)
        self.notify("initialized", {})
        return reply["result"]


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until something holds, and fail if it never does."""
    deadline = asyncio.get_running_loop().time() + SECONDS
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, "it never came true"
        await asyncio.sleep(0.001)


async def turns(number: int = 20) -> None:
    """Let the loop turn a few times, for what must not happen."""
    for _ in range(number):
        await asyncio.sleep(0)


def kept(client: Loopback) -> int:
    """How many messages the protocol still remembers."""
    protocol: Any = client.server.protocol
    return len(protocol._request_futures) + len(protocol._result_types)


def open_and_change(client: Loopback, times: int) -> None:
    item = {"uri": DEMO, "languageId": "markdown", "version": 0, "text": ""}
    client.notify("textDocument/didOpen", {"textDocument": item})
    for version in range(1, times + 1):
        change = {
            "textDocument": {"uri": DEMO, "version": version},
            "contentChanges": [{"text": f"text {version}"}],
        }
        client.notify("textDocument/didChange", change)
