"""What a server of ours makes of messages: full texts, plain answers, and an exit status."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from lsprotocol import types as lsp

from skillgauge.lsp.base_server import Server

from .loopback import Loopback, kept, open_and_change, turns

URI = "file:///skills/demo/SKILL.md"


async def test_full_sync_is_advertised() -> None:
    server = Server("test", "1", text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(lambda params: None)
    reply = await Loopback(server).initialize()
    assert reply["capabilities"]["textDocumentSync"]["change"] == 1
    assert reply["capabilities"]["textDocumentSync"]["openClose"] is True


async def test_full_sync_is_the_default() -> None:
    reply = await Loopback(Server("test", "1")).initialize()
    assert reply["capabilities"]["textDocumentSync"]["change"] == 1


async def test_full_sync_keeps_every_line_separator() -> None:
    text = "a\u2028b\x0cc\x0bd\x85e\r\nf\rg\u2029h \ud800"
    client = Loopback(Server("test", "1"))
    await client.initialize()
    open_and_change(client, 1)
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", change)
    assert client.server.workspace.get_text_document(URI).source == text


@pytest.mark.parametrize("kind", ["sync", "async", "command"])
async def test_a_request_that_fails_is_answered_and_logged(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server("test", "1")

    @server.feature("test/sync")
    def fails_now(params: Any) -> None:
        raise RuntimeError("the reason")

    @server.feature("test/async")
    async def fails_later(params: Any) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("the reason")

    server.command("test/command")(fails_now)
    client = Loopback(server)
    await client.initialize()
    for _ in range(2):  # It lives on.
        caplog.clear()
        number = client.run("test/command", 1) if kind == "command" else client.ask(f"test/{kind}")
        error = (await client.answer(number))["error"]
        assert error["code"] == -32603
        assert "the reason" in error["message"]
        assert len([r for r in caplog.records if r.levelno >= logging.ERROR]) == 1
        assert "the reason" in caplog.text
    assert client.of("window/showMessage") == []
    assert kept(client) == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"\xff\xfe\xff", -32700),
        (b"", -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b"{}", -32600),
    ],
    ids=["cut", "deep", "no-utf8", "empty", "list", "number", "no-version"],
)
async def test_what_is_no_message_is_refused_and_survived(body: bytes, code: int) -> None:
    server = Server("test", "1")
    client = Loopback(server)
    await client.initialize()
    client.sent.clear()
    server.protocol.receive(body)
    assert [(m["id"], m["error"]["code"]) for m in client.sent] == [(None, code)]
    assert (await client.request("shutdown"))["result"] is None


async def test_an_unknown_method_is_refused_only_if_it_is_a_request() -> None:
    client = Loopback(Server("test", "1"))
    await client.initialize()
    client.sent.clear()
    client.notify("test/unknown")
    client.send({"id": 99, "result": "to no question of ours"})
    assert client.sent == []
    assert (await client.request("test/unknown"))["error"]["code"] == -32601


async def test_an_async_request_can_be_cancelled() -> None:
    server = Server("test", "1")

    @server.feature("test/forever")
    async def forever(params: Any) -> None:
        await asyncio.Event().wait()

    client = Loopback(server)
    await client.initialize()
    request = client.ask("test/forever")
    await turns()
    client.notify("$/cancelRequest", {"id": request})
    assert (await client.answer(request))["error"]["code"] == -32800
    client.notify("$/cancelRequest", {"id": request})
    assert len(client.answers(request)) == 1
    assert kept(client) == 0


async def test_the_first_exit_status_stands() -> None:
    server = Server("test", "1")
    assert not server.is_stopping
    server.stop(0)
    server.stop(1)
    assert await server.stopped() == 0
