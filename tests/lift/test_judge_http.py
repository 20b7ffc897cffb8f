"""The judge over HTTP, against a scripted model server: three providers, and what goes wrong."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from skillgauge.lift.judge import Judge
from skillgauge.lift.prices import Price
from skillgauge.lift.results import Judged
from tests.lift.judging import CASE, GOOD, NAMES, ran, verdicts
from tests.lift.model_server import Fault, ModelServer, Script

KEY = "a-key-for-the-scripted-server"
PROVIDERS = ("anthropic", "openai", "local")


def environ(provider: str, url: str, key: str = KEY) -> dict[str, str]:
    names = {
        "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", url),
        "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", f"{url}/v1"),
        "local": ("SKILLGAUGE_JUDGE_API_KEY", "SKILLGAUGE_JUDGE_BASE_URL", f"{url}/v1"),
    }
    key_name, url_name, address = names[provider]
    return {key_name: key, url_name: address}


def says(passed: bool = True) -> Callable[[str], Any]:
    return lambda text: verdicts(NAMES.findall(text)[-1].split(", "), passed)


@asynccontextmanager
async def served(
    provider: str, script: Script, key: str = KEY, **options: Any
) -> AsyncIterator[tuple[ModelServer, Judge]]:
    async with ModelServer(script, key=KEY) as server:
        judge = Judge(f"{provider}:scripted", environ(provider, server.url, key), **options)
        try:
            yield server, judge
        finally:
            await judge.close()


async def goal(judge: Judge) -> Judged:
    return (await judge.judge(CASE, GOOD, ran(), ["goal_accuracy"]))["goal_accuracy"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_verdicts(provider: str) -> None:
    async with served(provider, Script(judge=says())) as (server, judge):
        told = await judge.judge(CASE, GOOD, ran())
    assert {metric: len(one.judgement.verdicts) for metric, one in told.items()} == {
        "accuracy": 5,
        "goal_accuracy": 1,
        "behavior_check": 2,
    }
    for one in told.values():
        assert one.judgement.failure == ""
        assert {(v.passed, v.quote) for v in one.judgement.verdicts} == {(True, "revenue growth")}
        assert one.model == f"{provider}:scripted"
        assert one.cost_usd is None  # nobody has a price for it
    assert len(server.asked) == 3
    assert {seen.dialect for seen in server.asked} == {
        "anthropic" if provider == "anthropic" else "chat"
    }
    for seen in server.asked:
        assert '"required": ["id", "quote", "reason", "passed"]' in json.dumps(seen.body)
        assert seen.body["temperature"] == 0
        assert not seen.body.get("stream")
        assert KEY not in json.dumps(seen.body)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_cost(provider: str) -> None:
    """By the user's own price; for a local model there is none, whatever its name."""
    own = {"scripted": Price(1_000.0, 2_000.0)}
    replies = iter(["nonsense", says()])

    def reply(text: str) -> Any:
        found = next(replies)
        return found if isinstance(found, str) else found(text)

    async with served(provider, Script(judge=reply), prices=own) as (server, judge):
        told = await goal(judge)
    assert told.cost_usd is not None
    given, answered = 0, 0
    for seen in server.asked:
        given += len(json.dumps(seen.body)) // 4
        answered += len(seen.answer + json.dumps(seen.calls)) // 4
    assert told.cost_usd == pytest.approx(given / 1_000 + answered / 500, rel=0.01)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("judge", "is_known"),
    [("openai:gpt-4o-mini", True), ("openai:nobody-s", False), ("local:gpt-4o-mini", False)],
)
async def test_cost_by_the_table(judge: str, is_known: bool) -> None:
    provider = judge.partition(":")[0]
    async with ModelServer(Script(judge=says())) as server:
        asked = Judge(judge, environ(provider, server.url))
        told = await goal(asked)
        await asked.close()
    assert (told.cost_usd is not None) == is_known
    assert not is_known or 0 < (told.cost_usd or 0) < 0.01


