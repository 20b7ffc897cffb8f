"""Servers behind a port: who may connect, and what a lost connection ends."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from skillgauge.errors import UserError
from skillgauge.lsp.base_server import Server
from skillgauge.lsp.transport import Tcp, parse_address, serve

from .raw_client import TIMEOUT, RawClient, encode
from .small_server import address, small_server

URI = "file:///skills/demo/SKILL.md"
pytestmark = pytest.mark.e2e


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
