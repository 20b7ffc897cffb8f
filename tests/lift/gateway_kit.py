"""A trial's end of the gateway, and a scripted model at the other."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from skillgauge.lift.gateway import (
    Budget,
    Exchange,
    Gateway,
    Meter,
    endpoints_from,
    exchanges,
)
from skillgauge.lift.harnesses import Dialect
from tests.lift.model_server import Case, ModelServer, Script, Turn

KEY = "sk-test-THE-HOSTS-OWN-KEY"
ALL: tuple[Dialect, ...] = ("anthropic", "responses", "chat", "gemini")
PATHS: dict[Dialect, str] = {
    "anthropic": "/v1/messages?beta=true",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/gemini-2.5-pro:generateContent",
}
MODELS: dict[Dialect, str] = {
    "anthropic": "claude-sonnet-4-5",
    "responses": "gpt-5",
    "chat": "gpt-5",
    "gemini": "gemini-2.5-pro",
}
PRICES: dict[Dialect, float] = {
    # 1000 tokens in, 300 of them from the cache; 100 out; US dollars a million, June 2025 to now
    "anthropic": (700 * 3 + 300 * 0.3 + 100 * 15) / 1e6,
    "responses": (700 * 1.25 + 300 * 0.125 + 100 * 10) / 1e6,
    "chat": (700 * 1.25 + 300 * 0.125 + 100 * 10) / 1e6,
}
TURNS = (
    Turn("Let me look.", (("shell", {"command": "ls"}),), (1000, 100, 300)),
    Turn("It is “done”: 3 files ✓", tokens=(1000, 100, 300)),
)
SCRIPT = Script((Case(with_skill=TURNS),))


def body(dialect: Dialect, prompt: str = "Count the files", **more: Any) -> dict[str, Any]:
    """Return the first request of a conversation."""
    user = {"role": "user", "content": prompt}
    function = {"name": "bash", "parameters": {"type": "object"}}
    found: dict[Dialect, dict[str, Any]] = {
        "anthropic": {
            "messages": [user],
            "max_tokens": 99,
            "tools": [{"name": "bash", "input_schema": {"type": "object"}}],
        },
        "responses": {"input": [user], "tools": [{"type": "function", **function}]},
        "chat": {"messages": [user], "tools": [{"type": "function", "function": function}]},
        "gemini": {
            "contents": [{"role": "user", "parts": [{"text": prompt}]}],
            "tools": [{"functionDeclarations": [function]}],
        },
    }
    model = {} if dialect == "gemini" else {"model": MODELS[dialect]}
    return model | found[dialect] | more


def streamed(dialect: Dialect, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return where and how a stream is asked for."""
    if dialect == "gemini":
        return "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse", given
    return PATHS[dialect], given | {"stream": True}


@dataclass
class Container:
    """What a harness sees: an address, and a socket behind it."""

    meter: Meter
    session: aiohttp.ClientSession
    record: Path
    server: ModelServer

    async def post(
        self, path: str, given: object, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Return the status and all bytes of an answer."""
        url = f"http://127.0.0.1:18080{path}"
        data = io.BytesIO(json.dumps(given).encode())
        headers = {"content-type": "application/json"} | (headers or {})
        async with self.session.post(url, data=data, headers=headers) as answer:
            return answer.status, await answer.read()

    async def ask(self, dialect: Dialect, **more: Any) -> tuple[int, Any]:
        """Return the status and the value of an answer that doesn't stream."""
        status, raw = await self.post(PATHS[dialect], body(dialect, **more))
        return status, json.loads(raw)

    def lines(self) -> list[Exchange]:
        """Return what is recorded by now."""
        return list(exchanges(self.record))


@dataclass
class Host:
    """The host: its environment, its budget, its folder."""

    folder: Path
    budget: Budget = field(default_factory=Budget)
    count: int = 0

    def environ(self, url: str, key: str = KEY) -> dict[str, str]:
        """Return the environment of a worker."""
        return {
            "ANTHROPIC_API_KEY": key,
            "ANTHROPIC_BASE_URL": url,
            "OPENAI_API_KEY": key,
            "OPENAI_BASE_URL": f"{url}/v1",
            "GEMINI_API_KEY": key,
            "GOOGLE_GEMINI_BASE_URL": url,
        }

    @contextlib.asynccontextmanager
    async def trial(
        self,
        server: ModelServer,
        dialects: tuple[Dialect, ...] = ALL,
        *,
        replay: Path | None = None,
        url: str = "",
    ) -> AsyncGenerator[Container]:
        """Open the gateway for one trial."""
        self.count += 1
        environ = self.environ(url or server.url)
        gateway = Gateway({} if replay else endpoints_from(environ, ALL), self.budget)
        socket = self.folder / f"{self.count}.sock"
        record = self.folder / f"{self.count}.jsonl"
        async with gateway.open("t", socket, record, dialects, replay) as meter:
            connector = aiohttp.UnixConnector(str(socket))
            async with aiohttp.ClientSession(connector=connector) as session:
                yield Container(meter, session, record, server)
        assert not socket.exists()
