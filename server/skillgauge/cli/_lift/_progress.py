"""How far a run is, as it goes: live lines on a terminal, else a plain line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Self, TextIO

from skillgauge.cli._lift._words import (
    arm_text,
    cost_text,
    count,
    ended,
    lasting,
    money,
    state_text,
)
from skillgauge.cli._output import plain
from skillgauge.report._terminal import safe

if TYPE_CHECKING:
    from rich.live import Live

EVERY: Final = 15.0
"""Seconds between two plain lines at least."""
WIDTH: Final = 30
FAULTS: Final = ("infra-error", "lost")


class Progress:
    """Shows the states and events of one run on a stream."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Show nothing yet."""
        self._stream, self._clock = stream, clock
        self._live: Live | None = None
        self._told_at = float("-inf")
        self._told = ""

    def __enter__(self) -> Self:
        if self._stream.isatty():
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream, markup=False, highlight=False, emoji=False)
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def take(self, line: dict[str, Any]) -> None:
        """Show a state, or an event that people should know of."""
        if line["kind"] == "event":
            if line["event"] in FAULTS:
                self.say(_fault(line))
        elif self._live is not None:
            from rich.text import Text

            self._live.update(Text(live_lines(line)), refresh=True)
        else:
            self._now_and_then(line)

    def say(self, message: str) -> None:
        """Say something beside the progress."""
        text = plain(f"skillgauge: {safe(' '.join(message.split()))}", self._stream)
        if self._live is not None:
            self._live.console.print(text, soft_wrap=True)
        else:
            print(text, file=self._stream, flush=True)

    def _now_and_then(self, state: dict[str, Any]) -> None:
        now, told = self._clock(), plain_line(state)
        over = state["state"] != "open"
        if told != self._told and (over or now - self._told_at >= EVERY):
            self.say(told)
            self._told, self._told_at = told, now


def plain_line(state: dict[str, Any]) -> str:
    """Return how far a run is, in one line."""
    arms = ", ".join(
        f"{arm_text(arm)} {one['ended']} of {one['trials']}" for arm, one in state["arms"].items()
    )
    parts = [f"{ended(state)} of {count(state['trials'], 'trial')} ({arms})", *_figures(state)]
    return f"{state_text(state)}: {', '.join(parts)}"


def live_lines(state: dict[str, Any]) -> str:
    """Return how far a run is, in a line for each arm and one for all."""
    wide = max((len(arm_text(arm)) for arm in state["arms"]), default=0)
    lines = [
        f"{arm_text(arm):<{wide}}  {_bar(one)}  {one['ended']:>3} of {one['trials']}"
        + (f", {one['running']} running" if one["running"] else "")
        for arm, one in state["arms"].items()
    ]
    return "\n".join([*lines, ", ".join([state_text(state), *_figures(state)])])


def _bar(arm: dict[str, int]) -> str:
    filled = WIDTH * arm["ended"] // max(arm["trials"], 1)
    busy = min(WIDTH - filled, -(-WIDTH * arm["running"] // max(arm["trials"], 1)))
    return f"[{'#' * filled}{'-' * busy}{'.' * (WIDTH - filled - busy)}]"


def _figures(state: dict[str, Any]) -> list[str]:
    """Return what a run cost until now, how long it will take, and what went wrong in it."""
    found: list[str] = []
    if state["cost_usd"] is not None:
        most = f" of {money(state['max_cost_usd'])}" if state["max_cost_usd"] is not None else ""
        found.append(f"{cost_text(state)}{most}")
    if faults := state["counts"].get("infra-error"):
        found.append(f"{count(faults, 'trial')} failed by a fault of the runner")
    if state["state"] == "open" and (state["eta_seconds"] or 0) >= 1:
        found.append(f"about {lasting(state['eta_seconds'])} left")
    return found


def _fault(event: dict[str, Any]) -> str:
    where = f"{event.get('case', '')} on {event.get('harness', '')}, {event.get('arm', '')}"
    return f"{where}: {event['detail'].get('reason') or event['event']}"
