"""Applies fixes: never two that overlap, in passes, until nothing is left to mend."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill
from skillgauge.engine import MAX_FINDINGS_PER_RULE, Document, Settings, check
from skillgauge.rule import Edit, Finding
from skillgauge.rules import by_key
from skillgauge.text import Text

MAX_PASSES: Final = 50
MAX_FAILURES: Final = 8
"""Fixes of one rule that are tried in vain, one by one, before the others of it are left alone."""
SECONDS: Final = 3.0
"""Processor time for one document: fixing a large real one takes a tenth of that. Whoever is
waited for by an editor gives less."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A mended text, the findings whose fixes were applied, and a new file name if one asks so."""

    text: str
    applied: tuple[Finding, ...]
    rename: str | None = None
    stopped: bool = False
    """Whether the time was up first: what was done stands, and another run would do more."""


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


@dataclass(frozen=True, slots=True)
class _State:
    """A document with all its findings."""

    document: Document
    findings: tuple[Finding, ...]


def fix(
    document: Document,
    settings: Settings | None = None,
    *,
    unsafe: bool = False,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.process_time,
) -> Fixed:
    """Fix a document until a pass changes nothing, or the time is up.

    A fix that would make a new finding of another rule, or not remove its own, is not applied.
    What was applied by the time that is up has been checked, so the text is as good as any.
    """
    until = clock() + seconds
    applied: list[Finding] = []
    rename: str | None = None
    refused: set[tuple[str, str]] = set()
    now = _State(document, check(document, settings, structure=False).findings)
    for _ in range(MAX_PASSES):
        chosen = select(
            (item for item in now.findings if (item.code, item.message) not in refused),
            unsafe=unsafe,
        )
        renamed = [finding for finding in chosen if finding.fix and finding.fix.rename]
        if renamed and rename is None and renamed[0].fix:
            rename = renamed[0].fix.rename
            applied.append(renamed[0])
        chosen = [finding for finding in chosen if finding.fix and finding.fix.edits]
        if not chosen:
            return Fixed(now.document.source, tuple(applied), rename)
        search = _Search(now, settings, refused)
        found = search.best(chosen, lambda: clock() >= until)
        if found is not None:
            taken, now = found
            applied.extend(taken)
            refused.clear()  # what did harm before may help now
        elif search.over:
            break
    return Fixed(now.document.source, tuple(applied), rename, stopped=True)


class _Search:
    """Looks for the largest group of fixes that helps and does no harm."""

    def __init__(
        self, state: _State, settings: Settings | None, refused: set[tuple[str, str]]
    ) -> None:
        self.state, self.settings, self.refused = state, settings, refused
        self.failures: Counter[str] = Counter()
        self.over = False

    def best(
        self, chosen: list[Finding], is_over: Callable[[], bool]
    ) -> tuple[list[Finding], _State] | None:
        """Return the first group that helps: all, else those of one rule, else half of those.

        Single fixes that don't help are added to the refused ones.
        """
        groups = deque([chosen])
        while groups:
            group = groups.popleft()
            code = group[0].code
            if len({item.code for item in group}) == 1 and self.failures[code] >= MAX_FAILURES:
                self.refused.update((item.code, item.message) for item in group)
                continue
            if self.over or is_over():
                self.over = True
                return None
            better = _attempt(self.state.document, group, self.state.findings, self.settings)
            if better is not None:
                return group, better
            if len(group) == 1:
                self.failures[code] += 1
                self.refused.add((code, group[0].message))
            else:
                groups.extendleft(reversed(_parts(group)))
        return None


def _parts(group: list[Finding]) -> list[list[Finding]]:
    """Return the fixes of a group rule by rule, or the halves where they are all of one."""
    by_code: dict[str, list[Finding]] = {}
    for finding in group:
        by_code.setdefault(finding.code, []).append(finding)
    if len(by_code) > 1:
        return list(by_code.values())
    middle = len(group) // 2
    return [group[:middle], group[middle:]]


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
) -> _State | None:
    """Return the document after the fixes, or None if they did not help or did harm."""
    edits = [edit for finding in chosen if finding.fix for edit in finding.fix.edits]
    text = apply_edits(document.source, edits)
    if text == document.source:
        return None
    after = with_text(document, text)
    found = check(after, settings, structure=False).findings
    counts = Counter(finding.code for finding in before)
    now = Counter(finding.code for finding in found)
    asked = Counter(finding.code for finding in chosen)
    # An entry that can be read again may show faults that it hid: those are not the fix's doing.
    reveals = any(by_key()[finding.code].reveals for finding in chosen)
    harmed = not reveals and any(now[code] > counts[code] for code in now if code not in asked)
    helped = all(
        now[code] < counts[code] or counts[code] >= MAX_FINDINGS_PER_RULE for code in asked
    )
    return _State(after, found) if helped and not harmed else None


def with_text(document: Document, text: str) -> Document:
    """Return the same document with another text."""
    if isinstance(document, Skill):
        return replace(document, text=Text(text))
    assert isinstance(document, EvalFile)
    return replace(document, text=Text(text))
