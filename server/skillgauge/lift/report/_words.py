"""What the numbers of a run mean in words, the same in every format."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from skillgauge.lift.metrics.dimensions import DIMENSIONS
from skillgauge.lift.pairing import TREATED
from skillgauge.lift.report._model import CaseResult, RunReport
from skillgauge.lift.statistics import FEW, Estimate, Share

Word = Literal["helps", "hurts", "no-difference", "insufficient", "not-measured"]
JUDGED: Final = ("accuracy", "goal_accuracy", "behavior_check")
TITLES: Final = {
    "security": "Security",
    "accuracy": "Accuracy",
    "goal_accuracy": "Goal accuracy",
    "behavior_check": "Behaviour check",
    "skill_execution": "Skill execution",
    "skill_efficiency": "Skill efficiency",
}
BLAMED: Final = {
    "case": "the case",
    "skill": "the skill",
    "runner": "the runner",
    "judge": "the judge",
}
NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to the question of a run."""

    word: Word
    sentence: str


def verdict(report: RunReport) -> Verdict:
    """Return whether the skill helps, by the interval alone; a script's run is called one."""
    found = _verdict(report.lift)
    if not report.settings.scripted:
        return found
    return Verdict(found.word, f"Scripted run, no model was asked. {found.sentence}")


def _verdict(lift: Estimate | None) -> Verdict:
    if lift is None:
        return Verdict("not-measured", "No lift: no case has a result in both arms.")
    if lift.precision == "insufficient":
        return Verdict(
            "insufficient",
            f"Insufficient: {count(lift.n_cases, 'case')} can’t carry a verdict, it takes {FEW}.",
        )
    over = f"{count(lift.n_cases, 'case')}"
    if not lift.excludes_zero:
        return Verdict("no-difference", f"No difference was shown over {over}.")
    if lift.estimate > 0:
        return Verdict("helps", f"The skill helps: scores are higher with it, over {over}.")
    return Verdict("hurts", f"The skill hurts: scores are lower with it, over {over}.")


def notes(report: RunReport) -> list[str]:
    """Return what a reader has to know before the numbers, the weightiest first."""
    return [*_origin(report), *_progress(report), *_measuring(report)]


def _origin(report: RunReport) -> Iterator[str]:
    settings = report.settings
    if settings.scripted:
        yield (
            "A script stood in for the models: the figures show that the machinery works, no more."
        )
    if settings.replay_of:
        yield f"A replay: the models’ answers were recorded in run {settings.replay_of}."
    elif settings.engine == "recorded":
        yield "A recording: the agents ran earlier, their logs were measured now."
    if report.stale:
        yield "The skill has changed since: these results are of an older text."


def _progress(report: RunReport) -> Iterator[str]:
    done = report.counts.get("done", 0)
    if report.state != "done":
        word = {"open": "not finished", "cancelled": "cancelled", "failed": "broken off"}
        state = word.get(report.state, report.state)
        why = f" ({report.reason})" if report.reason else ""
        yield f"The run is {state}{why}: {done} of {count(report.trials, 'trial')} have a result."
    if faults := len(report.faults):
        verbs = ("was", "counts") if faults == 1 else ("were", "count")
        trials = count(faults, "trial")
        yield f"{trials} {verbs[0]} ended by an error of the runner and {verbs[1]} nowhere."
    if report.summary.unpaired:
        names = listed(report.summary.unpaired)
        yield f"Only one arm has a score for {names}: left out of the lift."


def _measuring(report: RunReport) -> Iterator[str]:
    if not report.settings.judge and not report.judges:
        names = ", ".join(TITLES[name].lower() for name in JUDGED)
        yield f"No judge was set, so these have no value: {names}."
    known = {one.name for one in DIMENSIONS if one.name in report.compared}
    if report.lift and len(known) == 1:
        yield f"The lift compares {next(iter(known))} alone, nothing else was scored in both arms."
    failed = sum(
        bool(said.judgement.failure)
        for case in report.cases
        for one in case.attempts
        for said in one.judged.values()
    )
    if failed:
        yield f"{count(failed, 'answer')} of the judge could not be used: no value there."
    if len(report.judges) > 1:
        yield f"More than one judge or prompt was used: {listed(report.judges)}."


def blamed(one: CaseResult) -> str:
    """Return which part failed in how many attempts with the skill, "" if none did."""
    attempts = one.of(TREATED)
    number = sum(attempt.blame == one.blame for attempt in attempts)
    if not one.blame:
        return ""
    often = f" in {number} of {len(attempts)} attempts" if len(attempts) > 1 else ""
    return f"{BLAMED[one.blame]} failed{often}"


def blamed_short(one: CaseResult) -> str:
    """Return the same in as few words as there can be."""
    attempts = one.of(TREATED)
    number = sum(attempt.blame == one.blame for attempt in attempts)
    return f"{one.blame} failed {number}/{len(attempts)}" if one.blame else ""


def missing(report: RunReport) -> list[tuple[str, str]]:
    """Return each metric without a value in one of the arms or in some trials, with the reasons."""
    told: list[tuple[str, str]] = []
    for level in report.metrics:
        parts = [
            f"{one.reason} ({one.arm}, {count(one.trials, 'trial')})" for one in level.missing[:4]
        ]
        if parts:
            told.append((title(level.name), "; ".join(parts)))
    return told


def title(name: str) -> str:
    """Return the name of a metric or dimension for people."""
    return TITLES.get(name, name.replace("_", " ").capitalize())


def signed(value: float | None, digits: int = 2) -> str:
    """Return a difference with its sign; “0.00” has none."""
    if value is None or not math.isfinite(value):
        return NONE
    text = f"{abs(value):.{digits}f}"
    sign = "" if float(text) == 0 else "+" if value > 0 else "−"
    return f"{sign}{text}"


def score(value: float | None) -> str:
    """Return a score of 0 to 1."""
    return NONE if value is None else f"{value:.2f}"


def interval(found: Estimate | None, digits: int = 2) -> str:
    """Return the bounds, or the word for having none worth it."""
    if found is None:
        return NONE
    if found.low is None or found.high is None or found.precision == "insufficient":
        return "insufficient"
    return f"{signed(found.low, digits)} to {signed(found.high, digits)}"


def share(found: Share) -> str:
    """Return a share as counts and per cent, with its interval if it has one."""
    if found.share is None:
        return NONE
    told = f"{found.count} of {found.total} ({found.share:.0%})"
    if found.low is None or found.high is None:
        return told
    return f"{told}, 95% {found.low:.0%} to {found.high:.0%}"


def money(value: float | None) -> str:
    """Return US dollars, with as many digits as small amounts need."""
    if value is None:
        return NONE
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def number(value: float | None) -> str:
    """Return a number without decimals."""
    return NONE if value is None else f"{value:,.0f}"


def seconds(value: float | None) -> str:
    """Return a time."""
    if value is None:
        return NONE
    if value < 120:
        return f"{value:.1f} s"
    minutes = round(value / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def moment(value: float | None) -> str:
    """Return a time of day in UTC."""
    if value is None:
        return NONE
    return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M UTC")


def count(value: int, word: str, many: str = "") -> str:
    """Return a number with its word."""
    return f"{value:,} {word if value == 1 else many or f'{word}s'}"


def listed(values: Sequence[str], most: int = 5) -> str:
    """Return names one behind the other, not without end."""
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(values[:most]) + more


def p_value(value: float | None) -> str:
    """Return a chance as papers write it."""
    if value is None:
        return NONE
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
