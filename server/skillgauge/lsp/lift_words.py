"""Numbers and foreign texts as the editor shows them in lenses, hovers and messages."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from skillgauge.text import encodable

if TYPE_CHECKING:
    from skillgauge.lsp.lift_state import CaseResult, Lift, Run

ARMS: Final = {
    "with-skill": "with the skill",
    "baseline": "without the skill",
    "placebo": "with the placebo",
}
PARTS: Final = {
    "case": "the case",
    "skill": "the skill",
    "runner": "the runner",
    "judge": "the judge",
}
"""The parts that can have failed."""
_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def lift_text(lift: Lift) -> str:
    """Return a lift with its interval, the number of cases, and how precise it is."""
    parts = [signed(lift.estimate)]
    if lift.interval is not None:
        low, high = lift.interval
        parts[0] += f" [{low:.2f}, {high:.2f}]"
    parts.append(count(lift.n_cases, "case"))
    if lift.precision:
        parts.append(f"{tidy(lift.precision, 40)} precision")
    return ", ".join(parts)


def result_text(result: CaseResult) -> str:
    """Return a case's result in a few words."""
    if result.lift is not None:
        return signed(result.lift)
    if result.blame and result.blame != "skill":
        return f"{PARTS.get(result.blame, tidy(result.blame, 40))} failed"
    return f"with the skill {value(result.treated)}"


def state_text(run: Run) -> str:
    """Return how far a run is."""
    from skillgauge.lsp.lift_progress import message_of

    if run.is_open and not run.working:
        return f"stopped at {run.done} of {count(run.trials, 'trial')}"
    if run.is_open:
        return message_of(run)
    if run.state == "failed" and run.reason.strip():
        return f"failed: {tidy(run.reason, 120)}"
    return tidy(run.state, 40)


def signed(number: float) -> str:
    """Return a difference."""
    return f"{number:+.2f}"


def value(number: float | None) -> str:
    """Return a value, or that there is none."""
    return "–" if number is None else f"{number:.2f}"


def cost_text(dollars: float) -> str:
    """Return US dollars; small sums keep a digit that is not zero."""
    return f"${dollars:.2f}" if dollars >= 0.01 or dollars == 0 else f"${dollars:.4f}"


def time_text(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds < 90:
        return f"{max(round(seconds), 0)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"


def count(number: int, one: str, many: str = "") -> str:
    """Return a number of things."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def tidy(text: str, most: int) -> str:
    """Return a foreign text in one line: no control characters, and not too long."""
    shown = text[: 4 * most]
    if not shown.isprintable():  # seldom, and slow
        shown = encodable("".join(map(_harmless, shown)))
    shown = " ".join(shown.split())
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _harmless(character: str) -> str:
    """Return a character, or what stands for one that only does things to others."""
    kind = unicodedata.category(character)
    return {"Cc": " ", "Cf": ""}.get(kind, character)


def escaped(text: str) -> str:
    """Return a text that does not become Markdown or HTML."""
    return _MARKS.sub(r"\\\1", text)
