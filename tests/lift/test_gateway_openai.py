"""What OpenAI's own endpoint needs of clients that are made for any endpoint with its API."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillgauge.lift.gateway import Endpoint
from skillgauge.lift.gateway.dialects.chat import for_openai
from tests.lift.gateway_kit import KEY, PATHS, SCRIPT, Host, body
from tests.lift.model_server import ModelServer


def test_a_limit_gets_the_name_of_today() -> None:
    assert for_openai({"model": "m", "max_tokens": 9}) == {"model": "m", "max_completion_tokens": 9}
    for kept in (
        {"model": "m"},
        {"max_tokens": None},
        {"max_tokens": 9, "max_completion_tokens": 8},
    ):
        assert for_openai(dict(kept)) == kept


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://api.openai.com/v1", True),
        ("https://api.openai.com.example.org/v1", False),
        ("http://127.0.0.1:8000/v1", False),
    ],
)
def test_which_endpoint_that_is(url: str, wanted: bool) -> None:
    assert Endpoint("chat", url).is_openai is wanted


@pytest.mark.parametrize("is_openai", [True, False])
async def test_only_openai_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_openai: bool
) -> None:
    monkeypatch.setattr(Endpoint, "is_openai", is_openai)
    given = body("chat", max_tokens=99)
    async with ModelServer(SCRIPT, KEY) as server, Host(tmp_path).trial(server) as trial:
        status, _ = await trial.post(PATHS["chat"], given)
        [line] = trial.lines()
    assert status == 200
    asked = server.asked[0].body
    assert asked.get("max_completion_tokens" if is_openai else "max_tokens") == 99
    assert ("max_tokens" in asked) is not is_openai
    assert line.request == given  # a recording fits the client, whatever endpoint answered
