"""Whole server processes: what goes over the wire, when they end, and with which status."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from skillgauge.errors import UserError
from skillgauge.lsp.base_server import Server
from skillgauge.lsp.transport import Tcp, parse_address, serve

from .raw_client import TIMEOUT, RawClient, RawServer, encode, running

SERVER = Path(__file__).parent / "fixtures" / "small_server.py"
URI = "file:///skills/demo/SKILL.md"
pytestmark = pytest.mark.e2e
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes")


@contextlib.contextmanager
def small_server(*flags: str) -> Iterator[RawServer]:
    with running([sys.executable, SERVER, *flags]) as server:
        yield server


def command(client: RawClient, name: str) -> int:
    return client.ask("workspace/executeCommand", {"command": name, "arguments": []})


def until_stderr(server: RawServer, pattern: str) -> re.Match[str]:
    deadline = time.monotonic() + TIMEOUT
    while not (found := re.search(pattern, server.stderr)):
        assert time.monotonic() < deadline, server.stderr
        assert server.process.poll() is None or server.wait() is None, server.stderr
        time.sleep(0.01)
    return found


def address(server: RawServer) -> tuple[str, int]:
    found = until_stderr(server, r"listening on \w+://(127\.0\.0\.1):(\d+)\n")
    return found[1], int(found[2])


# --- stdio --------------------------------------------------------------------------------------


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


# --- TCP ----------------------------------------------------------------------------------------


def test_tcp_serves_one_client_on_the_port_that_it_names() -> None:
    with small_server("--tcp", "127.0.0.1:0") as server:
        with socket.create_connection(address(server)) as first:
            stream = first.makefile("rwb")
            client = RawClient(stream, stream)  # pyright: ignore[reportArgumentType]
            client.initialize()
            with pytest.raises(OSError, match="refused"):
                socket.create_connection(first.getpeername())
            client.shut_down()
            assert server.wait() == 0
            stream.close()
        assert server.junk == b""


def test_a_tcp_client_that_drops_ends_the_server() -> None:
    with small_server("--tcp", ":0") as server:
        with socket.create_connection(address(server)) as client:
            client.sendall(encode({"jsonrpc": "2.0", "id": 1, "method": "initialize"}))
            assert client.recv(1)
        assert server.wait() == 1


def test_a_web_page_cannot_post_to_the_port() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}).encode()
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body)
    with small_server("--tcp", "127.0.0.1:0") as server:
        with socket.create_connection(address(server)) as client:
            client.sendall(head + body)
            with contextlib.suppress(ConnectionResetError):
                assert client.recv(100) == b""
        assert server.wait() == 1
        assert "HTTP" in server.stderr


def test_a_port_in_use_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host, port = taken.getsockname()
        with pytest.raises(UserError, match=rf"can't listen on 127\.0\.0\.1:{port}: "):
            serve(Server("test", "1"), Tcp(host, port))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:2087", ("127.0.0.1", 2087)),
        ("[::1]:0", ("::1", 0)),
        (":2087", ("127.0.0.1", 2087)),
        ("2087", ("127.0.0.1", 2087)),
        ("localhost:65535", ("localhost", 65535)),
    ],
)
def test_an_address_is_read(text: str, expected: tuple[str, int]) -> None:
    assert parse_address(text) == expected


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "a:65536", "a:-1", "a:²"])
def test_a_wrong_address_is_said_plainly(text: str) -> None:
    with pytest.raises(UserError, match=re.escape(repr(text))):
        parse_address(text)


# --- WebSocket ----------------------------------------------------------------------------------


def test_a_websocket_carries_one_message_a_frame_for_pages_of_this_machine() -> None:
    with small_server("--ws", "127.0.0.1:0") as server:
        host, port = address(server)
        url = f"ws://{host}:{port}"
        with pytest.raises(InvalidStatus, match="403"):
            connect(url, origin="https://example.org")  # pyright: ignore[reportArgumentType]
        with connect(url, origin="http://localhost:8080") as page:  # pyright: ignore[reportArgumentType]
            ask: list[Any] = [
                ("initialize", {"processId": None, "capabilities": {}}),
                ("shutdown", None),
            ]
            for number, (method, params) in enumerate(ask):
                message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                page.send(json.dumps(message))
                frame = page.recv(timeout=TIMEOUT)
                assert isinstance(frame, str)
                reply = json.loads(frame)
                assert (reply["id"], "error" in reply) == (number, False)
            page.send(json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode())
            assert server.wait() == 0


def test_a_websocket_that_drops_ends_the_server() -> None:
    with small_server("--ws", "127.0.0.1:0") as server:
        host, port = address(server)
        with connect(f"ws://{host}:{port}"):
            pass
        assert server.wait() == 1
