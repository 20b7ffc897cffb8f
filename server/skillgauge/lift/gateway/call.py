"""One request while it is being answered."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from aiohttp import web

from skillgauge.lift.gateway.dialects import Speech
from skillgauge.lift.gateway.policy import Target
from skillgauge.lift.gateway.record import Exchange


class Refusal(Exception):
    """A request that goes no further: the status and message for the agent, a note for the user."""

    def __init__(self, status: int, message: str, note: str = "") -> None:
        super().__init__(message)
        self.status, self.note = status, note


@dataclass(slots=True)
class Call:
    """A request, and what came back until now."""

    request: web.Request
    exchange: Exchange
    raw: bytearray = field(default_factory=bytearray)
    """What the endpoint sent."""
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    sent: bytes = b""
    model: str = ""
    target: Target = field(init=False)
    """Set, as what follows, when it is known to be one that may be asked."""
    speech: Speech = field(init=False)
    response: web.StreamResponse | None = None
    """What went to the client, if anything did."""

    @property
    def is_answer(self) -> bool:
        """Whether a model is to answer."""
        return self.exchange.kind == "answer"

    @property
    def streams(self) -> bool:
        """Whether the answer comes as events."""
        return self.body.get("stream") is True or ":stream" in self.target.tail

    @property
    def hides_usage(self) -> bool:
        """Whether the usage has to be asked for, and kept from a client that didn't ask."""
        options = self.body.get("stream_options")
        asked = isinstance(options, dict) and cast("dict[str, Any]", options).get("include_usage")
        return self.target.dialect == "chat" and self.is_answer and self.streams and not asked

    @property
    def offers_tools(self) -> bool:
        """Whether the model may call tools."""
        return self.speech.offers_tools(self.body)

    def fail(self, status: int, message: str) -> web.Response:
        """Return an error as the harness knows it, and note it."""
        failure = (
            self.speech.failure(status, message)
            if self.exchange.dialect
            else {"error": {"message": message}}
        )
        self.raw[:] = json.dumps(failure, ensure_ascii=False).encode("utf-8", "replace")
        self.exchange.status, self.exchange.problem = status, message
        self.exchange.content_type = "application/json"
        return web.Response(body=bytes(self.raw), status=status, content_type="application/json")

    def break_off(self) -> None:
        """End the connection in the middle, so that the client sees that something is missing."""
        if self.request.transport:
            self.request.transport.close()
