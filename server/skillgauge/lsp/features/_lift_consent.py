"""Asks before a run, in editors without a dialog of their own: what it is, and what it costs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types as lsp

from skillgauge.errors import UserError
from skillgauge.lsp.lift_words import cost_text, count, tidy, time_text

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

YES: Final = "Run"
NO: Final = "Don't run"
MAX_NAMED: Final = 3
"""Problems that are told."""


class Unasked(Exception):
    """The client can't ask."""


async def agreed(server: SkillgaugeServer, plan: dict[str, Any]) -> bool:
    """Return whether the user agrees to a plan; UserError if it can't be run at all."""
    if missing := _objects(plan.get("missing")):
        told = [f"{_text(one, 'what')}. {_text(one, 'how')}".strip(" .") for one in missing]
        raise UserError(". ".join(told[:MAX_NAMED]))
    actions = [lsp.MessageActionItem(YES), lsp.MessageActionItem(NO)]
    params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, question(plan), actions)
    try:
        chosen = await server.window_show_message_request_async(params)
    except Exception as error:  # a client that doesn't know the request refuses it
        log.info("The client can't ask: %s", error)
        raise Unasked from error
    return chosen is not None and chosen.title == YES


def question(plan: dict[str, Any]) -> str:
    """Return what is asked: which trials, at what cost, and what is left out."""
    cases = _list(plan.get("cases"))
    parts = [count(len(cases), "case")]
    parts += [", ".join(tidy(str(one), 60) for one in _list(plan.get(key))[:10])
              for key in ("arms", "harnesses")]  # fmt: skip
    trials, skill = _whole(plan.get("trials")), tidy(str(plan.get("skill") or ""), 60)
    lines = [f"Run {count(trials, 'trial')} of “{skill}” ({'; '.join(parts)})?"]
    lines.append(_outlook(plan.get("outlook")))
    if left := _whole(plan.get("left_out")):
        lines.append(f"{count(left, 'trial')} beyond the limit are left out.")
    if problems := _objects(plan.get("problems")):
        named = " ".join(_text(one, "message") for one in problems[:MAX_NAMED])
        lines.append(f"{count(len(problems), 'case')} can't be run: {named}")
    if unsaved := _list(plan.get("unsaved")):
        named = ", ".join(tidy(str(one), 60) for one in unsaved[:MAX_NAMED])
        lines.append(f"What is not saved is not measured: {named}.")
    return " ".join(lines)


def summary(plan: dict[str, Any]) -> str:
    """Return in short what is agreed to."""
    given = plan.get("outlook")
    cost = cast("dict[str, Any]", given).get("cost_usd") if isinstance(given, dict) else None
    told = f"about {cost_text(cost)}" if isinstance(cost, int | float) else "cost not known"
    return f"run {count(_whole(plan.get('trials')), 'trial')} ({told})"


def _outlook(value: object) -> str:
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    cost, seconds = given.get("cost_usd"), given.get("seconds")
    told = [f"Estimated cost {cost_text(cost)}" if isinstance(cost, int | float) else
            "The cost can't be estimated yet"]  # fmt: skip
    if isinstance(seconds, int | float):
        told.append(f"about {time_text(seconds)}")
    return f"{', '.join(told)}. The agents call the models with your keys."


def _objects(value: object) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", one) for one in _list(value) if isinstance(one, dict)]


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: dict[str, Any], key: str) -> str:
    return tidy(str(value.get(key) or ""), 200)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
