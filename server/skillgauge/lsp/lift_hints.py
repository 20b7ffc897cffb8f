"""Diagnostics of lift runs: at each case its last result, and the assertions that it didn't meet.

A result belongs to the case with its id, wherever that stands by now. What was measured of another
text of the skill is marked as stale; an assertion that reads otherwise now has no result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types as lsp

from skillgauge.document.evals import EvalFile
from skillgauge.lsp.convert import to_range
from skillgauge.lsp.lift_words import ARMS, PARTS, signed, tidy, value

if TYPE_CHECKING:
    from skillgauge.document.eval_case import EvalCase
    from skillgauge.lsp.lift_state import CaseResult, Found, Run, SkillRuns, Unsatisfied
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Span

SOURCE: Final = "skillgauge lift"
"""Not the `source` of findings: nothing of theirs, fixes or switches, is for these."""
MAX_TEXT: Final = 300
"""Characters of a quote or a reason that are shown."""
STALE: Final = " (stale: the skill has changed since)"
TREATED: Final = "with-skill"


class Hint(NamedTuple):
    """What is shown at one place."""

    span: Span
    code: str
    message: str
    notable: bool
    """Whether it asks to be looked at; the others are hints."""
    run: Run
    result: CaseResult


def hints(server: SkillgaugeServer, snapshot: Snapshot) -> list[lsp.Diagnostic]:
    """Return what there is to show in an evaluation file."""
    return [_diagnostic(server, snapshot, hint) for hint in found(server, snapshot)]


def digest(server: SkillgaugeServer, snapshot: Snapshot) -> str:
    """Return a hash of the hints, empty without any."""
    shown = [(*hint[:4], hint.run.id, hint.result.id) for hint in found(server, snapshot)]
    return hashlib.blake2b(repr(shown).encode(), digest_size=8).hexdigest() if shown else ""


def found(server: SkillgaugeServer, snapshot: Snapshot) -> list[Hint]:
    """Return the hints in the order of the cases."""
    runs = server.lift.of(snapshot)
    if runs is None:
        return []
    made: list[Hint] = []
    stale = {run.id for run in runs.runs if server.lift.is_stale(run)}
    for case, results in results_by_case(snapshot, runs):
        for run, result in results:
            for hint in _of_case(case, run, result):
                late = hint.run.id in stale
                told = f"{hint.message}{STALE}" if late else hint.message
                made.append(hint._replace(message=told, notable=hint.notable and not late))
    return made


def results_by_case(
    snapshot: Snapshot, runs: SkillRuns
) -> Iterator[tuple[EvalCase, tuple[Found, ...]]]:
    """Yield the cases of an evaluation file that have results, each id once."""
    document = snapshot.document
    seen: set[str] = set()
    for case in document.cases if isinstance(document, EvalFile) else ():
        name = id_of(case)
        if name in runs.results and name not in seen:
            seen.add(name)
            yield case, runs.results[name]


def id_of(case: EvalCase) -> str:
    """Return the id by which runs know a case."""
    name = case.id.text.strip() if case.id else ""
    return name or f"case-{case.index + 1}"


def place_of(case: EvalCase) -> Span:
    """Return where a result is shown: the id, or what stands first."""
    return case.id.span if case.id and case.id.text.strip() else case.head


def _of_case(case: EvalCase, run: Run, result: CaseResult) -> Iterator[Hint]:
    code, message, notable, others = _texts(result)
    yield Hint(place_of(case), code, message, notable, run, result)
    for assertion, told in others:
        if (span := _assertion(case, assertion)) is not None:
            yield Hint(span, "lift-assertion", told, True, run, result)


@lru_cache(maxsize=1024)
def _texts(result: CaseResult) -> tuple[str, str, bool, tuple[tuple[str, str], ...]]:
    """Return what is said of a result, and of each assertion that it does not meet."""
    prefix = _prefix(result)
    others = tuple(
        (item.assertion.strip(), prefix + _unsatisfied(item, result))
        for item in result.unsatisfied
        if item.arm == TREATED
    )
    if result.blame:
        reason = f": {tidy(result.reason, MAX_TEXT)}" if result.reason.strip() else ""
        message = f"{prefix}{_part(result)} failed{reason} ({_values(result)})"
        return "lift-failed", message, True, others
    if result.lift is not None and result.lift < 0:
        message = f"{prefix}better without the skill: {_values(result)}"
        return "lift-negative", message, True, others
    return "lift-result", f"{prefix}{_values(result)}", False, others


def _prefix(result: CaseResult) -> str:
    return f"{tidy(result.harness, 60)}: " if result.harness else ""


def _values(result: CaseResult) -> str:
    told = f"{value(result.treated)} with the skill, {value(result.control)} without"
    return f"lift {signed(result.lift)}, {told}" if result.lift is not None else told


def _assertion(case: EvalCase, text: str) -> Span | None:
    """Return where an assertion stands, None if it does no more."""
    return next((one.span for one in case.assertions if one.text.strip() == text), None)


def _unsatisfied(item: Unsatisfied, result: CaseResult) -> str:
    parts = [f"not satisfied {ARMS[TREATED]}"]
    if item.attempts > 1:
        parts.append(f" in {item.failed} of {item.attempts} attempts")
    if item.quote.strip():
        parts.append(f": “{tidy(item.quote, MAX_TEXT)}”")
    parts.append(".")
    if item.reason.strip():
        parts.append(f" {tidy(item.reason, MAX_TEXT).rstrip('.')}.")
    if result.blame:
        parts.append(f" What failed was {_part(result)}.")
    return "".join(parts)


def _part(result: CaseResult) -> str:
    return PARTS.get(result.blame, tidy(result.blame, 40))


def _diagnostic(server: SkillgaugeServer, snapshot: Snapshot, hint: Hint) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity.Information if hint.notable else lsp.DiagnosticSeverity.Hint
    result = hint.result
    return lsp.Diagnostic(
        range=to_range(snapshot.text, hint.span, server.session.encoding),
        message=hint.message,
        severity=severity,
        code=hint.code,
        source=SOURCE,
        data={"run": hint.run.id, "case": result.id, "harness": result.harness},
    )
