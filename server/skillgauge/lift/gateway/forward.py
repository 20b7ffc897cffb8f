"""Sends a request to its endpoint, and the answer back piece by piece."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Any, Final, cast

import aiohttp
from aiohttp import web

from skillgauge.lift.gateway.budget import Budget
from skillgauge.lift.gateway.call import Call
from skillgauge.lift.gateway.dialects import chat
from skillgauge.lift.gateway.endpoints import Endpoint
from skillgauge.lift.gateway.meter import Meter
from skillgauge.lift.gateway.policy import address, returned_headers, sent_headers
from skillgauge.lift.gateway.sse import Withheld
from skillgauge.lift.gateway.watch import Watch
from skillgauge.lift.prices import Counts
from skillgauge.lift.redaction import redact

MAX_RESPONSE: Final = 64 * 2**20
MAX_ERROR: Final = 2**20
MAX_HEADER: Final = 64 * 2**10
"""Harnesses and endpoints tell more of themselves than fits into what is usual."""
SECONDS: Final = 900.0
"""For one request, from its beginning to its end."""
QUIET_SECONDS: Final = 300.0
"""Without a byte."""
CONNECT_SECONDS: Final = 20.0
_SHOWN: Final = 300
_BYTES_A_TOKEN: Final = 4
_STREAMED_BYTES_A_TOKEN: Final = 16


@dataclass(frozen=True, slots=True)
class Sending:
    """What a request is sent with."""

    session: aiohttp.ClientSession
    endpoint: Endpoint
    budget: Budget
    meter: Meter
    secrets: tuple[str, ...]


def session() -> aiohttp.ClientSession:
    """Return the connections of a trial: they keep no cookies, and read no files for passwords."""
    timeout = aiohttp.ClientTimeout(
        total=SECONDS, sock_connect=CONNECT_SECONDS, sock_read=QUIET_SECONDS
    )
    return aiohttp.ClientSession(
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        max_field_size=MAX_HEADER,
        max_line_size=MAX_HEADER,
    )


async def send(call: Call, sending: Sending, body: dict[str, Any]) -> web.StreamResponse:
    """Send a request, and answer it with what comes."""
    meter, exchange = sending.meter, call.exchange
    if call.is_answer:
        meter.sent(exchange.n)
    watch: Watch | None = None
    try:
        async with sending.session.request(
            call.request.method,
            address(sending.endpoint, call.target, call.request.query.items()),
            data=io.BytesIO(_data(call, sending.endpoint, body))
            if call.request.method == "POST"
            else None,
            headers=sent_headers(call.request.headers, sending.endpoint),
            allow_redirects=False,
            proxy=sending.endpoint.proxy,
        ) as answer:
            if answer.status >= 300:
                return await _error(call, sending, answer)
            watch = Watch(call.speech, answer.content_type)
            return await _pass_on(call, sending, answer, watch)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return _broken(call, sending, error)
    finally:
        if watch and call.is_answer:
            _count(call, sending, watch)


def _data(call: Call, endpoint: Endpoint, body: dict[str, Any]) -> bytes:
    """Return what is sent: the client's own bytes, unless something had to be changed."""
    if endpoint.dialect == "chat" and endpoint.is_openai:
        body = chat.for_openai(body)
    if call.hides_usage:
        given = body.get("stream_options")
        options = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        body = {**body, "stream_options": {**options, "include_usage": True}}
    return call.sent if body is call.body else json.dumps(body).encode()


async def _pass_on(
    call: Call, sending: Sending, answer: aiohttp.ClientResponse, watch: Watch
) -> web.StreamResponse:
    """Hand on an answer as it comes."""
    exchange = call.exchange
    exchange.status, exchange.content_type = answer.status, answer.content_type
    held = Withheld() if call.hides_usage else None
    headers = returned_headers(answer.headers)
    response = call.response = web.StreamResponse(status=answer.status, headers=headers)
    if not await _reaches(call, response.prepare(call.request)):
        return response
    async for piece in answer.content.iter_any():
        call.raw += piece
        watch.feed(piece)
        sending.meter.heard(exchange.n)
        if len(call.raw) > MAX_RESPONSE:
            exchange.cut, exchange.problem = "endpoint", "the answer is too large"
            _fault(call, sending, exchange.problem)
            call.break_off()
            return response
        passed = held.feed(piece) if held else piece
        if passed and not await _reaches(call, response.write(passed)):
            return response
    watch.end()
    if held and (rest := held.end()):
        await _reaches(call, response.write(rest))
    _look_back(call, sending, watch)
    return response


