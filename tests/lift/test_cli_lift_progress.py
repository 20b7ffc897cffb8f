"""How far a run is, on a terminal and where there is none."""

from __future__ import annotations

import io
from typing import Any

import pytest

from skillgauge.cli._lift._progress import Progress, live_lines, plain_line
from skillgauge.cli._lift._words import lasting, money

FOLLOW = ("--follow", "--format", "jsonl")
EVIL = "\x1b]0;owned\x07\x1b[2Jgone\u202e"


STATE: dict[str, Any] = {
    "kind": "state",
    "run": "r",
    "state": "open",
    "working": True,
    "cancelling": False,
    "replay_of": None,
    "arms": {
        "with-skill": {"trials": 6, "ended": 2, "running": 1},
        "baseline": {"trials": 6, "ended": 3, "running": 0},
    },
    "counts": {"planned": 6, "running": 1, "done": 4, "infra-error": 1},
    "trials": 12,
    "cost_usd": 0.314,
    "cost_partial": False,
    "max_cost_usd": 2.0,
    "eta_seconds": 190.0,
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_line() -> None:
    assert plain_line(STATE) == (
        "running: 5 of 12 trials (with the skill 2 of 6, without 3 of 6), $0.314 of $2.00,"
        " 1 trial failed by a fault of the runner, about 3 min left"
    )


def test_plain_progress_is_sparing() -> None:
    """A line at first, one in a while, and one at the end; a fault of the runner at once."""
    stream, now = io.StringIO(), [0.0]
    with Progress(stream, lambda: now[0]) as progress:
        for second in range(20):
            now[0] = float(second)
            arms = {"baseline": {"trials": 20, "ended": second, "running": 1}}
            progress.take({**STATE, "arms": arms})
        progress.take(
            {"kind": "event", "event": "infra-error", "case": "a\x1b[2J", "harness": "codex",
             "arm": "baseline", "detail": {"reason": "it said 529"}}
        )  # fmt: skip
        progress.take({"kind": "event", "event": "running", "detail": {}})
        progress.take({**STATE, "state": "done", "arms": {}})
    lines = stream.getvalue().splitlines()
    assert [line.split("(")[-1].split(")")[0] for line in lines[:2]] == [
        "without 0 of 20", "without 15 of 20"
    ]  # fmt: skip
    assert lines[2] == "skillgauge: a␛[2J on codex, baseline: it said 529"
    assert lines[3].startswith("skillgauge: done: ")
    assert len(lines) == 4


def test_live_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    with Progress(stream) as progress:
        progress.take(STATE)
        progress.say("Something [bold]beside[/bold] it")
    text = stream.getvalue()
    assert "with the skill  [##########-----...............]    2 of 6, 1 running" in text
    assert "without         [###############...............]    3 of 6" in text
    assert (
        "running, $0.314 of $2.00, 1 trial failed by a fault of the runner, about 3 min left"
        in text
    )
    assert "skillgauge: Something [bold]beside[/bold] it" in text
    assert live_lines(STATE).count("\n") == 2
    assert ", $0.314 recorded of $2.00, " in plain_line({**STATE, "replay_of": "r0"})


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (89, "89 s"), (90, "2 min"), (5340, "89 min"), (6000, "1.7 h")],
)
def test_times(seconds: float, text: str) -> None:
    assert lasting(seconds) == text


@pytest.mark.parametrize(
    ("dollars", "text"),
    [(0.0, "$0.00"), (0.00042, "$0.00042"), (0.0314, "$0.031"), (12.345, "$12.35")],
)
def test_money(dollars: float, text: str) -> None:
    assert money(dollars) == text
    assert money(dollars, partial=True) == f"at least {text}"
