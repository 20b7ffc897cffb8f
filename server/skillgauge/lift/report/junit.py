"""JUnit XML: a test case for each case on each harness, failed where the agent with the skill did.

What the runner did wrong is an error, not a failure; a case without a result is skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from html import escape
from typing import Final

from skillgauge.lift.metrics.dimensions import PASS
from skillgauge.lift.pairing import TREATED
from skillgauge.lift.report._model import CaseResult, RunReport, Scope
from skillgauge.lift.report._words import BLAMED, notes, score, signed, verdict

MAX_TEXT: Final = 2_000
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: RunReport) -> str:
    """Return the document."""
    suites = [list(_suite(report, scope)) for scope in report.scopes]
    lines = [line for suite in suites for line in suite]
    name = _xml(f"skillgauge lift: {report.skill}")
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="{name}" {_totals(lines)}>',
            *lines,
            "</testsuites>",
            "",
        ]
    )


def _totals(lines: list[str]) -> str:
    counts = {
        "tests": "<testcase ",
        "failures": "<failure ",
        "errors": "<error ",
        "skipped": "<skipped ",
    }
    sums = {key: sum(line.lstrip().startswith(tag) for line in lines)
            for key, tag in counts.items()}  # fmt: skip
    return " ".join(f'{key}="{value}"' for key, value in sums.items())


def _suite(report: RunReport, scope: Scope) -> Iterator[str]:
    cases = [one for one in report.cases if one.cell == scope.cell]
    body = [line for one in cases for line in _case(one)]
    time = math.fsum(_seconds(one) for one in cases)
    yield f'  <testsuite name="{_xml(str(scope.cell))}" {_totals(body)} time="{time:.3f}">'
    yield "    <properties>"
    yield from (_property(*pair) for pair in _facts(report, scope))
    yield "    </properties>"
    yield from body
    yield "  </testsuite>"


def _facts(report: RunReport, scope: Scope) -> Iterator[tuple[str, str]]:
    yield "run", report.run
    yield "digest", report.digest
    yield "verdict", verdict(report).sentence
    if scope.lift:
        yield "lift", f"{scope.lift.estimate:.4f}"
        yield "precision", scope.lift.precision
    yield from (("note", note) for note in notes(report))


def _property(name: str, value: str) -> str:
    return f'      <property name="{name}" value="{_xml(value)}"/>'


def _case(one: CaseResult) -> Iterator[str]:
    head = f'    <testcase classname="lift.{_xml(str(one.cell))}" name="{_xml(one.case.id)}"'
    yield f'{head} time="{_seconds(one):.3f}">'
    yield from _outcome(one)
    figures = f"score {score(one.treated)} with the skill, {score(one.control)} without"
    yield f"      <system-out>{_xml(f'{figures}, lift {signed(one.lift)}')}</system-out>"
    yield "    </testcase>"


def _outcome(one: CaseResult) -> Iterator[str]:
    attempts = one.of(TREATED)
    faults = [attempt.reason for attempt in attempts if attempt.state == "infra-error"]
    if one.treated is None and faults:
        yield f'      <error type="infrastructure" message="{_xml(faults[0])}"/>'
    elif one.treated is None:
        why = "no attempt with the skill has a score"
        yield f'      <skipped message="{why}"/>'
    elif one.treated < PASS:
        message = f"{one.treated:.2f} with the skill, {PASS:.2f} passes"
        kind = f"{BLAMED[one.blame]} failed" if one.blame else "not passed"
        text = _xml("\n".join(_unmet(one)))
        yield f'      <failure type="{_xml(kind)}" message="{_xml(message)}">{text}</failure>'


def _unmet(one: CaseResult) -> Iterator[str]:
    if one.blame_reason:
        yield one.blame_reason
    for attempt in one.of(TREATED):
        for unmet in attempt.unmet:
            quote = f" (“{unmet.quote}”)" if unmet.quote else ""
            yield f"attempt {attempt.trial.attempt}, {unmet.metric}: {unmet.text}{quote}"


def _seconds(one: CaseResult) -> float:
    return math.fsum(attempt.ran.seconds for attempt in one.attempts if attempt.ran)


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text[:MAX_TEXT]))
