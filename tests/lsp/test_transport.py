"""Whole server processes: what goes over the wire, when they end, and with which status."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time

import pytest

from .raw_client import TIMEOUT, encode
from .small_server import SERVER, command, posix, small_server, until_stderr

URI = "file:///skills/demo/SKILL.md"
pytestmark = pytest.mark.e2e


def test_a_session_in_order_ends_with_status_0_and_says_nothing_else() -> None:
    with small_server() as server:
        assert server.initialize()["serverInfo"] == {"name": "small", "version": "1"}
        server.shut_down()
        assert server.wait() == 0
        assert (server.inbox, server.junk, server.stderr) == ([], b"", "")


@pytest.mark.parametrize(
    "kind",
    [
        "ours",
        pytest.param("pygls", marks=pytest.mark.xfail(raises=AssertionError, strict=True)),
    ],
)
def test_exit_without_shutdown_ends_with_status_1(kind: str) -> None:
    with small_server(kind) as server:
        server.initialize()
        server.notify("exit")
        assert server.wait() == 1


def test_the_end_of_input_ends_the_server_and_cancels_its_work() -> None:
    with small_server() as server:
        server.initialize()
        command(server, "forever")
        server.close_stdin()
        assert server.wait() == 1
        assert server.stderr == "cleaned up\n"


def test_the_end_of_input_after_shutdown_is_in_order() -> None:
    with small_server() as server:
        server.initialize()
        server.request("shutdown")
        server.close_stdin()
        assert server.wait() == 0


@posix
def test_the_death_of_the_client_ends_the_server_though_its_pipes_are_held_open() -> None:
    client = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with small_server() as server:
        server.initialize(processId=client.pid)
        time.sleep(0.2)
        assert server.process.poll() is None
        client.kill()
        client.wait()
        assert server.wait() == 1
        assert "has ended" in server.stderr


@posix
def test_a_client_of_another_machine_is_not_missed() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with small_server() as server:
        server.initialize(processId=gone.pid)
        time.sleep(0.3)
        server.shut_down()
        assert server.wait() == 0


@posix
def test_a_signal_ends_the_server_and_cancels_its_work() -> None:
    with small_server() as server:
        server.initialize()
        command(server, "forever")
        server.request("test/text", {"uri": str(SERVER.as_uri())})
        server.process.send_signal(signal.SIGTERM)
        assert server.wait() == 128 + signal.SIGTERM
        assert server.stderr == "cleaned up\n"


@posix
@pytest.mark.parametrize("end", ["hang up", "signal"])
def test_a_handler_that_never_returns_does_not_outlive_the_client(end: str) -> None:
    with small_server("--grace", "0.3") as server:
        server.initialize()
        command(server, "stuck")
        until_stderr(server, "stuck now")
        if end == "signal":
            server.process.send_signal(signal.SIGTERM)
        else:
            server.close_stdin()
        assert server.wait() == 1
        assert "in stuck" in server.stderr


def test_a_client_that_stops_reading_ends_the_server_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, SERVER], stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        hello = {"method": "initialize", "params": {"processId": None, "capabilities": {}}}
        for number, message in enumerate([hello, {"method": "test/flood"}]):
            server.stdin.write(encode({"jsonrpc": "2.0", "id": number, **message}))
        server.stdin.flush()
        assert server.stdout.read(1000)
        server.stdout.close()
        try:
            assert server.wait(TIMEOUT) == 1
            assert re.fullmatch(rb"The client is gone: .*\n", server.stderr.read())
        finally:
            server.kill()


def test_nothing_but_the_protocol_reaches_the_wire() -> None:
    with small_server() as server:
        server.initialize()
        assert server.answer(command(server, "chatter"))["result"] == "0"
        server.shut_down()
        assert server.wait() == 0
        assert server.junk == b""
        printed = ["from a child", "from print", "from the descriptor"]
        assert sorted(server.stderr.splitlines()) == printed


def test_every_text_arrives_as_it_was_sent() -> None:
    text = "a\u2028b\x0cc\x0bd\x85e\r\nf\rg \U0001f9ed \ud800\x00" + "long\n" * 1_000_000
    item = {"uri": URI, "languageId": "skill", "version": 1, "text": text}
    with small_server() as server:
        assert server.initialize()["capabilities"]["textDocumentSync"]["change"] == 1
        server.notify("textDocument/didOpen", {"textDocument": item})
        assert server.request("test/text", {"uri": URI})["result"] == text


def test_messages_may_come_in_any_pieces() -> None:
    with small_server() as server:
        server.send_bytes(b"what is this\r\n\r\n")
        hello = encode({"jsonrpc": "2.0", "id": "a", "method": "test/text", "params": {}})
        hello = hello.replace(b"Content-Length", b"Content-Type: utf-8\r\ncontent-length")
        for index in range(0, len(hello), 7):
            server.send_bytes(hello[index : index + 7])
        server.send_bytes(hello + hello)
        codes = [server._wait(lambda m: m["id"] == "a", TIMEOUT)["error"]["code"] for _ in range(3)]
        assert codes == [-32002] * 3


@pytest.mark.parametrize("header", [b"Content-Length: -5\r\n", b"Content-Length: 9999999999\r\n"])
def test_a_length_that_cannot_be_ends_the_session(header: bytes) -> None:
    with small_server() as server:
        server.send_bytes(header)
        assert server.wait() == 1
        assert "The connection is lost" in server.stderr
