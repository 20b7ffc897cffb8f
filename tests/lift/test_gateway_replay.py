"""A recorded trial, answered again without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from skillgauge.lift.gateway import Gateway
from skillgauge.lift.gateway.record import Exchange
from skillgauge.lift.gateway.replay import Replayer, print_of
from skillgauge.lift.harnesses import Dialect
from tests.lift.gateway_kit import ALL, KEY, PATHS, SCRIPT, Container, Host, body, streamed
from tests.lift.model_server import Case, Fault, ModelServer, Script


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def further(dialect: Dialect, output: str) -> dict[str, Any]:
    """Return the second request, with what a tool gave back."""
    given = body(dialect)
    if dialect == "anthropic":
        call = {"type": "tool_use", "id": "toolu_01", "name": "bash", "input": {"command": "ls"}}
        result = {"type": "tool_result", "tool_use_id": "toolu_01", "content": output}
        given["messages"] += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]
    elif dialect == "responses":
        given["input"] += [
            {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": output},
        ]
    elif dialect == "chat":
        function = {"name": "bash", "arguments": "{}"}
        given["messages"] += [
            {"role": "assistant", "tool_calls": [{"id": "c", "function": function}]},
            {"role": "tool", "tool_call_id": "c", "content": output},
        ]
    else:
        given["contents"] += [
            {"role": "model", "parts": [{"functionCall": {"name": "bash", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"response": {"o": output}}}]},
        ]
    return given


async def run(trial: Container, output: str = "3 files") -> list[tuple[int, bytes]]:
    """Do what four harnesses would do, streaming and not."""
    said: list[tuple[int, bytes]] = []
    for dialect in ALL:
        said.append(await trial.post(*streamed(dialect, body(dialect))))
        said.append(await trial.post(PATHS[dialect], further(dialect, output)))
    said.append(await trial.post("/v1/messages/count_tokens", body("anthropic")))
    return said


async def test_a_replay_gives_the_same_bytes_and_counts(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server:
        async with host.trial(server) as live:
            first = await run(live)
        spent, asked = host.budget.spent, len(server.seen)
        async with host.trial(server, replay=live.record) as again:
            second = await run(again)
    assert first == second
    assert len(server.seen) == asked
    assert host.budget.spent == spent
    assert again.meter.usage() == live.meter.usage()
    assert (again.meter.diverged, again.meter.strayed, again.meter.faults) == ("", 0, [])
    kept = [(one.kind, one.status, one.usage, one.response) for one in live.lines()]
    assert kept == [(one.kind, one.status, one.usage, one.response) for one in again.lines()]


async def test_a_replay_needs_no_endpoint_and_no_order(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as live:
        first = await live.ask("chat", prompt="Count the files")
        await live.ask("chat", prompt="Give it a title")
        second = await live.post(PATHS["chat"], further("chat", "3 files"))
    async with host.trial(ModelServer(SCRIPT), (), replay=live.record) as again:
        assert await again.post(PATHS["chat"], further("chat", "3 files")) == second
        await again.ask("chat", prompt="Give it a title")
        assert await again.ask("chat", prompt="Count the files") == first
        assert again.meter.diverged == ""
        assert Gateway({}, host.budget).secrets == ()


@pytest.mark.parametrize("dialect", ALL)
async def test_what_varies_from_run_to_run_is_no_divergence(host: Host, dialect: Dialect) -> None:
    before = "Wed Nov 30 19:41:07 /tmp/tmpab12/x, 0.31 s, 72ddd213-5af7-4415-840d-6117263ab60b"
    after = "Tue Dec 1 2:05:59 /tmp/tmpzz9/x, 12.5 s, 80ed7b89-9ab3-4fe9-89c1-142a1bfb3301"
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as live:
        await live.post(PATHS[dialect], further(dialect, before))
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        status, _ = await again.post(PATHS[dialect], further(dialect, after))
    assert (status, again.meter.diverged, again.meter.strayed) == (200, "", 0)


@pytest.mark.parametrize("dialect", ALL)
async def test_other_words_in_the_same_turns_are_counted(host: Host, dialect: Dialect) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as live:
        await live.post(PATHS[dialect], further(dialect, "three files"))
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        status, _ = await again.post(PATHS[dialect], further(dialect, "no such folder"))
    assert (status, again.meter.diverged, again.meter.strayed) == (200, "", 1)


@pytest.mark.parametrize("dialect", ALL)
async def test_other_turns_are_a_divergence(host: Host, dialect: Dialect) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as live:
        await live.ask(dialect)
        await live.ask(dialect)
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        status, _ = await again.post(PATHS[dialect], further(dialect, "3"))
    assert status == 200
    assert again.meter.diverged == "request 1 is of another conversation than the recorded one"


async def test_a_record_that_is_used_up(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as live:
        await live.ask("anthropic")
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        assert (await again.ask("anthropic"))[0] == 200
        status, said = await again.ask("anthropic")
        assert (await again.post("/v1/messages/count_tokens", {}))[0] == 404
    assert (status, said["error"]["type"]) == (400, "invalid_request_error")
    assert again.meter.diverged == "request 2 has no answer in the recording, which holds 1"
    assert again.meter.usage().requests == 1


async def test_failures_that_were_asked_again_are_left_out(host: Host) -> None:
    faults = (Fault(1, status=529), Fault(2, cut=1))
    script = Script(SCRIPT.cases, faults)
    async with ModelServer(script, KEY) as server, host.trial(server) as live:
        assert (await live.ask("anthropic"))[0] == 529
        with pytest.raises(aiohttp.ClientPayloadError):
            await live.post(PATHS["anthropic"], body("anthropic"))
        good = await live.ask("anthropic")
    assert [line.cut for line in live.lines()] == ["", "endpoint", ""]
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        assert await again.ask("anthropic") == good
        assert (await again.ask("anthropic"))[0] == 400
    assert again.meter.faults == []


async def test_a_failure_that_ended_the_trial_comes_again(host: Host) -> None:
    script = Script((Case(with_skill=SCRIPT.cases[0].with_skill),), (Fault(cut=1), Fault(3)))
    async with ModelServer(script, KEY) as server, host.trial(server) as live:
        with pytest.raises(aiohttp.ClientPayloadError):
            await live.post(*streamed("anthropic", body("anthropic")))
    async with host.trial(ModelServer(SCRIPT), replay=live.record) as again:
        with pytest.raises(aiohttp.ClientPayloadError):
            await again.post(*streamed("anthropic", body("anthropic")))
    assert len(again.meter.faults) == 1
    assert "as recorded" in again.meter.faults[0]
    assert again.lines()[0].response == live.lines()[0].response


def test_only_what_varies_is_left_out_of_a_print() -> None:
    def words(text: str) -> str:
        return print_of({"messages": [{"role": "user", "content": text}]}).words

    assert words("it took 3 s") == words("it took 14 s")
    assert words("call_9aBcDeFgHiJk") == words("call_1zYxWvUtSrQp")
    assert words("commit 0a1b2c3d4e") == words("commit ffe91234aa")
    assert words("yes") != words("no")
    assert words("read /workspace/a.txt") != words("read /workspace/b.txt")
    assert print_of([]) == print_of({}) == print_of(None)


def test_exchanges_without_an_answer_are_not_used() -> None:
    line = {"n": 1, "at": "", "method": "POST", "path": "/", "dialect": "chat", "kind": "answer"}
    hung = Exchange(**line, request={}, cut="end")
    whole = Exchange(**line, request={}, status=200, response=json.dumps({}))
    replayer = Replayer([hung, whole])
    assert replayer.held("chat", "answer") == 1
    found = replayer.find("chat", "answer", {})
    assert found
    assert found.exchange is whole
    assert replayer.find("chat", "answer", {}) is None
