"""Runs the rules over a document: selects, sorts, suppresses, and survives a rule that raises."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Rule, Severity, Target
from skillgauge.rules import all_rules
from skillgauge.structure import Structure, score
from skillgauge.suppress import MARK, Suppressions
from skillgauge.text import Span

log = logging.getLogger(__name__)

Document = Skill | EvalFile

MAX_FINDINGS_PER_RULE: Final = 200
"""What a rule finds beyond that in one document is dropped: a reader has seen the point."""

UNREADABLE: Final = {"skill": "unreadable-file", "evals": "evals-unreadable"}
"""The one rule for each kind of document that runs on a file that can't be read."""

SPEC: Final = "spec"
"""The profile, and in `Skill.clients` the reader, that is the specification itself: its verdict
must not depend on where a skill lies or what a workspace targets."""


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
    rules = all_rules() if rules is None else tuple(rules)
    if settings.profile == SPEC and isinstance(document, Skill):
        document = replace(document, clients=(SPEC,))
    target: Target = "skill" if isinstance(document, Skill) else "evals"
    findings: list[Finding] = []
    fired: list[tuple[Rule, Finding]] = []
    scored = structure and target == "skill" and not document.problem
    for rule in rules:
        if rule.target != target:
            continue
        enabled = rule.code in settings.severities
        deducts = scored and rule.deduction is not None
        if not enabled and not deducts:
            continue
        if document.problem and rule.name != UNREADABLE[target]:
            continue
        # A deduction is taken once, so that of a rule that is off the first finding is enough.
        hits = _hits(rule, document, document, MAX_FINDINGS_PER_RULE if enabled else 1)
        if not hits:
            continue
        if deducts:
            fired.append((rule, hits[0]))
        if enabled:
            findings += _stamped(rule, hits, settings)
    dropped = 0
    if isinstance(document, Skill) and MARK in document.source:
        suppressions = Suppressions.read(document, _names(), settings.severities)
        kept = [finding for finding in findings if not suppressions.covers(finding)]
        dropped, findings = len(findings) - len(kept), kept
        for rule in rules:
            if rule.target == "suppressions" and rule.code in settings.severities:
                findings += _stamped(rule, _hits(rule, suppressions, document), settings)
    findings.sort(key=lambda finding: (finding.span, finding.code))
    return Result(tuple(findings), score(fired) if scored else None, dropped)


def run(rule: Rule, document: Document) -> list[Finding]:
    """Return what one rule finds, suppressed or not, without code and severity."""
    if rule.target != "suppressions":
        return _hits(rule, document, document)
    if not isinstance(document, Skill):
        return []
    settings = profile_settings("strict")
    suppressions = Suppressions.read(document, _names(), settings.severities)
    for other in all_rules():
        if other.target == "skill":
            for finding in _stamped(other, _hits(other, document, document), settings):
                suppressions.covers(finding)
    return _hits(rule, suppressions, document)


def _hits(
    rule: Rule, subject: Any, document: Document, limit: int = MAX_FINDINGS_PER_RULE
) -> list[Finding]:
    """Run a rule. One that raises is a line in the log, and what it found before counts."""
    hits: list[Finding] = []
    try:
        for hit in rule.check(subject):
            hits.append(hit)
            if len(hits) >= limit:
                break
    except Exception:
        log.exception("rule %s (%s) failed on %s", rule.code, rule.name, document.path or "a text")
    return hits


def _stamped(rule: Rule, hits: list[Finding], settings: Settings) -> Iterator[Finding]:
    """Yield findings with their rule and severity: a chosen one, else the finding's own."""
    severity = settings.severities[rule.code]
    chosen = severity != rule.severity(settings.profile)
    for hit in hits:
        level = severity if chosen else hit.level or severity
        # What `replace` would make, at half the price: this runs for every finding.
        yield Finding(
            hit.span,
            hit.message,
            hit.fix,
            hit.related,
            hit.tags,
            rule.code,
            rule.name,
            level,
            hit.level,
        )


@cache
def _names() -> dict[str, str]:
    return {rule.name: rule.code for rule in all_rules()}


def whole(document: Document) -> Span:
    """Return the range of the first line: where a finding about the file itself points."""
    return document.text.line_span(0)
