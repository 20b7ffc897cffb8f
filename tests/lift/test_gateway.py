"""The gateway between a client and a scripted model: what goes through, and what is counted."""

from __future__ import annotations

import asyncio
import gzip
import json
import stat
from pathlib import Path

import aiohttp
import pytest

from skillgauge.lift.gateway import Budget, requests
from skillgauge.lift.harnesses import KEY as DUMMY
from skillgauge.lift.harnesses import Dialect
from tests.lift.gateway_kit import ALL, KEY, PATHS, PRICES, SCRIPT, TURNS, Host, body, streamed
from tests.lift.model_server import Case, ModelServer, Script, Turn


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


@pytest.mark.parametrize("dialect", ALL)
async def test_an_answer_goes_through_and_is_counted(host: Host, dialect: Dialect) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        status, _ = await trial.ask(dialect)
        usage = trial.meter.usage()
    assert status == 200
    assert server.asked[0].body == body(dialect)
    assert (usage.requests, usage.prompt_tokens, usage.completion_tokens) == (1, 1000, 100)
    assert (usage.cached_tokens, usage.first_prompt_tokens) == (300, 1000)
    if dialect in PRICES:
        assert usage.cost_usd == pytest.approx(PRICES[dialect])
    assert usage.cost_usd == host.budget.spent > 0
    [line] = trial.lines()
    assert (line.n, line.method, line.dialect, line.kind) == (1, "POST", dialect, "answer")
    assert (line.status, line.cut, line.problem) == (200, "", "")
    assert line.usage == {"prompt": 1000, "completion": 100, "cached": 300, "written": 0}
    assert line.request == body(dialect)


@pytest.mark.parametrize("dialect", ALL)
async def test_a_stream_goes_through_unchanged(host: Host, dialect: Dialect) -> None:
    more = {"stream_options": {"include_usage": True}} if dialect == "chat" else {}
    path, given = streamed(dialect, body(dialect, **more))
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        status, raw = await trial.post(path, given)
        usage = trial.meter.usage()
        [line] = trial.lines()
    assert status == 200
    assert b"Let me look." in raw
    assert line.response == raw.decode()
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (1000, 100, 300)
    assert server.asked[0].body == given
    assert trial.meter.faults == []


async def test_a_stream_is_handed_on_while_it_comes(host: Host) -> None:
    """The first event is with the client long before the last one is sent."""
    path, given = streamed("anthropic", body("anthropic"))
    script = Script(SCRIPT.cases, pace=0.05)
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        async with trial.session.post(f"http://h{path}", json=given) as answer:
            assert answer.content_type == "text/event-stream"
            first = await answer.content.readany()
            until_first = loop.time() - begun
            rest = await answer.read()
            until_last = loop.time() - begun
    assert b"message_start" in first
    assert b"message_stop" in rest
    assert until_last - until_first > 0.2


async def test_the_hosts_key_is_added_and_stays_there(host: Host) -> None:
    """The container's stand-in goes nowhere, and the key into no answer and no record."""
    theirs = {
        "authorization": f"Bearer {DUMMY}",
        "x-api-key": DUMMY,
        "x-goog-api-key": DUMMY,
        "cookie": "a=b",
        "x-http-method-override": "DELETE",
        "openai-organization": "someone-else",
        "x-forwarded-host": "elsewhere",
        "anthropic-version": "2023-06-01",
        "x-stainless-lang": "js",
        "x-codex-turn-metadata": "m" * 40_000,
    }
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        for dialect in ALL:
            assert (await trial.post(PATHS[dialect], body(dialect), theirs))[0] == 200
    kept = {"anthropic-version", "x-stainless-lang", "x-codex-turn-metadata"}
    added = {
        "anthropic": ("x-api-key", KEY),
        "responses": ("authorization", f"Bearer {KEY}"),
        "chat": ("authorization", f"Bearer {KEY}"),
        "gemini": ("x-goog-api-key", KEY),
    }
    for seen in server.asked:
        headers = dict(seen.headers)
        name, value = added[seen.dialect]
        assert headers.pop(name) == value
        assert DUMMY not in str(headers)
        assert not headers.keys() & (theirs.keys() - kept)
        assert headers["host"] == server.url.removeprefix("http://")
        assert headers["x-stainless-lang"] == "js"
    assert KEY not in trial.record.read_text(encoding="utf-8")
    assert stat.S_IMODE(trial.record.stat().st_mode) == 0o600


async def test_an_error_that_names_the_key_does_not_bring_it_in(host: Host) -> None:
    from tests.lift.model_server import Fault

    told = {"error": {"message": f"The key {KEY} has no credit", "type": "billing"}}
    script = Script(SCRIPT.cases, (Fault(status=402, body=told, headers={"retry-after": "7"}),))
    async with ModelServer(script) as server, host.trial(server) as trial:
        url = f"http://h{PATHS['chat']}"
        async with trial.session.post(url, json=body("chat")) as answer:
            said = await answer.json()
            assert (answer.status, answer.headers["retry-after"]) == (402, "7")
    assert said["error"]["message"] == "The key [redacted] has no credit"
    assert trial.meter.faults == ["chat endpoint: 402 billing: The key [redacted] has no credit"]
    assert KEY not in trial.record.read_text(encoding="utf-8")


