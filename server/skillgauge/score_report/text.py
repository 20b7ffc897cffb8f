"""Scores for people: a bar for each metric, and the lines that pull it down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.report._terminal import excerpt, paint, safe
from skillgauge.score_report import Scored, ScoreRun
from skillgauge.scores import WEAK, About, Score, Section

BAR: Final = 20
FILLED: Final = "#"
EMPTY: Final = "."
EXPLAINED: Final = 12
"""Lines of a text that are shown of those that pull a score down most."""
SECTIONS: Final = 6
_STRONG: Final = 0.65


def render(run: ScoreRun) -> str:
    """Return the report of a run."""
    blocks = ["\n".join(_skill(run, skill)) for skill in run.skills]
    blocks.append("\n".join(_notes(run)))
    text = "\n\n".join(block for block in blocks if block)
    return text + "\n" if text else ""


def _skill(run: ScoreRun, skill: Scored) -> Iterator[str]:
    found = skill.profile
    size = f"{found.tokens:,} tokens"
    if found.truncated:
        size += f", of which only the first {run.scorer.max_tokens:,} were read"
    yield f"{paint(safe(skill.path), 'path', run.color)}  {paint(size, 'dim', run.color)}"
    wide = max(len(item.name) for item in run.scorer.metrics.values())
    form = run.scorer.metrics["A1"]
    state = "passed" if found.passed else "FAILED"
    state = paint(state, "good" if found.passed else "error", run.color)
    yield f"  A1  {form.name:<{wide}}  {state}"
    yield from (f"      {safe(reason)}" for reason in found.reasons)
    for about, score in run.scorer.shown(found):
        yield from _metric(run, about, score, wide)
    for code in run.explain:
        if code in found.scores:
            yield from _explained(run, skill, run.scorer.metrics[code], found.scores[code])


def _metric(run: ScoreRun, about: About, score: Score, wide: int) -> Iterator[str]:
    head = f"  {about.code}  {about.name:<{wide}}  "
    if score.z is None or score.probability is None:
        yield f"{head}no score: {safe(score.reason)}"
        return
    filled = round(BAR * score.probability)
    bar = paint(f"{FILLED * filled}{EMPTY * (BAR - filled)}", _style(score.probability), run.color)
    note = f"  {about.label}" if about.label == "surface" else ""
    yield f"{head}[{bar}] {score.probability:4.0%}  {score.z:+.2f}{note}"
    worst = score.worst
    if worst is not None and score.probability < WEAK:
        yield f"      lowest: {_place(worst)}"


def _style(probability: float) -> str:
    return "error" if probability < WEAK else "good" if probability >= _STRONG else "warning"


def _place(section: Section) -> str:
    first, last = section.line, section.end_line
    lines = f"line {first}" if first == last else f"lines {first}–{last}"
    return f"{lines}, {safe(section.title)} ({section.contribution:+.2f})"


def _explained(run: ScoreRun, skill: Scored, about: About, score: Score) -> Iterator[str]:
    yield ""
    yield f"  {paint(f'{about.code} {about.name}', 'bold', run.color)}"
    yield from _wrapped(about.meaning, run.width)
    if score.z is None:
        yield f"      no score: {safe(score.reason)}"
        return
    yield from _wrapped(about.hint, run.width)
    if score.sections:
        yield "      What the sections add to the score, the lowest first:"
        yield from (f"        {_place(item)}" for item in score.sections[:SECTIONS])
    lowest = sorted(score.lines, key=lambda line: score.lines[line])[:EXPLAINED]
    lowest = [line for line in lowest if score.lines[line] < 0]
    if lowest:
        yield "      The lines that pull it down most:"
    number = len(str(max(lowest, default=0)))
    for line in sorted(lowest):
        room = max(run.width - number - 21, 20)
        shown = excerpt(skill.text.line(line - 1), 0, 0, room).shown
        share = paint(f"{score.lines[line]:+.3f}", "hint", run.color)
        yield f"        {line:>{number}} {share} | {shown}".rstrip()


def _notes(run: ScoreRun) -> Iterator[str]:
    """Yield what the numbers mean and which are missing."""
    if not run.skills:
        return
    yield from _wrapped(
        f"By {safe(run.scorer.title)}: how much a text reads like those with the quality, in per"
        " cent and in standard deviations. It does not say how well an agent works with it.",
        run.width,
        indent="",
    )
    metrics = run.scorer.metrics.values()
    if surface := [item.code for item in metrics if item.shown and item.label == "surface"]:
        yield f"“surface”: {', '.join(surface)} follows wording more than substance."
    if hidden := run.scorer.hidden:
        yield f"Not shown, since counting words does as well: {', '.join(hidden)}."


def _wrapped(text: str, width: int, indent: str = "      ") -> list[str]:
    from textwrap import wrap

    return wrap(text, width, initial_indent=indent, subsequent_indent=indent)
