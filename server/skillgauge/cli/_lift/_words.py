"""Numbers and times as the command line shows them."""

from __future__ import annotations

import time
from typing import Any, Final

_ARMS: Final = {"with-skill": "with the skill", "baseline": "without", "placebo": "with a placebo"}
_STATES: Final = {"done": "done", "cancelled": "cancelled", "failed": "broken off"}


def arm_text(arm: str) -> str:
    """Return an arm in words."""
    return _ARMS.get(arm, arm)


def money(dollars: float | None, *, partial: bool = False) -> str:
    """Return US dollars; small sums keep two digits that tell something."""
    if dollars is None:
        return "unknown"
    digits = 2 if dollars >= 1 or dollars == 0 else 3 if dollars >= 0.01 else 5
    return f"{'at least ' if partial else ''}${dollars:.{digits}f}"


def lasting(seconds: float | None) -> str:
    """Return how long something takes, in the unit that suits it."""
    if seconds is None:
        return "unknown"
    if seconds < 90:
        return f"{max(round(seconds), 0)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"


def count(number: int, one: str, many: str = "") -> str:
    """Return a number of things."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def moment(at: float | None) -> str:
    """Return a time as the user's clock has it."""
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def lift_text(lift: dict[str, Any] | None) -> str:
    """Return a lift with its interval, or why it has none."""
    if lift is None:
        return "–"
    told = f"{lift['estimate']:+.2f}"
    if lift["interval"]:
        low, high = lift["interval"]
        return f"{told} [{low:+.2f}, {high:+.2f}]"
    return f"{told} ({lift['precision']})"


def state_text(state: dict[str, Any]) -> str:
    """Return how a run stands."""
    word: str = state["state"]
    if word != "open":
        return _STATES.get(word, word)
    if state["cancelling"] and state["working"]:
        return "being cancelled"
    return "running" if state["working"] else "stopped"


def cost_text(state: dict[str, Any]) -> str:
    """Return what a run has cost; a replay asks no model, so its costs are those of the record."""
    cost = money(state["cost_usd"], partial=state["cost_partial"])
    return f"{cost} recorded" if state["replay_of"] and state["cost_usd"] else cost


def ended(state: dict[str, Any]) -> int:
    """Return how many trials of a run have come to their end."""
    return sum(arm["ended"] for arm in state["arms"].values())
