"""Revisions: skeletons from what the skill knows, harmless by the rules, and scored before shown.

Nobody is asked for scores here: who offers revisions scores `Candidate.apply(source)`, in whatever
way it reaches the scorer, and gives both profiles to `weigh`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.engine import check
from skillgauge.fix import with_text
from skillgauge.revise.candidate import CLOSE, OPEN, Candidate, make
from skillgauge.revise.facts import Facts
from skillgauge.revise.offer import FALL, RISE, Offer, ranked, weigh
from skillgauge.revise.skeletons import all_skeletons, metrics

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.engine import Document, Settings

__all__ = [
    "FALL",
    "MAX_CANDIDATES",
    "RISE",
    "Candidate",
    "Offer",
    "candidates",
    "metrics",
    "ranked",
    "stepwise",
    "weigh",
]

MAX_CANDIDATES: Final = 24
"""Candidates of one text that are looked at: each costs a check and a score."""

MAX_TEXT: Final = 200_000
"""Characters of a text that is revised; one that is longer has other faults first."""


def candidates(
    skill: Skill, settings: Settings | None = None, wanted: Iterable[str] | None = None
) -> list[Candidate]:
    """Return the candidates for some metrics, or all, that add no finding of a rule."""
    return [found for found in stepwise(skill, settings, wanted) if found is not None]


def stepwise(
    skill: Skill, settings: Settings | None = None, wanted: Iterable[str] | None = None
) -> Iterator[Candidate | None]:
    """Yield the candidates as they are found, and None where somebody else may have a turn.

    A text whose code is not closed takes nothing: what is put behind it would be code.
    """
    if skill.problem or len(skill.source) > MAX_TEXT or {OPEN, CLOSE} & set(skill.source):
        return
    if any(code.fenced and not code.closed for code in skill.markdown.code_blocks):
        return
    facts = Facts(skill)
    for _ in facts.reading():
        yield None
    found: list[Candidate] = []
    for candidate in _drafted(facts, None if wanted is None else frozenset(wanted)):
        found.append(candidate)
        yield None
    if not found:
        return
    before = _counts(skill, settings)
    for candidate in found[:MAX_CANDIDATES]:
        yield None
        now = _counts(with_text(skill, candidate.apply(skill.source)), settings)
        if all(now[code] <= before[code] for code in now):
            yield candidate


def _drafted(facts: Facts, wanted: frozenset[str] | None) -> Iterator[Candidate]:
    """Yield what the skeletons draft, of equal ones the first."""
    seen: set[str] = set()
    for name, skeleton in all_skeletons():
        if wanted is not None and skeleton.METRIC not in wanted:
            continue
        for number, draft in enumerate(skeleton.drafts(facts)):
            found = make(skeleton.METRIC, f"{name}.{number}", draft)
            if (text := found.apply(facts.skill.source)) not in seen:
                seen.add(text)
                yield found


def _counts(document: Document, settings: Settings | None) -> Counter[str]:
    found = check(document, settings, structure=False).findings
    return Counter(item.code for item in found)
