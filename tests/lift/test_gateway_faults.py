"""What goes wrong between an agent and its model, on either side."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from pathlib import Path

import aiohttp
import pytest

from skillgauge.errors import UserError
from skillgauge.lift.gateway import Budget, Gateway, endpoints_from, trial
from skillgauge.lift.gateway import forward as sending
from skillgauge.lift.gateway import meter as meters
from skillgauge.lift.gateway import server as listening
from skillgauge.lift.gateway.record import Recorder, exchanges
from skillgauge.lift.harnesses import Dialect
from tests.lift.gateway_kit import ALL, KEY, PATHS, SCRIPT, Host, body, streamed
from tests.lift.model_server import Case, Fault, ModelServer, Script, Turn


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def faulty(*faults: Fault, **more: float) -> Script:
    return Script(SCRIPT.cases, faults, **more)


@pytest.mark.parametrize("dialect", ALL)
async def test_errors_pass_with_their_status(host: Host, dialect: Dialect) -> None:
    told = {"error": {"type": "overloaded_error", "message": "Come back later"}}
    script = faulty(Fault(1, status=529, body=told, headers={"retry-after": "2"}))
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        status, said = await trial.ask(dialect)
        assert (status, said) == (529, told)
        assert (await trial.ask(dialect))[0] == 200
    wanted = f"{dialect} endpoint: 529 overloaded_error: Come back later"
    assert trial.meter.faults == [wanted]
    usage = trial.meter.usage()
    assert (usage.requests, usage.prompt_tokens) == (2, 1000)  # an error has no tokens to count
    assert [line.status for line in trial.lines()] == [529, 200]
    assert trial.lines()[0].problem == "overloaded_error: Come back later"


@pytest.mark.parametrize("dialect", ALL)
async def test_a_cut_stream_is_cut_for_the_client_too(host: Host, dialect: Dialect) -> None:
    path, given = streamed(dialect, body(dialect))
    async with ModelServer(faulty(Fault(1, cut=1)), KEY) as server, host.trial(server) as trial:
        async with trial.session.post(f"http://h{path}", json=given) as answer:
            assert answer.status == 200
            with pytest.raises(aiohttp.ClientPayloadError):
                await answer.read()
        await asyncio.sleep(0.05)
        [line] = trial.lines()
        assert trial.meter.usage().prompt_tokens is None
        assert not trial.meter.waiting
    assert (line.status, line.cut) == (200, "endpoint")
    assert "broke off" in line.problem
    assert (line.response or "").count("\n\n") == 1
    assert len(trial.meter.faults) == 1
    assert host.budget.spent > 0  # by the length of what came


async def test_an_answer_that_ends_too_early_is_a_fault(host: Host) -> None:
    """The bytes come to their end in good order, but the last event is missing."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            b'data: {"type":"message_start","message":{"usage":{"input_tokens":5}}}\n\n'
        )
        await writer.drain()
        writer.close()

    async with (
        await asyncio.start_server(serve, "127.0.0.1", 0) as site,
        host.trial(ModelServer(SCRIPT), url=address(site)) as trial,
    ):
        status, _ = await trial.post(*streamed("anthropic", body("anthropic")))
        assert status == 200
    assert trial.meter.faults == ["anthropic endpoint: the answer ended too early"]
    assert trial.lines()[0].cut == "endpoint"
    assert trial.meter.usage().prompt_tokens is None


def address(site: asyncio.Server) -> str:
    return f"http://127.0.0.1:{site.sockets[0].getsockname()[1]}"


async def test_an_error_within_a_stream_is_a_fault(host: Host) -> None:
    said = b'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Oh"}}\n\n'

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
        writer.write(b"Connection: close\r\n\r\n" + said)
        await writer.drain()
        writer.close()

    async with (
        await asyncio.start_server(serve, "127.0.0.1", 0) as site,
        host.trial(ModelServer(SCRIPT), url=address(site)) as trial,
    ):
        _, raw = await trial.post(*streamed("anthropic", body("anthropic")))
    assert raw == said
    assert trial.meter.faults == ["anthropic endpoint: api_error: Oh"]


