"""A session with the real server in this process: what it answers, without its start."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from skillgauge.lsp.server import SkillgaugeServer
from skillgauge.text import Encoding, Text

from .loopback import Loopback, Message, until

PUSHES: dict[str, Any] = {
    "publishDiagnostics": {"versionSupport": True, "relatedInformation": True}
}
PULLS: dict[str, Any] = {"diagnostic": {}}
EDITS: dict[str, Any] = {
    "applyEdit": True,
    "workspaceEdit": {
        "documentChanges": True,
        "resourceOperations": ["create", "rename", "delete"],
    },
}


class Editor(Loopback):
    """An editor that opens, changes and closes documents, and asks about them."""

    server: SkillgaugeServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self) -> None:
        """Start a server of its own."""
        super().__init__(SkillgaugeServer())
        self.server.scanner.pause = self.server.publisher.refresh_pause = 0
        self.server.scores.quiet = 3600.0  # no test waits for scores but those that are about them
        self.experimental: dict[str, Any] | None = None
        self.versions: dict[str, int] = {}

    async def start(
        self,
        *roots: Path,
        encoding: Encoding = "utf-16",
        document: dict[str, Any] | None = None,
        workspace: dict[str, Any] | None = None,
        window: dict[str, Any] | None = None,
        options: object = None,
        client: str = "test",
    ) -> dict[str, Any]:
        """Open the session; what the editor can do is given as the protocol has it."""
        params = {
            "processId": None,
            "clientInfo": {"name": client},
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name} for root in roots],
            "initializationOptions": options,
            "capabilities": {
                "general": {"positionEncodings": [encoding]},
                "textDocument": PUSHES if document is None else document,
                "workspace": workspace or {},
                "window": window or {},
                "experimental": self.experimental,
            },
        }
        reply = await self.request("initialize", params)
        self.notify("initialized", {})
        await self.settled()
        return reply["result"]["capabilities"]

    async def settled(self) -> None:
        """Wait until the server has looked around, and nothing is left to send."""
        for _ in range(3):
            await asyncio.sleep(0.002)
            await self.server.scanner.wait()
        await until(lambda: self.server.publisher.idle)

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        """Open a document."""
        version = self.versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str) -> int:
        """Replace the text of an open document, and return its new version."""
        version = self.versions[uri] = self.versions[uri] + 1
        params = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}],
        }
        self.notify("textDocument/didChange", params)
        return version

    def save(self, uri: str) -> None:
        """Say that a document was saved."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close_document(self, uri: str) -> None:
        """Close a document."""
        del self.versions[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    async def about(self, method: str, uri: str, **params: Any) -> Any:
        """Ask about a document and return the result."""
        reply = await self.request(
            f"textDocument/{method}", {"textDocument": {"uri": uri}, **params}
        )
        assert "error" not in reply, reply
        return reply["result"]

    def published(self, uri: str) -> list[dict[str, Any]]:
        """Return the parameters of everything that was published for a document."""
        sent = (message["params"] for message in self.of("textDocument/publishDiagnostics"))
        return [params for params in sent if params["uri"] == uri]

    def write(self, data: bytes) -> None:
        """Take a message; a question of the server is answered with null."""
        super().write(data)
        message = self.sent[-1]
        if "method" in message and "id" in message:
            asyncio.get_running_loop().call_soon(self._reply, message)

    def _reply(self, message: Message) -> None:
        self.send({"id": message["id"], "result": self.result_for(message)})

    def result_for(self, message: Message) -> Any:
        """Return the answer to a question of the server."""
        return None


@contextlib.asynccontextmanager
async def editing(*roots: Path, **options: Any) -> AsyncIterator[Editor]:
    """Open a session that is settled."""
    editor = Editor()
    await editor.start(*roots, **options)
    yield editor
    await editor.request("shutdown")


def as_sent(text: str) -> str:
    """Return a text as it arrives: JSON joins a high and a low surrogate into one character."""
    return json.loads(json.dumps(text))


def ranges(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every range in an answer, but for those of places in other documents."""
    if isinstance(value, list):
        for item in value:
            yield from ranges(item)
    elif isinstance(value, dict):
        if set(value) == {"start", "end"} and isinstance(value["start"], dict):
            yield value
        else:
            for item in value.values():
                yield from ranges(item)


def lies_inside(text: Text, where: dict[str, Any], encoding: Encoding) -> bool:
    """Return whether both ends of a range are places of the text, between two characters."""
    for place in (where["start"], where["end"]):
        line, units = place["line"], place["character"]
        if not 0 <= line < text.line_count:
            return False
        offset = text.offset_of_units(line, units, encoding)
        if text.units(offset, encoding) != (line, units):
            return False
    start, end = where["start"], where["end"]
    return (start["line"], start["character"]) <= (end["line"], end["character"])
