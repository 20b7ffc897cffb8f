"""Revisions: skeletons from what the skill knows, harmless by the rules, and scored before shown.

Nobody is asked for scores here: who offers revisions scores `Candidate.apply(source)`, in whatever
way it reaches the scorer, and gives both profiles to `weigh`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from skillgauge.engine import check
from skillgauge.fix import with_text
from skillgauge.revise.candidate import Candidate, make
from skillgauge.revise.facts import Facts
from skillgauge.revise.offer import FALL, RISE, Offer, ranked, weigh
from skillgauge.revise.skeletons import all_skeletons, metrics

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.engine import Settings

__all__ = [
    "FALL",
    "MAX_CANDIDATES",
    "RISE",
    "Candidate",
    "Offer",
    "candidates",
    "harmless",
    "metrics",
    "ranked",
    "weigh",
]

MAX_CANDIDATES: Final = 24
"""Candidates of one text that are looked at: each costs a check and a score."""


def candidates(
    skill: Skill, settings: Settings | None = None, wanted: Iterable[str] | None = None
) -> list[Candidate]:
    """Return the candidates for some metrics, or all, that add no finding of a rule.

    A text whose code is not closed takes nothing: what is put behind it would be code.
    """
    if skill.problem or any(code.fenced and not code.closed for code in skill.markdown.code_blocks):
        return []
    facts = Facts(skill)
    chosen = None if wanted is None else frozenset(wanted)
    made: dict[str, Candidate] = {}
    for name, skeleton in all_skeletons():
        if chosen is not None and skeleton.METRIC not in chosen:
            continue
        for number, draft in enumerate(skeleton.drafts(facts)):
            found = make(skeleton.METRIC, f"{name}.{number}", draft)
            made.setdefault(found.apply(skill.source), found)
    found = list(made.values())[:MAX_CANDIDATES]
    return harmless(skill, found, settings)


def harmless(
    skill: Skill, found: Iterable[Candidate], settings: Settings | None = None
) -> list[Candidate]:
    """Return the candidates that leave no rule with more findings than before."""
    before = Counter(item.code for item in check(skill, settings, structure=False).findings)
    kept: list[Candidate] = []
    for candidate in found:
        after = with_text(skill, candidate.apply(skill.source))
        now = Counter(item.code for item in check(after, settings, structure=False).findings)
        if all(now[code] <= before[code] for code in now):
            kept.append(candidate)
    return kept
