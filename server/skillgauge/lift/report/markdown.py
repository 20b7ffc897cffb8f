"""Markdown for a comment on a pull request: the verdict first, what went wrong, the rest folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.lift.pairing import CONTROL, TREATED
from skillgauge.lift.report._model import CaseResult, RunReport, Unmet
from skillgauge.lift.report._words import (
    NONE,
    Word,
    blamed,
    count,
    interval,
    missing,
    money,
    notes,
    number,
    score,
    share,
    signed,
    title,
    verdict,
)
from skillgauge.lift.statistics import Estimate
from skillgauge.report.markdown import MAX_CHARACTERS, literal

MAX_CASES: Final = 40
MAX_UNMET: Final = 10
MAX_TEXT: Final = 300
_MARKS: Final[dict[Word, str]] = {
    "helps": "✅",
    "hurts": "❌",
    "no-difference": "➖",
    "insufficient": "⚠️",
    "not-measured": "⚠️",
}


def render(report: RunReport) -> str:
    """Return the comment."""
    text = ""
    for block in _blocks(report):
        if len(text) + len(block) > MAX_CHARACTERS:
            return f"{text}… The rest is in the page and the JSON.\n"
        text += f"{block}\n"
    return text


def _blocks(report: RunReport) -> Iterator[str]:
    found = verdict(report)
    yield f"### {_MARKS[found.word]} {literal(report.skill)}: {literal(found.sentence)}\n"
    yield from (f"> {literal(note)}\n" for note in notes(report))
    yield "\n".join(_figures(report)) + "\n"
    bad = [one for one in report.cases if _unmet(one) or _is_worse(one) or one.blame]
    bad.sort(key=lambda one: (one.treated or 0, one.lift or 0))
    if bad:
        yield "**Look at**\n"
        yield "\n".join(_case(one) for one in bad[:MAX_CASES])
        if len(bad) > MAX_CASES:
            yield f"- … and {count(len(bad) - MAX_CASES, 'case')} more"
        yield ""
    yield "\n".join(_details(report))


def _figures(report: RunReport) -> Iterator[str]:
    treated, control = (report.whole.arms.get(arm) for arm in (TREATED, CONTROL))
    lift = report.lift
    yield "| | With the skill | Without | Difference | 95 % interval |"
    yield "| --- | ---: | ---: | ---: | --- |"
    if lift:
        cells = (score(report.summary.treated), score(report.summary.control))
        row = (*cells, f"**{signed(lift.estimate)}**", _bounds(lift))
        yield f"| **Lift**, {count(lift.n_cases, 'case')} | {' | '.join(row)} |"
    if treated and control:
        rates = (share(treated.rates.any), share(control.rates.any))
        yield f"| Solved in any attempt | {' | '.join(rates)} | | |"
        tokens = (number(treated.tokens), number(control.tokens))
        yield f"| Tokens a trial | {' | '.join(tokens)} | | |"
    if context := report.whole.context:
        told = (signed(context.estimate, 0), interval(context, 0))
        yield f"| Tokens that the skill adds to a request | | | {' | '.join(told)} |"


def _bounds(lift: Estimate) -> str:
    found = interval(lift)
    return found if found == lift.precision else f"{found} ({lift.precision})"


def _is_worse(one: CaseResult) -> bool:
    return one.lift is not None and one.lift < 0


def _unmet(one: CaseResult) -> list[Unmet]:
    """Return the assertions that did not hold with the skill, each once."""
    found: dict[str, Unmet] = {}
    for attempt in one.of(TREATED):
        for unmet in attempt.unmet:
            if unmet.index:
                found.setdefault(unmet.text, unmet)
    return list(found.values())


def _case(one: CaseResult) -> str:
    told = f" {_sentence(blamed(one))}: {_short(one.blame_reason)}." if one.blame else ""
    figures = f"{score(one.treated)} with, {score(one.control)} without"
    lines = [f"- {literal(one.case.id)} on {literal(str(one.cell))}: {figures}.{told}"]
    for unmet in _unmet(one)[:MAX_UNMET]:
        quote = f": “{_short(unmet.quote)}”" if unmet.quote else ""
        lines.append(f"  - Not met: {_short(unmet.text)}{quote}")
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _details(report: RunReport) -> Iterator[str]:
    yield "<details><summary>Metrics, harnesses and cost</summary>\n"
    yield "| Metric | With | Without | Lift | 95 % interval |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for one in report.metrics:
        lift = signed(one.estimate.estimate) if one.estimate else NONE
        cells = (score(one.treated), score(one.control), lift, interval(one.estimate))
        yield f"| {title(one.name)} | {' | '.join(cells)} |"
    yield "\n| Harness | Lift | 95 % interval | Solved with | Solved without |"
    yield "| --- | ---: | --- | --- | --- |"
    for scope in report.scopes:
        lift = signed(scope.lift.estimate) if scope.lift else NONE
        rates = [share(scope.arms[arm].rates.any) if arm in scope.arms else NONE
                 for arm in (TREATED, CONTROL)]  # fmt: skip
        cells = (literal(str(scope.cell)), lift, interval(scope.lift), *rates)
        yield f"| {' | '.join(cells)} |"
    if told := missing(report):
        yield ""
        yield from (f"- No value of {name.lower()}: {_short(why)}" for name, why in told)
    if report.cost_usd is not None:
        least = "" if report.cost_known else "at least "
        yield f"\nCost of the run: {least}{money(report.cost_usd)}."
    yield f"\nRun {literal(report.run)}, skill {literal(report.digest[:12])}.\n\n</details>"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return literal(line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…")
