"""What one trial asks and gets: checked, sent on or replayed, counted and recorded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

import aiohttp
from aiohttp import web

from skillgauge.lift.gateway import forward
from skillgauge.lift.gateway.budget import Budget
from skillgauge.lift.gateway.call import Call, Refusal
from skillgauge.lift.gateway.confine import confined
from skillgauge.lift.gateway.dialects import Refused, speech
from skillgauge.lift.gateway.endpoints import Endpoint
from skillgauge.lift.gateway.meter import Meter
from skillgauge.lift.gateway.policy import target_of
from skillgauge.lift.gateway.record import MAX_BODY, Exchange, Recorder
from skillgauge.lift.gateway.replay import Replayer
from skillgauge.lift.gateway.replayed import replayed
from skillgauge.lift.harnesses import Dialect

log = logging.getLogger(__name__)

MAX_REQUEST: Final = 32 * 2**20
MAX_REQUESTS: Final = 2000
"""Of one trial, of any kind."""
MAX_PARALLEL: Final = 8
"""So many requests of a trial are under way at once: a budget can be overrun by these alone."""


class TrialGateway:
    """The gateway of one trial."""

    def __init__(
        self,
        endpoints: Mapping[Dialect, Endpoint],
        budget: Budget,
        secrets: tuple[str, ...],
        recorder: Recorder,
        dialects: frozenset[Dialect],
        replayer: Replayer | None,
    ) -> None:
        self.meter = Meter()
        self._endpoints, self._budget, self._secrets = endpoints, budget, secrets
        self._recorder, self._dialects, self._replayer = recorder, dialects, replayer
        self._free = asyncio.Semaphore(MAX_PARALLEL)
        self._session: aiohttp.ClientSession | None = None
        self._count = 0
        self._open: dict[int, asyncio.Task[Any] | None] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way."""
        return bool(self._open)

    def stop(self) -> None:
        """Break off all requests."""
        for task in self._open.values():
            if task:
                task.cancel()

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncGenerator[None]:
        """Hold the connections to the endpoints while the block runs."""
        if self._replayer:
            yield
            return
        async with forward.session() as self._session:
            yield

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request of the container."""
        if request.method == "HEAD" and request.path == "/":
            return web.Response()  # a look whether anybody is there
        self._count += 1
        number, begun = self._count, time.monotonic()
        if number > MAX_REQUESTS:
            self.meter.refuse(f"more than {MAX_REQUESTS} requests")
            return web.json_response({"error": {"message": "Too many requests"}}, status=400)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        exchange = Exchange(number, at, request.method[:20], request.path[:300])
        call = Call(request, exchange)
        self._open[number] = asyncio.current_task()
        try:
            return await self._answer(call)
        except asyncio.CancelledError:
            exchange.cut = exchange.cut or "end"
            raise
        finally:
            del self._open[number]
            self.meter.landed(number)
            exchange.seconds = round(time.monotonic() - begun, 3)
            self._keep(call)

    def _keep(self, call: Call) -> None:
        """Write an exchange down; a full disk ends the trial when it is over."""
        try:
            self._recorder.write(call.exchange, bytes(call.raw))
        except OSError as error:
            self.meter.broken = self.meter.broken or error

    async def _answer(self, call: Call) -> web.StreamResponse:
        try:
            async with self._free:
                await self._read(call)
                if self._replayer:
                    return await replayed(call, self._replayer, self.meter)
                return await self._forward(call, self._check(call))
        except Refusal as refusal:
            if refusal.note:
                self.meter.refuse(refusal.note)
            return call.fail(refusal.status, str(refusal))
        except Exception as error:  # the agent gets an error that its harness knows, not a page
            log.exception("request %s of a trial", call.exchange.n)
            self.meter.fault(f"the gateway failed: {type(error).__name__}")
            return call.fail(500, "The gateway failed")

    async def _read(self, call: Call) -> None:
        """Take in a request; Refusal if it is none of those that may be made."""
        request, exchange = call.request, call.exchange
        headers = {name.lower(): value for name, value in request.headers.items()}
        target = target_of(request.method, request.path, headers, self._dialects)
        if target is None:
            told = f"{exchange.method} {exchange.path}"
            raise Refusal(404, f"{told} is not a model's", told)
        call.target, call.speech = target, speech(target.dialect)
        exchange.dialect, exchange.kind = target.dialect, target.kind
        if self.meter.broken:
            raise Refusal(400, "The exchange can't be recorded")
        if request.method != "POST":
            return
        call.body, call.sent = await _json(request)
        model = call.body.get("model")
        call.model = target.model or (model if isinstance(model, str) else "")
        if len(call.sent) > MAX_BODY:
            exchange.left_out = {"request": len(call.sent)}
        else:
            exchange.request = self._recorder.clean(call.body)

    def _check(self, call: Call) -> Endpoint:
        """Return the endpoint of a request; Refusal if it may not be asked now."""
        endpoint = self._endpoints[call.target.dialect]
        if call.target.kind != "answer":
            return endpoint
        if self._budget.is_spent:
            self.meter.over_budget = True
            raise Refusal(400, f"The run's budget of ${self._budget.max_cost:g} is spent")
        if not self._budget.may_ask(call.model, endpoint):
            told = f"no price of the model “{call.model[:100]}” is known, and the cost is limited"
            raise Refusal(400, told, told)
        return endpoint

    async def _forward(self, call: Call, endpoint: Endpoint) -> web.StreamResponse:
        assert self._session
        try:
            body, removed = confined(call.speech, call.body)
        except Refused as error:
            raise Refusal(400, str(error), "an address to be read by the vendor") from error
        call.exchange.removed = removed
        self.meter.removed.update(name[:100] for name in removed)
        sending = forward.Sending(self._session, endpoint, self._budget, self.meter, self._secrets)
        return await forward.send(call, sending, body)


async def _json(request: web.Request) -> tuple[dict[str, Any], bytes]:
    """Return a request's body, as an object and as bytes; Refusal if it is none."""
    try:
        sent = await request.read()
    except web.HTTPRequestEntityTooLarge as error:
        raise Refusal(413, f"A request may have {MAX_REQUEST >> 20} MB") from error
    except web.RequestPayloadError as error:
        raise Refusal(400, "The request can't be decoded") from error
    try:
        body = json.loads(sent)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "The request is no JSON") from error
    if not isinstance(body, dict):
        raise Refusal(400, "The request is no JSON object")
    return cast("dict[str, Any]", body), sent