async def test_what_a_skill_says_in_secrets_is_not_recorded(host: Host) -> None:
    token = "ghp_" + "a1B2" * 9
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        await trial.ask("chat", prompt=f"Use {token}")
    assert token in server.asked[0].body["messages"][0]["content"]
    assert token not in trial.record.read_text(encoding="utf-8")


REFUSED = (
    ("GET", "/v1/responses"),  # a WebSocket is asked for so
    ("GET", "/v1/files"),
    ("POST", "/v1/files"),
    ("DELETE", "/v1/models/gpt-5"),
    ("POST", "/v1/messages/batches"),
    ("POST", "/v1/messages/../files"),
    ("POST", "/v1/models/x%2F..%2F..%2Ffiles:generateContent"),
    ("POST", "/v1beta/models/m:batchGenerateContent"),
    ("POST", "/v1beta/models/m:generateContent/more"),
    ("POST", "/v1beta/cachedContents"),
    ("POST", "/s/x/v1/messages"),
    ("CONNECT", "/v1/messages"),
    ("GET", "/"),
    ("GET", "/" + "a" * 2000),
)


@pytest.mark.parametrize(("method", "path"), REFUSED)
async def test_all_else_is_refused(host: Host, method: str, path: str) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        url = aiohttp.client.URL(f"http://h{path}", encoded=True)
        async with trial.session.request(method, url) as answer:
            assert answer.status == 404
    assert server.seen == []
    assert len(trial.meter.refused) == 1
    assert len(trial.meter.refused[0]) < 400
    [line] = trial.lines()
    assert (line.status, line.kind) == (404, "")
    assert trial.meter.usage().requests == 0


async def test_a_request_for_another_host_reaches_the_trials_own(host: Host) -> None:
    """A request line may name a host, as it does for a proxy: nobody reads it."""
    given = json.dumps(body("chat")).encode()
    head = (
        "POST http://elsewhere.example/v1/chat/completions HTTP/1.1\r\nHost: elsewhere.example\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(given)}\r\n\r\n"
    )
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        socket = str(host.folder / "1.sock")
        reader, writer = await asyncio.open_unix_connection(socket)
        writer.write(head.encode() + given)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()
        await writer.wait_closed()
        assert trial.meter.usage().requests == 1
    assert server.asked[0].headers["host"] == server.url.removeprefix("http://")


async def test_a_trial_has_its_own_dialects_alone(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server, ("anthropic",)) as trial:
        assert (await trial.ask("anthropic"))[0] == 200
        assert (await trial.ask("chat"))[0] == 404
        assert (await trial.ask("gemini"))[0] == 404
    assert [seen.dialect for seen in server.asked] == ["anthropic"]


