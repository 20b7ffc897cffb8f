"""The faults of pygls: each test fails with pygls alone, and passes with our protocol.

When a test of the group `pygls` passes, pytest says so: then upstream has mended the fault, and the
override may go.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from skillgauge.lsp.base_server import Server

from .loopback import Loopback, kept, open_and_change, turns, until

URI = "file:///skills/demo/SKILL.md"
Make = Callable[[], LanguageServer]
both = pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: Server("test", "1"), id="ours"),
        pytest.param(
            lambda: LanguageServer("test", "1"),
            id="pygls",
            marks=pytest.mark.xfail(raises=AssertionError, strict=True, reason="the fault itself"),
        ),
    ],
)


@both
async def test_notifications_leave_nothing_behind(make: Make) -> None:
    server = make()
    seen: list[int] = []

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        seen.append(params.text_document.version)

    client = Loopback(server)
    await client.initialize()
    open_and_change(client, 50)
    await until(lambda: len(seen) == 50)
    await turns()
    assert kept(client) == 0


@both
async def test_shutdown_cancels_the_command_in_flight(make: Make) -> None:
    server = make()

    @server.command("forever")
    async def forever() -> None:
        await asyncio.Event().wait()

    client = Loopback(server)
    await client.initialize()
    command = client.run("forever")
    await turns()
    shutdown = await client.request("shutdown")
    assert "error" not in shutdown
    assert (await client.answer(command))["error"]["code"] == -32800
    await until(lambda: kept(client) == 0)


@both
async def test_cancelling_a_command_reaches_its_handler(make: Make) -> None:
    server = make()
    ends: list[str] = []

    @server.command("slow")
    async def slow() -> None:
        try:
            await asyncio.sleep(0.05)
            ends.append("finished")
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    client = Loopback(server)
    await client.initialize()
    command = client.run("slow")
    await turns()
    client.notify("$/cancelRequest", {"id": command})
    assert (await client.answer(command))["error"]["code"] == -32800
    await until(lambda: bool(ends))
    assert ends == ["cancelled"]
    await until(lambda: kept(client) == 0)


@both
async def test_a_command_that_is_cancelled_within_is_answered(make: Make) -> None:
    server = make()

    @server.command("gives-up")
    async def gives_up() -> None:
        raise asyncio.CancelledError

    client = Loopback(server)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    await client.initialize()
    command = client.run("gives-up")
    await turns()
    assert [m["error"]["code"] for m in client.answers(command)] == [-32800]


@both
async def test_a_late_answer_to_a_cancelled_question_is_dropped(make: Make) -> None:
    server = make()

    @server.feature("test/settings")
    async def settings(params: Any) -> None:
        await server.workspace_configuration_async(lsp.ConfigurationParams(items=[]))

    client = Loopback(server)
    await client.initialize()
    request = client.ask("test/settings")
    await until(lambda: bool(client.of("workspace/configuration")))
    client.notify("$/cancelRequest", {"id": request})
    assert (await client.answer(request))["error"]["code"] == -32800
    client.send({"id": client.of("workspace/configuration")[0]["id"], "result": []})
    await turns()
    assert client.of("window/showMessage") == []


@both
async def test_questions_that_fail_are_forgotten(make: Make) -> None:
    server = make()
    client = Loopback(server)
    await client.initialize()
    never_answered = server.workspace_configuration(lsp.ConfigurationParams(items=[]))
    refused = server.workspace_configuration(lsp.ConfigurationParams(items=[]))
    numbers = [m["id"] for m in client.of("workspace/configuration")]
    never_answered.cancel()
    client.send({"id": numbers[1], "error": {"code": -32603, "message": "no"}})
    assert refused.exception() is not None
    assert kept(client) == 0


@both
async def test_a_progress_token_ends_with_its_progress(make: Make) -> None:
    server = make()
    client = Loopback(server)
    await client.initialize()
    progress = server.work_done_progress
    created = asyncio.ensure_future(progress.create_async("token"))
    await until(lambda: bool(client.of("window/workDoneProgress/create")))
    client.send({"id": client.of("window/workDoneProgress/create")[0]["id"], "result": None})
    await created
    progress.begin("token", lsp.WorkDoneProgressBegin(title="Measuring"))
    assert "token" in progress.tokens
    progress.end("token", lsp.WorkDoneProgressEnd())
    assert progress.tokens == {}
    assert [m["params"]["value"]["kind"] for m in client.of("$/progress")] == ["begin", "end"]


@both
async def test_a_closed_pipe_is_not_reported_down_the_pipe(make: Make) -> None:
    server = make()
    client = Loopback(server)
    await client.initialize()
    writes = 0

    def closed(data: bytes) -> None:
        nonlocal writes
        writes += 1
        raise ValueError("write to closed file")

    client.write = closed
    logging.disable()
    try:
        for _ in range(3):
            server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, "hello"))
    finally:
        logging.disable(logging.NOTSET)
    assert writes == 1


@both
async def test_a_request_that_cannot_be_read_is_answered(make: Make) -> None:
    client = Loopback(make())
    await client.initialize()
    request = client.ask("textDocument/hover", {"textDocument": 7})
    assert [m["error"]["code"] for m in client.answers(request)] == [-32602]


@both
@pytest.mark.parametrize("value", [object(), float("nan")], ids=["object", "nan"])
async def test_a_result_that_cannot_be_written_is_answered(make: Make, value: object) -> None:
    server = make()
    server.feature("test/value")(lambda params: value)
    client = Loopback(server)
    await client.initialize()
    request = client.ask("test/value")
    assert [m.get("error", {}).get("code") for m in client.answers(request)] == [-32603]


@both
async def test_an_argument_may_look_like_a_message(make: Make) -> None:
    server = make()
    seen: list[object] = []

    @server.command("echo")
    def echo(value: Any) -> None:
        seen.append(value)

    client = Loopback(server)
    await client.initialize()
    looks_like = {"jsonrpc": "2.0", "method": "exit"}
    await turns()
    client.run("echo", looks_like)
    assert seen == [looks_like]


@both
async def test_a_notification_that_fails_opens_no_box(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    server = make()

    @server.feature("test/fails")
    async def fails(params: Any) -> None:
        raise RuntimeError("the reason")

    client = Loopback(server)
    await client.initialize()
    client.notify("test/fails")
    await turns()
    assert client.of("window/showMessage") == []
    assert "the reason" in caplog.text


@both
async def test_a_request_out_of_turn_is_refused(make: Make) -> None:
    client = Loopback(make())
    early = client.ask("test/anything")
    await client.initialize()
    again = client.ask("initialize", {"processId": None, "capabilities": {}})
    await client.request("shutdown")
    late = client.ask("test/anything")
    answers = [client.answers(number) for number in (early, again, late)]
    codes = [[m.get("error", {}).get("code") for m in each] for each in answers]
    assert codes == [[-32002], [-32600], [-32600]]


@both
async def test_a_handler_of_exit_that_fails_does_not_keep_the_process(make: Make) -> None:
    server = make()
    ended: list[object] = []

    @server.feature(lsp.EXIT)
    async def fails(params: Any) -> None:
        raise RuntimeError

    client = Loopback(server)
    client.close = lambda: ended.append("closed")
    await client.initialize()
    client.notify("exit")
    await turns()
    assert ended or getattr(server, "is_stopping", False)


@both
async def test_a_request_may_come_without_parameters(make: Make) -> None:
    server = make()
    server.feature("test/value")(lambda params: params)
    client = Loopback(server)
    await client.initialize()
    client.send({"id": "a", "method": "test/value"})
    assert [m.get("result", "none") for m in client.answers("a")] == [None]


# --- what must hold besides ---------------------------------------------------------------------


@both
async def test_virtual_documents_are_advertised(make: Make) -> None:
    server = make()
    options = lsp.TextDocumentContentOptions(schemes=["preview"])

    @server.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, options)
    def content(params: lsp.TextDocumentContentParams) -> None: ...

    offered = (await Loopback(server).initialize())["capabilities"]["workspace"]
    assert offered.get("textDocumentContent") == {"schemes": ["preview"]}
