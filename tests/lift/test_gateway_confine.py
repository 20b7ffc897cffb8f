"""A vendor that would search, fetch or run for a container has to be kept from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift.gateway.confine import confined
from skillgauge.lift.gateway.dialects import Refused, speech
from skillgauge.lift.harnesses import Dialect
from tests.lift.gateway_kit import ALL, KEY, PATHS, SCRIPT, Host, body
from tests.lift.model_server import ModelServer

OWN = {"type": "function", "name": "exec_command"}
SPACE = {"type": "namespace", "name": "functions", "tools": [OWN]}
HOSTED: list[tuple[Dialect, dict[str, Any], list[str], dict[str, Any]]] = [
    (
        "anthropic",
        {
            "tools": [
                {"name": "Bash", "input_schema": {}},
                {"type": "web_search_20250305", "name": "web_search"},
                {"type": "web_fetch_20250910", "name": "web_fetch"},
                {"type": "bash_20250124", "name": "bash"},
                {"type": "something_new"},
            ],
            "mcp_servers": [{"type": "url", "url": "https://elsewhere.example"}],
        },
        ["web_search_20250305", "web_fetch_20250910", "something_new", "mcp_servers"],
        {
            "tools": [
                {"name": "Bash", "input_schema": {}},
                {"type": "bash_20250124", "name": "bash"},
            ]
        },
    ),
    (
        "anthropic",
        {"tools": [{"type": "code_execution_20250825"}], "tool_choice": {"type": "any"}},
        ["code_execution_20250825"],
        {},
    ),
    (
        "responses",
        {
            "tools": [OWN, {"type": "web_search", "external_web_access": True}],
            "previous_response_id": "resp_1",
        },
        ["previous_response_id", "web_search"],
        {"tools": [OWN]},
    ),
    (
        "responses",
        {
            "input": [
                {
                    "type": "additional_tools",
                    "tools": [
                        {"type": "mcp", "server_url": "https://elsewhere.example"},
                        {**SPACE, "tools": [OWN, {"type": "code_interpreter"}]},
                    ],
                },
                {"role": "user", "content": "Hi"},
            ]
        },
        ["mcp", "code_interpreter"],
        {
            "input": [
                {"type": "additional_tools", "tools": [SPACE]},
                {"role": "user", "content": "Hi"},
            ]
        },
    ),
    (
        "chat",
        {"tools": [{"type": "web_search"}], "tool_choice": "auto", "web_search_options": {}},
        ["web_search", "web_search_options"],
        {},
    ),
    (
        "gemini",
        {
            "tools": [
                {"functionDeclarations": [{"name": "f"}], "urlContext": {}},
                {"googleSearch": {}},
            ],
            "cachedContent": "cachedContents/1",
        },
        ["urlContext", "googleSearch", "cachedContent"],
        {"tools": [{"functionDeclarations": [{"name": "f"}]}]},
    ),
]


@pytest.mark.parametrize(("dialect", "given", "removed", "kept"), HOSTED)
def test_what_the_vendor_would_do_is_taken_out(
    dialect: Dialect, given: dict[str, Any], removed: list[str], kept: dict[str, Any]
) -> None:
    assert confined(speech(dialect), given) == (kept, removed)


@pytest.mark.parametrize("dialect", ALL)
def test_a_plain_request_stays_as_it_is(dialect: Dialect) -> None:
    given = body(dialect)
    kept, removed = confined(speech(dialect), given)
    assert kept is given
    assert removed == []


URL = "https://elsewhere.example/?stolen"
REMOTE: list[tuple[Dialect, dict[str, Any]]] = [
    ("anthropic", {"type": "image", "source": {"type": "url", "url": URL}}),
    ("anthropic", {"type": "document", "source": {"type": "file", "file_id": "file_1"}}),
    ("anthropic", {"type": "tool_result", "content": [{"source": {"type": "url", "url": URL}}]}),
    ("responses", {"type": "input_image", "image_url": URL}),
    ("responses", {"type": "input_file", "file_url": URL}),
    ("responses", {"type": "input_file", "file_id": "file_1"}),
    ("chat", {"type": "image_url", "image_url": {"url": URL}}),
    ("chat", {"type": "image_url", "image_url": URL}),
    ("chat", {"type": "file", "file": {"file_id": "file_1"}}),
    ("gemini", {"fileData": {"fileUri": URL}}),
    ("gemini", {"functionResponse": {"parts": [{"fileData": {"fileUri": URL}}]}}),
]


@pytest.mark.parametrize(("dialect", "part"), REMOTE)
def test_addresses_are_refused(dialect: Dialect, part: dict[str, Any]) -> None:
    key = {"responses": "input", "gemini": "contents"}.get(dialect, "messages")
    inner = "parts" if dialect == "gemini" else "content"
    with pytest.raises(Refused):
        confined(speech(dialect), {key: [{"role": "user", inner: [part]}]})


DATA = "data:image/png;base64,AAAA"
WITHIN: list[tuple[Dialect, dict[str, Any]]] = [
    ("anthropic", {"type": "image", "source": {"type": "base64", "data": "AAAA"}}),
    ("anthropic", {"type": "tool_use", "name": "f", "input": {"source": {"type": "url"}}}),
    ("anthropic", {"type": "text", "text": URL}),
    ("responses", {"type": "input_image", "image_url": DATA}),
    ("responses", {"type": "function_call", "arguments": f'{{"file_url": "{URL}"}}'}),
    ("chat", {"type": "image_url", "image_url": {"url": DATA}}),
    ("gemini", {"functionCall": {"args": {"fileData": {"fileUri": URL}}}}),
    ("gemini", {"functionResponse": {"response": {"fileData": URL}}}),
    ("gemini", {"inlineData": {"data": "AAAA"}}),
]


@pytest.mark.parametrize(("dialect", "part"), WITHIN)
def test_data_and_words_are_not(dialect: Dialect, part: dict[str, Any]) -> None:
    key = {"responses": "input", "gemini": "contents"}.get(dialect, "messages")
    given = {key: [part, {"role": "user", "parts": [part], "content": [part]}]}
    assert confined(speech(dialect), given) == (given, [])


async def test_the_endpoint_sees_none_of_it(tmp_path: Path) -> None:
    host = Host(tmp_path)
    hosted = [{"type": "web_search_20250305", "name": "web_search"}]
    given = body("anthropic")
    asked = given | {"tools": given["tools"] + hosted}
    image = {"type": "image", "source": {"type": "url", "url": URL}}
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        assert (await trial.post(PATHS["anthropic"], asked))[0] == 200
        messages = [{"role": "user", "content": [image]}]
        status, _ = await trial.post(PATHS["anthropic"], given | {"messages": messages})
    assert status == 400
    assert [seen.body for seen in server.asked] == [given]
    assert trial.meter.removed == {"web_search_20250305"}
    assert trial.meter.refused == ["an address to be read by the vendor"]
    first = trial.lines()[0]
    assert (first.request, first.removed) == (asked, ["web_search_20250305"])