async def _reaches(call: Call, written: Any) -> bool:
    """Return whether something could be written to the client; it may have gone."""
    try:
        await written
    except ConnectionError:
        call.exchange.cut = "client"
        return False
    return True


def _look_back(call: Call, sending: Sending, watch: Watch) -> None:
    """Note what was wrong with an answer that came to its end as bytes."""
    said = watch.error
    if not said and call.is_answer and not watch.is_complete:
        said = "the answer ended too early"
        call.exchange.cut = "endpoint"
    if said and call.is_answer:
        call.exchange.problem = said[:_SHOWN]
        _fault(call, sending, said)


async def _error(
    call: Call, sending: Sending, answer: aiohttp.ClientResponse
) -> web.StreamResponse:
    """Hand on an endpoint's error, without the key that some of them name."""
    raw = bytearray()
    async for piece in answer.content.iter_any():
        raw += piece
        if len(raw) > MAX_ERROR:
            break
    told = redact(raw[:MAX_ERROR].decode("utf-8", "replace"), sending.secrets)
    _fault(call, sending, f"{answer.status} {_message(call, told) or answer.reason or ''}")
    if answer.status < 400:
        return call.fail(502, "The endpoint leads elsewhere, and nobody follows")
    call.raw[:] = told.encode()
    call.exchange.status, call.exchange.content_type = answer.status, answer.content_type
    call.exchange.problem = _message(call, told)[:_SHOWN]
    headers = returned_headers(answer.headers)
    return web.Response(body=bytes(call.raw), status=answer.status, headers=headers)


def _message(call: Call, told: str) -> str:
    try:
        said = json.loads(told)
    except (ValueError, RecursionError):
        return " ".join(told.split())[:_SHOWN]
    # Gemini wraps it into an array where a stream was asked for.
    if isinstance(said, list):
        said = next(iter(cast("list[Any]", said)), None)
    return call.speech.error(cast("dict[str, Any]", said)) if isinstance(said, dict) else ""


def _broken(call: Call, sending: Sending, error: BaseException) -> web.StreamResponse:
    """Note an endpoint that can't be reached, or that broke off in the middle."""
    reason = str(error) or type(error).__name__
    if isinstance(error, TimeoutError):
        reason = "no answer in time"
    began = call.response
    told = f"{'broke off' if began else 'can not be reached'}: {reason}"
    told = redact(told, sending.secrets)
    _fault(call, sending, told)
    if began is None:
        return call.fail(502, f"The model's endpoint {told}")
    call.exchange.cut, call.exchange.problem = "endpoint", told[:_SHOWN]
    call.break_off()
    return began


def _fault(call: Call, sending: Sending, told: str) -> None:
    if call.is_answer:
        said = redact(told, sending.secrets)[:_SHOWN]
        sending.meter.fault(f"{sending.endpoint.dialect} endpoint: {said}".rstrip(": "))


def _count(call: Call, sending: Sending, watch: Watch) -> None:
    """Count an answer. One without a count is booked by its length, so that none is free."""
    exchange, budget = call.exchange, sending.budget
    counts = watch.counts if watch.is_complete else None
    cost = budget.cost(call.model, counts, sending.endpoint) if counts else None
    if counts:
        exchange.usage, exchange.cost_usd = counts._asdict(), cost
        budget.book(cost)
    else:
        size = _STREAMED_BYTES_A_TOKEN if call.streams else _BYTES_A_TOKEN
        begun = watch.counts or Counts(len(call.sent) // _BYTES_A_TOKEN, 0)
        guessed = begun._replace(completion=max(begun.completion, len(call.raw) // size))
        budget.book(budget.cost(call.model, guessed, sending.endpoint))
    sending.meter.answered(exchange.n, counts, cost, offers_tools=call.offers_tools)
