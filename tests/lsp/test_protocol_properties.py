"""Whatever comes in: nothing raises, and every request gets exactly one answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp

from skillgauge.lsp.base_server import Server

from .loopback import Loopback

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["textDocument", "uri", "jsonrpc", "id", "method", "type_name"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=5,
)
# How long an example takes says more of the machine than of the protocol.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ends_the_session = {lsp.SHUTDOWN, lsp.EXIT}
methods = st.sampled_from(sorted(set(lsp.METHOD_TO_TYPES) - ends_the_session)) | values


@pytest.fixture(scope="module")
def client() -> Iterator[Loopback]:
    """One open session for all examples: making a server costs more than an example."""
    client = Loopback(Server("test", "1"))
    client.ask("initialize", {"processId": None, "capabilities": {}})
    logging.disable()
    yield client
    logging.disable(logging.NOTSET)


def receive(client: Loopback, body: bytes) -> list[dict[str, Any]]:
    client.sent.clear()
    client.server.protocol.receive(body)  # pyright: ignore[reportAttributeAccessIssue]
    return client.sent


@untimed
@given(body=st.binary(max_size=200))
def test_any_bytes_are_survived(client: Loopback, body: bytes) -> None:
    assert len(receive(client, body)) <= 1


@untimed
@given(method=methods, number=st.integers() | st.text(max_size=5), params=values)
def test_any_request_gets_one_answer(
    client: Loopback, method: object, number: int | str, params: object
) -> None:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    (answer,) = receive(client, json.dumps(message).encode())
    assert answer["id"] == number
    assert ("result" in answer) != ("error" in answer)


@untimed
@given(extra=st.dictionaries(st.text(max_size=6), values, max_size=3), method=methods)
def test_any_notification_is_survived_in_silence(
    client: Loopback, extra: dict[str, object], method: object
) -> None:
    message = {**extra, "jsonrpc": "2.0", "method": method}
    message.pop("id", None)
    assert receive(client, json.dumps(message).encode()) == []