async def test_lists_of_models_and_counts_of_tokens_are_no_answers(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        status, raw = await trial.post("/v1/messages/count_tokens?beta=true", body("anthropic"))
        assert (status, json.loads(raw)["input_tokens"] > 0) == (200, True)
        path = "/v1beta/models/gemini-2.5-pro:countTokens?key=stolen"
        assert (await trial.post(path, body("gemini")))[0] == 200
        async with trial.session.get("http://h/v1/models") as answer:
            assert (await answer.json())["data"][0]["id"] == "scripted"
        async with trial.session.head("http://h/") as answer:
            assert answer.status == 200
    assert [seen.path for seen in server.seen] == [
        "/v1/messages/count_tokens?beta=true",
        "/v1beta/models/gemini-2.5-pro:countTokens",
        "/v1/models",
    ]
    assert trial.meter.usage().requests == 0
    assert [line.kind for line in trial.lines()] == ["count", "count", "models"]
    assert trial.meter.refused == []


async def test_a_chat_stream_tells_its_usage_to_us_alone(host: Host) -> None:
    """A client that asked for no usage would trip over a chunk without choices."""
    path, given = streamed("chat", body("chat"))
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        _, raw = await trial.post(path, given)
    assert server.asked[0].body == given | {"stream_options": {"include_usage": True}}
    assert b'"usage"' not in raw
    assert raw.rstrip().endswith(b"data: [DONE]")
    assert trial.meter.usage().prompt_tokens == 1000
    [line] = trial.lines()
    assert line.request == given
    assert '"usage"' in (line.response or "")


async def test_the_budget_is_one_for_all_trials(host: Host) -> None:
    """What is under way is paid for; the next request is refused, and not to be tried again."""
    host.budget = Budget(max_cost=1.5 * PRICES["anthropic"])
    async with ModelServer(SCRIPT, KEY) as server:
        async with host.trial(server) as first:
            assert (await first.ask("anthropic"))[0] == 200
            assert not host.budget.is_spent
            assert not first.meter.over_budget
        async with host.trial(server) as second:
            assert (await second.ask("anthropic"))[0] == 200
            assert host.budget.is_spent
            assert not second.meter.over_budget
            status, said = await second.ask("anthropic")
            assert second.meter.over_budget
            status_of_gemini, gemini = await second.ask("gemini")
            assert (await second.post("/v1/messages/count_tokens", {}))[0] == 200
    assert (status, said["type"], said["error"]["type"]) == (400, "error", "invalid_request_error")
    assert "budget" in said["error"]["message"]
    assert (status_of_gemini, gemini["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert len(server.asked) == 2
    assert host.budget.spent == pytest.approx(2 * PRICES["anthropic"])


async def test_a_limit_admits_no_model_without_a_price(host: Host) -> None:
    host.budget = Budget(max_cost=1)
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        status, said = await trial.ask("chat", model="my-own-model")
    assert status == 400
    assert "no price" in said["error"]["message"]
    assert server.asked == []
    assert len(trial.meter.refused) == 1


async def test_an_unknown_price_is_unknown_not_zero(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        await trial.ask("chat", model="my-own-model")
        await trial.ask("chat")
    usage = trial.meter.usage()
    assert (usage.prompt_tokens, usage.cost_usd) == (2000, None)
    assert host.budget.spent == pytest.approx(PRICES["chat"])


async def test_first_prompt_is_that_of_the_first_request_with_tools(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        assert trial.meter.usage().first_prompt_tokens is None
        given = body("chat")
        del given["tools"]
        await trial.post(PATHS["chat"], given)
        assert trial.meter.usage().first_prompt_tokens is None
        await trial.ask("chat")
        given = body("chat")
        given["messages"] += [{"role": "assistant", "tool_calls": [{"id": "c"}]}]
        await trial.post(PATHS["chat"], given)
    assert trial.meter.usage().first_prompt_tokens == 1000


async def test_large_and_packed_requests(host: Host) -> None:
    text = "wörd " * 400_000
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        assert (await trial.ask("anthropic", prompt=text))[0] == 200
        packed = gzip.compress(json.dumps(body("chat")).encode())
        headers = {"content-encoding": "gzip", "content-type": "application/json"}
        async with trial.session.post(
            f"http://h{PATHS['chat']}", data=packed, headers=headers
        ) as answer:
            assert answer.status == 200
        too_large = "x" * (33 * 2**20)
        status, said = await trial.ask("anthropic", prompt=too_large)
    assert (status, said["error"]["type"]) == (413, "request_too_large")
    assert server.asked[0].body["messages"][0]["content"] == text
    assert server.asked[1].body == body("chat")
    assert "content-encoding" not in server.asked[1].headers
    first = trial.lines()[0]
    assert first.request["messages"][0]["content"] == text


async def test_large_answers(host: Host) -> None:
    text = "An answer of some length. " * 4_000
    script = Script((Case(with_skill=(Turn(text, tokens=(9, 9, 0)),)),))
    path, given = streamed("responses", body("responses"))
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        _, raw = await trial.post(path, given)
        [line] = trial.lines()
    assert len(raw) > 400_000
    assert line.response == raw.decode()
    assert trial.meter.usage().completion_tokens == 9


async def test_what_is_no_json_is_refused(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        deep = b'{"messages":' + b"[" * 100_000
        for raw in (b"", b"{", b"[1]", b"\xff\xfe", deep, b'{"a":' * 700 + b"1" + b"}" * 700):
            async with trial.session.post(f"http://h{PATHS['chat']}", data=raw) as answer:
                said = await answer.json()
                assert answer.status in (200, 400, 500), raw[:20]
                assert said.get("error") or said.get("choices")
        packed = {"content-encoding": "gzip"}
        async with trial.session.post(
            f"http://h{PATHS['chat']}", data=b"none", headers=packed
        ) as answer:
            assert answer.status == 400
    assert all("no JSON" in line.problem for line in trial.lines()[:5])


async def test_requests_gives_the_texts(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as trial:
        await trial.ask("chat", prompt="One\n“two”")
        await trial.post("/v1/messages/count_tokens", body("anthropic"))
        assert len(list(requests(trial.record))) == 1
    [text] = requests(trial.record)
    assert "One\n“two”" in text.split("\n\n")[0]
    assert "bash" in text.splitlines()


async def test_many_at_once(host: Host) -> None:
    script = Script(SCRIPT.cases, delay=0.05)
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(trial.ask("chat")) for _ in range(20)]
        assert {task.result()[0] for task in tasks} == {200}
    assert trial.meter.usage().requests == 20
    assert sorted(line.n for line in trial.lines()) == list(range(1, 21))
    assert trial.meter.usage().prompt_tokens == 20 * (TURNS[0].tokens or (0,))[0]
