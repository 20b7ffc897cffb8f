"""Answers a request from a record."""

from __future__ import annotations

from aiohttp import web

from skillgauge.lift.gateway.call import Call, Refusal
from skillgauge.lift.gateway.meter import Meter
from skillgauge.lift.gateway.record import Exchange
from skillgauge.lift.gateway.replay import Replayer
from skillgauge.lift.gateway.sse import Withheld
from skillgauge.lift.prices import Counts


async def replayed(call: Call, replayer: Replayer, meter: Meter) -> web.StreamResponse:
    """Answer as it was answered before, to the byte; Refusal if the record has nothing more."""
    exchange = call.exchange
    found = replayer.find(exchange.dialect, exchange.kind, exchange.request)
    if found is None:
        held = replayer.held(exchange.dialect, exchange.kind)
        told = f"request {exchange.n} has no answer in the recording, which holds {held}"
        if call.is_answer:
            meter.diverged = meter.diverged or told
        raise Refusal(400 if call.is_answer else 404, told)
    if found.fit == "place":
        told = f"request {exchange.n} is of another conversation than the recorded one"
        meter.diverged = meter.diverged or told
    meter.strayed += found.fit == "turns"
    before = found.exchange
    exchange.status, exchange.content_type = before.status, before.content_type
    exchange.usage, exchange.cost_usd = before.usage, before.cost_usd
    exchange.cut, exchange.problem = before.cut, before.problem
    call.raw[:] = (before.response or "").encode("utf-8", "replace")
    _count(call, before, meter)
    return await _say(call)


def _count(call: Call, before: Exchange, meter: Meter) -> None:
    """Count what it cost then; nothing is spent now."""
    if not call.is_answer:
        return
    meter.sent(call.exchange.n)
    if before.problem:
        meter.fault(f"{before.dialect} endpoint, as recorded: {before.problem}")
    if before.status < 300:
        counts = Counts(**before.usage) if before.usage else None
        meter.answered(call.exchange.n, counts, before.cost_usd, offers_tools=call.offers_tools)


async def _say(call: Call) -> web.StreamResponse:
    exchange, said = call.exchange, bytes(call.raw)
    if call.hides_usage:
        held = Withheld()
        said = held.feed(said) + held.end()
    headers = {"content-type": exchange.content_type or "application/json"}
    if not exchange.cut:
        return web.Response(body=said, status=exchange.status, headers=headers)
    response = web.StreamResponse(status=exchange.status, headers=headers)
    await response.prepare(call.request)
    await response.write(said)
    call.break_off()
    return response