@pytest.mark.parametrize("dialect", ALL)
async def test_an_endpoint_that_is_down(host: Host, dialect: Dialect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    async with host.trial(ModelServer(SCRIPT), url=url) as trial:
        status, said = await trial.ask(dialect)
    assert status == 502
    assert "can not be reached" in said["error"]["message"]
    assert len(trial.meter.faults) == 1
    assert KEY not in trial.record.read_text(encoding="utf-8")
    assert trial.lines()[0].status == 502


async def test_nobody_follows_where_an_endpoint_leads(host: Host) -> None:
    async with ModelServer(SCRIPT) as elsewhere:
        headers = {"location": f"{elsewhere.url}/v1/messages"}
        script = faulty(Fault(status=307, headers=headers))
        async with ModelServer(script) as server, host.trial(server) as trial:
            status, _ = await trial.ask("anthropic")
    assert status == 502
    assert elsewhere.seen == []
    assert "307" in trial.meter.faults[0]


async def test_a_client_that_goes_away_ends_the_stream(host: Host) -> None:
    script = faulty(pace=0.02)
    path, given = streamed("anthropic", body("anthropic", prompt="long"))
    long = Script((Case("long", with_skill=(Turn("word " * 2000),)),), pace=script.pace)
    async with ModelServer(long, KEY) as server, host.trial(server) as trial:
        async with trial.session.post(f"http://h{path}", json=given) as answer:
            await answer.content.readany()
            answer.close()
        async with asyncio.timeout(5):
            while not trial.lines():
                await asyncio.sleep(0.02)
        [line] = trial.lines()
        assert (line.cut, line.status) == ("client", 200)
        assert "message_start" in (line.response or "")
        assert trial.meter.faults == []  # the endpoint did nothing wrong
        assert (await trial.ask("anthropic"))[0] == 200


async def test_a_trial_that_ends_breaks_off_what_is_under_way(host: Host) -> None:
    script = faulty(Fault(hang=True))
    async with ModelServer(script, KEY) as server:
        async with host.trial(server) as trial:
            asking = asyncio.create_task(trial.ask("responses"))
            async with asyncio.timeout(5):
                while not server.asked:
                    await asyncio.sleep(0.01)
            assert trial.meter.waiting
            begun = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - begun < 1
        with pytest.raises(aiohttp.ClientError):
            await asking
    [line] = trial.lines()
    assert (line.cut, line.kind, line.status) == ("end", "answer", 0)


async def test_waiting_is_not_what_every_agent_does_all_the_time(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = faulty(Fault(2, hang=True))
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        await trial.ask("chat")
        asking = asyncio.create_task(trial.ask("chat"))
        async with asyncio.timeout(5):
            while len(server.asked) < 2:
                await asyncio.sleep(0.01)
        assert not trial.meter.waiting
        monkeypatch.setattr(meters, "QUIET", 0.0)
        assert trial.meter.waiting
        asking.cancel()


async def test_an_endpoint_without_an_answer_in_time(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "QUIET_SECONDS", 0.2)
    async with ModelServer(faulty(Fault(hang=True)), KEY) as server, host.trial(server) as trial:
        status, _ = await trial.ask("gemini")
    assert status == 502
    assert trial.meter.faults == ["gemini endpoint: can not be reached: no answer in time"]


async def test_an_answer_without_end(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MAX_RESPONSE", 1000)
    path, given = streamed("chat", body("chat", prompt="long"))
    script = Script((Case("long", with_skill=(Turn("word " * 2000),)),))
    async with ModelServer(script, KEY) as server, host.trial(server) as trial:
        with pytest.raises(aiohttp.ClientPayloadError):
            await trial.post(path, given)
    assert trial.meter.faults == ["chat endpoint: the answer is too large"]


async def test_requests_without_end(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MAX_REQUESTS", 2)
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as container:
        assert [(await container.ask("chat"))[0] for _ in range(4)] == [200, 200, 400, 400]
        assert len(container.lines()) == 2
    assert len(server.asked) == 2


async def test_connections_without_end(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no HTTP gets no line in a log; one connection too many is closed at once."""
    monkeypatch.setattr(listening, "MAX_CONNECTIONS", 3)
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as container:
        path = str(host.folder / "1.sock")
        opened = [await asyncio.open_unix_connection(path) for _ in range(3)]
        reader, writer = await asyncio.open_unix_connection(path)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        for _, idle in opened:
            idle.write(b"no HTTP at all\r\n\r\n")
            idle.close()
            await idle.wait_closed()
        async with asyncio.timeout(5):
            while (await container.ask("chat"))[0] != 200:
                await asyncio.sleep(0.01)


async def test_a_full_disk_ends_the_trial(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Recorder, *_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Recorder, "write", full)
    statuses: list[int] = []

    async def run(server: ModelServer) -> None:
        async with host.trial(server) as container:
            statuses.extend([(await container.ask("chat"))[0] for _ in range(2)])

    async with ModelServer(SCRIPT, KEY) as server:
        with pytest.raises(OSError, match="No space left"):
            await run(server)
    assert statuses == [200, 400]
    assert len(server.asked) == 1


async def test_a_bug_of_ours_is_an_error_that_harnesses_know(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(trial, "confined", broken)
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as container:
        status, said = await container.ask("anthropic")
    assert (status, said["error"]["type"]) == (500, "api_error")
    assert container.meter.faults == ["the gateway failed: ZeroDivisionError"]
    assert KEY not in caplog.text


async def test_a_line_that_was_not_written_whole_is_left_out(host: Host) -> None:
    async with ModelServer(SCRIPT, KEY) as server, host.trial(server) as container:
        await container.ask("chat")
        await container.ask("chat")
    whole = container.record.read_bytes()
    container.record.write_bytes(whole[:-40])
    assert [one.n for one in exchanges(container.record)] == [1]
    container.record.write_bytes(b'[1]\n{"a":1}\n' + whole.splitlines()[0] + b"\n")
    assert [one.n for one in exchanges(container.record)] == [1]
    with pytest.raises(UserError, match="can't be read"):
        list(exchanges(host.folder / "none.jsonl"))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system has no way around")
async def test_sockets(host: Host) -> None:
    """A long path is no trouble where the system has a way around; a stale socket is taken over."""
    folder = host.folder / ("d" * 90) / ("e" * 90)
    folder.mkdir(parents=True)
    path = folder / "model.sock"
    async with ModelServer(SCRIPT, KEY) as server:
        gateway = Gateway(endpoints_from(host.environ(server.url), ALL), Budget())
        async with gateway.open("t", path, folder / "r.jsonl", ALL):
            assert path.is_socket()
            assert path.stat().st_mode & 0o777 == 0o666
            handle = os.open(folder, os.O_RDONLY)
            connector = aiohttp.UnixConnector(f"/proc/self/fd/{handle}/model.sock")
            async with aiohttp.ClientSession(connector=connector) as session:
                given = json.dumps(body("chat"))
                async with session.post(f"http://h{PATHS['chat']}", data=given) as answer:
                    assert answer.status == 200
            os.close(handle)
        assert not path.exists()
        short = host.folder / "s"
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(short))
        async with gateway.open("t", short, folder / "r.jsonl", ALL):
            assert short.is_socket()
        short.write_text("mine", encoding="utf-8")
        with pytest.raises(UserError, match="in the way"):
            async with gateway.open("t", short, folder / "r.jsonl", ALL):
                pass
        assert short.read_text(encoding="utf-8") == "mine"