async def test_local_server_needs_no_key() -> None:
    async with ModelServer(Script(judge=says(False))) as server:
        judge = Judge("local:m", {"SKILLGAUGE_JUDGE_BASE_URL": f"{server.url}/v1"})
        told = await goal(judge)
        await judge.close()
    assert [v.passed for v in told.judgement.verdicts] == [False]
    (seen,) = server.asked
    assert seen.body["response_format"]["type"] == "json_schema"
    assert "tools" not in seen.body


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Well, I think that all of it is fine.", "it has not the form|Invalid JSON"),
        ('{"verdicts": [{"id": "ACHIEVED", "passed": tr', "it has not the form|Invalid JSON"),
        ({"verdicts": []}, "it has no verdict for ACHIEVED"),
        ({"verdicts": "yes"}, "verdicts: Input should be a valid"),
    ],
)
async def test_nonsense(provider: str, reply: Any, told: str) -> None:
    async with served(provider, Script(judge=lambda _: reply)) as (server, judge):
        found = await goal(judge)
    assert found.judgement.verdicts == ()
    assert re.match(f"its reply could not be used, 2 times: ({told})", found.judgement.failure), (
        found.judgement.failure
    )
    assert len(server.asked) == 2
    assert "Your last reply could not be used" not in json.dumps(server.asked[0].body)
    assert "Your last reply could not be used" in json.dumps(server.asked[1].body)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nonsense_once(provider: str) -> None:
    def reply(text: str) -> Any:
        return says()(text) if "could not be used" in text else "No."

    async with served(provider, Script(judge=reply)) as (server, judge):
        told = await goal(judge)
    assert [v.passed for v in told.judgement.verdicts] == [True]
    assert len(server.asked) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("fault", "requests", "failure"),
    [
        (Fault(status=500, body={"error": {"message": "out of order"}}), 2, "HTTP 500: "),
        (Fault(status=529, body={"error": {"message": "overloaded"}}), 2, "HTTP 529: "),
        (Fault(status=400, body={"error": {"message": "no such model"}}), 1, "HTTP 400: "),
        (Fault(status=200, body="<html>a proxy's page</html>"), 1, ""),
        (Fault(cut=1), 2, ""),
    ],
)
async def test_broken_endpoint(provider: str, fault: Fault, requests: int, failure: str) -> None:
    script = Script(judge=says(), faults=(fault,))
    async with served(provider, script, retries=1, seconds=20) as (server, judge):
        told = await goal(judge)
    assert told.judgement.verdicts == ()
    assert told.judgement.failure.startswith(failure)
    assert told.judgement.failure
    assert "\n" not in told.judgement.failure
    if failure:
        assert str(fault.body["error"]["message"]) in told.judgement.failure
        assert len(server.seen) == requests


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_one_bad_answer_is_sent_for_again(provider: str) -> None:
    script = Script(judge=says(), faults=(Fault(nth=1, status=500),))
    async with served(provider, script) as (server, judge):
        told = await goal(judge)
    assert [v.passed for v in told.judgement.verdicts] == [True]
    assert [seen.status for seen in server.seen] == [500, 200]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_wrong_key(provider: str) -> None:
    async with served(provider, Script(judge=says()), key="another-one") as (_, judge):
        told = await goal(judge)
    assert told.judgement.failure == "HTTP 401: The key is wrong"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_no_answer_in_time(provider: str) -> None:
    script = Script(judge=says(), faults=(Fault(hang=True),))
    async with served(provider, script, seconds=0.6) as (_, judge):
        began = time.monotonic()
        told = await goal(judge)
    assert told.judgement.failure == "no answer within 0.6 s"
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nobody_listens(provider: str) -> None:
    async with ModelServer(Script()) as server:
        url = server.url
    judge = Judge(f"{provider}:m", environ(provider, url), retries=0)
    told = await goal(judge)
    await judge.close()
    assert told.judgement.verdicts == ()
    assert f"({url.removeprefix('http://')}): " in told.judgement.failure
    assert KEY not in told.judgement.failure
