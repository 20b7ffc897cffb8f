"""The table of what was measured, in docs/harnesses.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from skillgauge.lift.harnesses import harness

BEGIN = "<!-- measured: begin -->"
END = "<!-- measured: end -->"
HEAD = (
    "| Harness | Version | API | Skills lie in | Loads by | With, s | Without, s | Ours, s |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
)
APIS = {
    "anthropic": "Anthropic Messages",
    "responses": "OpenAI Responses",
    "chat": "OpenAI Chat Completions",
    "gemini": "Gemini",
}


class Row(NamedTuple):
    """What one agent took for its pair."""

    name: str
    version: str
    loads: str
    """The call that loaded the skill."""
    with_skill: float
    baseline: float
    """Seconds that the container ran."""
    overhead: float
    """Seconds around it, of the slower trial."""


def lines(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    found = list(HEAD)
    for row in rows:
        kit = harness(row.name)
        found.append(
            f"| {kit.TITLE} | {row.version} | {APIS[kit.DIALECT or '']} | `~/{kit.SKILLS}` "
            f"| {row.loads} | {row.with_skill:.1f} | {row.baseline:.1f} | {row.overhead:.1f} |"
        )
    return found


def write(page: Path, rows: Sequence[Row]) -> None:
    """Put the table in its place."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    table = "\n".join(lines(rows))
    page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")
