"""Rounds of offers with whoever scores: all that may be shown, or one metric after another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skillgauge.revise import candidates, metrics
from skillgauge.revise.offer import FALL, Offer, ranked, weigh
from skillgauge.text import Text

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.engine import Settings
    from skillgauge.scores import Profile

Score = Callable[[str], "Profile"]
"""Returns the profile of a text."""


@dataclass(frozen=True, slots=True)
class Revised:
    """A text with the best offers applied, in their order."""

    text: str
    applied: tuple[Offer, ...]


def offers(
    skill: Skill,
    score: Score,
    settings: Settings | None = None,
    wanted: Iterable[str] | None = None,
) -> list[Offer]:
    """Return what may be shown, the largest rise first."""
    found = candidates(skill, settings, wanted)
    if not found:
        return []
    before = score(skill.source)
    weighed = (weigh(item, before, score(item.apply(skill.source))) for item in found)
    return ranked(item for item in weighed if item is not None)


def weakest_first(profile: Profile, wanted: Iterable[str] | None = None) -> list[str]:
    """Return the metrics that skeletons are for, that of the lowest probability first."""
    chosen = metrics() if wanted is None else [code for code in metrics() if code in set(wanted)]
    scores = profile.scores
    known = {code: scores[code].probability for code in chosen if code in scores}
    return sorted(known, key=lambda code: (known[code] is None, known[code] or 0.0, code))


def revise(
    skill: Skill,
    score: Score,
    settings: Settings | None = None,
    wanted: Iterable[str] | None = None,
) -> Revised:
    """Apply the best offer for each metric, the weakest first, each to the text before it."""
    now, applied = skill, list[Offer]()
    moved: dict[str, float] = defaultdict(float)  # how far each score is from where it began
    for code in weakest_first(score(skill.source), wanted):
        found = offers(now, score, settings, [code])
        best = next((offer for offer in found if _keeps(moved, offer)), None)
        if best is not None:
            applied.append(best)
            for other, change in best.changes.items():
                moved[other] += change
            now = replace(now, text=Text(best.candidate.apply(now.source)))
    return Revised(now.source, tuple(applied))


def _keeps(moved: Mapping[str, float], offer: Offer) -> bool:
    """Return whether all that was applied together still lowers no other score by much."""
    target = offer.candidate.metric
    changes = offer.changes.items()
    return all(moved[code] + change >= -FALL for code, change in changes if code != target)
