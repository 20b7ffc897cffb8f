"""Runs the rules over a document: selects, sorts, suppresses, and survives a rule that raises."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Rule, Severity
from skillgauge.rules import all_rules
from skillgauge.structure import Structure, score
from skillgauge.suppress import Suppressions
from skillgauge.text import Span

log = logging.getLogger(__name__)

Document = Skill | EvalFile

MAX_FINDINGS_PER_RULE: Final = 200
"""What a rule finds beyond that in one document is dropped: a reader has seen the point."""

UNREADABLE: Final = "unreadable-file"
"""The one rule that runs on a file that can't be read."""

SPEC: Final = "spec"
"""The profile, and in `Skill.clients` the reader, that is the specification itself: its verdict
must not depend on where a skill lies or what a workspace targets."""

UNUSED: Final = "suppression-unused"
UNKNOWN: Final = "suppression-unknown"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked of one document: each enabled rule's code with its severity."""

    profile: str
    severities: dict[str, Severity]


@dataclass(frozen=True, slots=True)
class Result:
    """What was found. `structure` is None for evaluation files and unreadable documents."""

    findings: tuple[Finding, ...]
    structure: Structure | None
    suppressed: int = 0


def profile_settings(profile: str = "default") -> Settings:
    """Return the settings of a profile as it is."""
    severities = {rule.code: rule.severity(profile) for rule in all_rules()}
    return Settings(profile, {code: value for code, value in severities.items() if value})


def check(
    document: Document,
    settings: Settings | None = None,
    *,
    rules: Iterable[Rule] | None = None,
    structure: bool = True,
) -> Result:
    """Run the enabled rules (of `rules` if given) over a document. Never raises.

    With `structure`, the structural score is computed too, from every rule that has a deduction,
    enabled or not, suppressed or not.
    """
    settings = settings or profile_settings()
    if settings.profile == SPEC and isinstance(document, Skill):
        document = replace(document, clients=(SPEC,))
    target = "skill" if isinstance(document, Skill) else "evals"
    findings: list[Finding] = []
    fired: list[tuple[Rule, Finding]] = []
    scored = structure and target == "skill" and not document.problem
    for rule in all_rules() if rules is None else rules:
        severity = settings.severities.get(rule.code)
        deducts = scored and rule.deduction is not None
        if not severity and not deducts:
            continue
        if document.problem:
            if rule.name != UNREADABLE:
                continue
        elif rule.target != target:
            continue
        hits = run(rule, document)
        if deducts and hits:
            fired.append((rule, hits[0]))
        if severity:
            chosen = severity != rule.severity(settings.profile)
            findings.extend(
                replace(
                    hit,
                    code=rule.code,
                    rule=rule.name,
                    severity=severity if chosen else hit.level or severity,
                )
                for hit in hits
            )
    kept, suppressed = _suppress(document, findings, settings)
    kept.sort(key=lambda finding: (finding.span, finding.code))
    return Result(tuple(kept), score(fired) if scored else None, suppressed)


def run(rule: Rule, document: Any) -> list[Finding]:
    """Return what one rule finds. A rule that raises is one line in the log, and finds nothing."""
    hits: list[Finding] = []
    try:
        for hit in rule.check(document):
            hits.append(hit)
            if len(hits) >= MAX_FINDINGS_PER_RULE:
                break
    except Exception:
        log.exception("rule %s (%s) failed on %s", rule.code, rule.name, document.path or "a text")
    return hits


def _suppress(
    document: Document, findings: list[Finding], settings: Settings
) -> tuple[list[Finding], int]:
    """Drop what comments in the document suppress; comments without effect are findings too."""
    if not isinstance(document, Skill) or "skillgauge:" not in document.source:
        return findings, 0
    suppressions = Suppressions.read(document)
    kept = [finding for finding in findings if not suppressions.covers(finding)]
    dropped = len(findings) - len(kept)
    by_name = {rule.name: rule for rule in all_rules()}
    for name, places in (
        (UNKNOWN, suppressions.unknown()),
        (UNUSED, suppressions.unused(settings.severities.keys())),
    ):
        rule = by_name.get(name)
        severity = settings.severities.get(rule.code) if rule else None
        if rule and severity:
            for finding in places:
                kept.append(replace(finding, code=rule.code, rule=name, severity=severity))
    return kept, dropped


def whole(document: Document) -> Span:
    """Return the range of the first line: where a finding about the file itself points."""
    return document.text.line_span(0)
