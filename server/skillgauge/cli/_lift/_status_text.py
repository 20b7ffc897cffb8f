"""The states of runs as text; nothing in a skill or of an agent can drive the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from skillgauge.cli._lift._words import (
    cost_text,
    count,
    ended,
    lasting,
    lift_text,
    moment,
    state_text,
)
from skillgauge.report._terminal import cells, safe

MAX_CELL: Final = 48
_HEAD: Final = ("RUN", "SKILL", "BEGUN", "STATE", "TRIALS", "LIFT", "COST")
_TRIALS: Final = ("TRIAL", "CASE", "ARM", "HARNESS", "ATTEMPT", "STATE", "REASON")
_STATE: Final = _TRIALS.index("STATE")
_CASES: Final = ("CASE", "HARNESS", "WITH", "WITHOUT", "LIFT", "NOTE")


def listed(states: Sequence[dict[str, Any]], left_out: int) -> str:
    """Return a table of runs, the newest first."""
    if not states:
        return "There is no lift run yet.\n"
    rows = [
        (
            *(state["run"], state["skill"], moment(state["created"]), state_text(state)),
            f"{ended(state)}/{state['trials']}",
            lift_text(state["lift"]) + (" (stale)" if state["stale"] else ""),
            cost_text(state),
        )
        for state in states
    ]
    text = table(_HEAD, rows)
    if any(state["stale"] for state in states):
        text += "stale: the skill has changed since it was measured\n"
    if left_out:
        text += f"{count(left_out, 'older run')} not shown; --limit shows more\n"
    return text


def one_run(state: dict[str, Any], trials: Sequence[tuple[str, ...]]) -> str:
    """Return all that there is to say of one run."""
    lines = [safe(line) for line in _about(state)]
    cases = [
        (
            *(one["id"], one["harness"], _score(one["treated"]), _score(one["control"])),
            "–" if one["lift"] is None else f"{one['lift']:+.2f}",
            f"{one['blame']}: {one['reason']}" if one["blame"] else "",
        )
        for one in state["cases"]
    ]
    parts = ["".join(f"{line}\n" for line in lines)]
    parts += [table(_CASES, cases)] if cases else []
    begun = [trial for trial in trials if trial[_STATE] != "planned"]
    parts += [table(_TRIALS, begun)] if begun else []
    return "\n".join(parts)


def _about(state: dict[str, Any]) -> Iterator[str]:
    yield f"Run      {state['run']}, {moment(state['created'])}"
    yield f"Skill    {state['skill']} in {state['path']}"
    why = f": {state['reason']}" if state["reason"] else ""
    yield f"State    {state_text(state)}{why}"
    if state["state"] == "open" and not state["working"]:
        yield f"         nobody works on it; `skillgauge lift resume {state['run']}` goes on"
    arms = (f"{arm} {one['ended']} of {one['trials']}" for arm, one in state["arms"].items())
    yield f"Trials   {ended(state)} of {state['trials']} ({', '.join(arms)})"
    if state["state"] == "open" and state["eta_seconds"] is not None:
        yield f"Left     about {lasting(state['eta_seconds'])}"
    yield f"Cost     {cost_text(state)}"
    lift = state["lift"]
    over = f" over {count(lift['n_cases'], 'case')}, precision {lift['precision']}" if lift else ""
    yield f"Lift     {lift_text(lift)}{over}"
    if state["stale"]:
        yield "Stale    the skill has changed since it was measured"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows below each other, each column as wide as it has to be."""
    shown = [head, *([_cell(value) for value in row] for row in rows)]
    wide = [max(_width(row[index]) for row in shown) for index in range(len(head))]
    lines = (
        "  ".join(f"{cell}{' ' * (width - _width(cell))}" for cell, width in zip(row, wide))  # noqa: B905
        for row in shown
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cell(value: str) -> str:
    text = " ".join(value.split())
    return safe(text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…")


def _width(text: str) -> int:
    return sum(cell.width for cell in cells(text))
