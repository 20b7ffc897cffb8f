"""The server: on TCP loopback or a Unix socket, in a test's own loop or as a process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from aiohttp import web

from tests.lift.model_server import anthropic, chat, gemini, responses
from tests.lift.model_server.script import Fault, Script, Turn, announces
from tests.lift.model_server.shapes import Said, encode, fill, strings
from tests.lift.model_server.tools import concrete

MAX_REQUEST = 64 * 2**20
MAX_HEADER = 64 * 2**10
SECRET = ("authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie")
OUTPUT_TOOL = "final_result"
"""The tool by whose arguments a judge answers."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    dialect: str = ""
    status: int = 200
    answer: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


@dataclass(slots=True)
class ModelServer:
    """`async with ModelServer(script) as server:` and then `server.url`."""

    script: Script
    key: str = ""
    """If set, a request without it is refused with 401."""
    port: int = 0
    unix: Path | None = None
    log: Path | None = None
    """JSON lines of what was asked and answered, without credentials."""
    seen: list[Seen] = field(default_factory=list[Seen])
    url: str = ""
    _counts: Counter[tuple[str, bool]] = field(default_factory=Counter[tuple[str, bool]])
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=MAX_REQUEST)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=0.1, max_field_size=MAX_HEADER
        )
        await self._runner.setup()
        if self.unix:
            site: web.BaseSite = web.UnixSite(self._runner, str(self.unix))
            await site.start()
            self.unix.chmod(0o666)
            return self
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner
        await self._runner.cleanup()

    @property
    def asked(self) -> list[Seen]:
        """The requests for answers alone, without lists of models and counts of tokens."""
        return [one for one in self.seen if one.dialect]

    def _note(self, seen: Seen) -> None:
        self.seen.append(seen)
        if self.log:
            headers = {k: v for k, v in seen.headers.items() if k not in SECRET}
            line = {name: getattr(seen, name) for name in Seen.__slots__} | {"headers": headers}
            with self.log.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line, ensure_ascii=False) + "\n")

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        raw = await request.read()
        body: Any = json.loads(raw) if raw else {}
        module = _dialect(request.method, request.path)
        name = module.__name__.rpartition(".")[2] if module else ""
        text = "\n".join(strings(body))
        seen = Seen(request.method, request.path_qs, headers, body, name)
        if self.key and self.key not in _credentials(headers):
            self._note(_with(seen, status=401))
            return web.json_response({"error": {"message": "The key is wrong"}}, status=401)
        if module is None:
            return self._small(seen, request.path)
        case = self.script.case(text)
        arm = (case.when, announces(text, case.skill))
        self._counts[arm] += 1
        fault = self.script.fault(text, self._counts[arm])
        await asyncio.sleep(self.script.delay)
        if fault and fault.cut is None:
            self._note(_with(seen, status=fault.status))
            return await _fail(fault)
        said = self._say(module, request.path, body, text)
        self._note(_with(seen, answer=said.text, calls=said.calls))
        streams = "streamGenerateContent" in request.path or body.get("stream")
        if fault or streams:
            return await self._stream(request, module, said, body, fault)
        return web.json_response(module.whole(body, said))

    def _small(self, seen: Seen, path: str) -> web.Response:
        counted = len(json.dumps(seen.body)) // 4
        answers = {
            "count_tokens": {"input_tokens": counted},
            "countTokens": {"totalTokens": counted},
            "models": {"object": "list", "data": [{"id": "scripted", "object": "model"}]},
        }
        answer = answers.get(re.split(r"[/:]", path)[-1])
        self._note(_with(seen, status=200 if answer else 404))
        if answer:
            return web.json_response(answer)
        return web.json_response({"error": {"message": "There is no such path"}}, status=404)

    def _say(self, module: ModuleType, path: str, body: Any, text: str) -> Said:
        listed = module.tools(body)
        turn, calls = self._turn(module, body, text, listed)
        counted = (len(json.dumps(body)) // 4, len(turn.text + json.dumps(calls)) // 4, 0)
        named = re.search(r"models/([^/:]+):", path)
        model = named[1] if named else body.get("model", "scripted")
        return Said(turn.text, calls, turn.tokens or counted, model)

    def _turn(
        self, module: ModuleType, body: Any, text: str, listed: list[str]
    ) -> tuple[Turn, tuple[tuple[str, dict[str, Any]], ...]]:
        schema = module.schema(body)
        if self.script.judge and (schema or OUTPUT_TOOL in listed):
            reply = self.script.judge(text)
            if isinstance(reply, str):
                return Turn(reply), ()
            if OUTPUT_TOOL in listed:
                return Turn(), ((OUTPUT_TOOL, reply),)
            return Turn(json.dumps(reply)), ()
        if not listed and not self.script.toolless:
            return Turn(json.dumps(fill(schema)) if schema else self.script.aside), ()
        turns = self.script.case(text).turns(text) or (Turn("Nothing to say."),)
        turn = turns[min(module.turns(body), len(turns) - 1)]
        return turn, tuple(concrete(kind, call, listed) for kind, call in turn.calls)

    async def _stream(
        self, request: web.Request, module: ModuleType, said: Said, body: Any, fault: Fault | None
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for number, event in enumerate(module.events(body, said)):
                if fault and number == fault.cut:
                    assert request.transport
                    request.transport.abort()
                    break
                await response.write(encode(event))
                await asyncio.sleep(self.script.pace)
        return response


def _dialect(method: str, path: str) -> ModuleType | None:
    if method != "POST":
        return None
    if path.endswith("/messages"):
        return anthropic
    if path.endswith("/responses"):
        return responses
    if path.endswith("/chat/completions"):
        return chat
    return gemini if re.search(r":(g|streamG)enerateContent$", path) else None


def _credentials(headers: Mapping[str, str]) -> list[str]:
    found = [headers.get(name, "") for name in SECRET]
    return [value.removeprefix("Bearer ") for value in found]


def _with(seen: Seen, **values: Any) -> Seen:
    return Seen(**{name: getattr(seen, name) for name in Seen.__slots__} | values)


async def _fail(fault: Fault) -> web.Response:
    if fault.hang:
        await asyncio.sleep(3600)
    body = fault.body or {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "It fails, as scripted", "code": 0},
    }
    return web.json_response(body, status=fault.status, headers=fault.headers)
