"""Applies fixes: never two that overlap, in passes, until nothing is left to mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill
from skillgauge.engine import MAX_FINDINGS_PER_RULE, Document, Settings, check
from skillgauge.rule import Edit, Finding
from skillgauge.rules import by_key
from skillgauge.text import Text

MAX_PASSES = 50


@dataclass(frozen=True, slots=True)
class Fixed:
    """A mended text, the findings whose fixes were applied, and a new file name if one asks so."""

    text: str
    applied: tuple[Finding, ...]
    rename: str | None = None


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with edits applied, which must not overlap; all else stays byte for byte."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        parts.append(text[at : edit.span.start])
        parts.append(edit.text)
        at = edit.span.end
    parts.append(text[at:])
    return "".join(parts)


def select(findings: Iterable[Finding], *, unsafe: bool = False) -> list[Finding]:
    """Return the findings whose fixes can be applied together, first come first served."""
    taken: list[Edit] = []
    chosen: list[Finding] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or not (fix.safe or unsafe):
            continue
        if any(_clash(edit, other) for edit in fix.edits for other in taken):
            continue
        taken.extend(fix.edits)
        chosen.append(finding)
    return chosen


def _clash(one: Edit, other: Edit) -> bool:
    return one.span.overlaps(other.span)


def fix(document: Document, settings: Settings | None = None, *, unsafe: bool = False) -> Fixed:
    """Fix a document until a pass changes nothing.

    A fix that would make a new finding of another rule, or not remove its own, is not applied.
    """
    applied: list[Finding] = []
    rename: str | None = None
    refused: set[tuple[str, str]] = set()
    current = document
    for _ in range(MAX_PASSES):
        found = check(current, settings, structure=False).findings
        open_findings = [
            finding for finding in found if (finding.code, finding.message) not in refused
        ]
        chosen = select(open_findings, unsafe=unsafe)
        renamed = [finding for finding in chosen if finding.fix and finding.fix.rename]
        if renamed and rename is None and renamed[0].fix:
            rename = renamed[0].fix.rename
            applied.append(renamed[0])
        chosen = [finding for finding in chosen if finding.fix and finding.fix.edits]
        if not chosen:
            break
        better = _attempt(current, chosen, found, settings)
        if better is None:  # one of them does harm: find it
            for finding in chosen:
                better = _attempt(current, [finding], found, settings)
                if better is not None:
                    chosen = [finding]
                    break
                refused.add((finding.code, finding.message))
        if better is None:
            continue
        applied.extend(chosen)
        current = better
        refused.clear()  # what did harm before may help now
    return Fixed(current.source, tuple(applied), rename)


def mends(
    document: Document,
    finding: Finding,
    before: tuple[Finding, ...],
    settings: Settings | None = None,
) -> bool:
    """Return whether a finding's fix removes it and makes no other, so that it may be offered.

    `before` has all findings of the document. A new name for the file is taken as it is.
    """
    if finding.fix is None:
        return False
    return not finding.fix.edits or _attempt(document, [finding], before, settings) is not None


def _attempt(
    document: Document,
    chosen: list[Finding],
    before: tuple[Finding, ...],
    settings: Settings | None,
) -> Document | None:
    """Return the document after the fixes, or None if they did not help or did harm."""
    edits = [edit for finding in chosen if finding.fix for edit in finding.fix.edits]
    text = apply_edits(document.source, edits)
    if text == document.source:
        return None
    after = with_text(document, text)
    counts = Counter(finding.code for finding in before)
    now = Counter(finding.code for finding in check(after, settings, structure=False).findings)
    asked = Counter(finding.code for finding in chosen)
    # An entry that can be read again may show faults that it hid: those are not the fix's doing.
    reveals = any(by_key()[finding.code].reveals for finding in chosen)
    harmed = not reveals and any(now[code] > counts[code] for code in now if code not in asked)
    helped = all(
        now[code] < counts[code] or counts[code] >= MAX_FINDINGS_PER_RULE for code in asked
    )
    return after if helped and not harmed else None


def with_text(document: Document, text: str) -> Document:
    """Return the same document with another text."""
    if isinstance(document, Skill):
        return replace(document, text=Text(text))
    assert isinstance(document, EvalFile)
    return replace(document, text=Text(text))
