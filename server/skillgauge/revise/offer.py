"""What a candidate is worth: the change of every score, and whether it is offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skillgauge.revise.candidate import Candidate
    from skillgauge.scores import Profile

RISE: Final = 0.05
"""What the target metric has to gain, in standard deviations."""
FALL: Final = 0.2
"""What no other metric may lose more of."""
_SHOWN: Final = 0.005


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate with its measured change. `changes` are of z, by metric."""

    candidate: Candidate
    changes: Mapping[str, float]
    tokens: int

    @property
    def rise(self) -> float:
        """The change of the target metric."""
        return self.changes.get(self.candidate.metric, 0.0)

    @property
    def worst(self) -> float:
        """The lowest change of any other metric, 0 if none falls."""
        others = (gain for code, gain in self.changes.items() if code != self.candidate.metric)
        return min((0.0, *others))

    @property
    def good(self) -> bool:
        """Whether it may be shown: the target rises enough, and nothing else falls too much."""
        return self.rise >= RISE and self.worst >= -FALL

    @property
    def measured(self) -> str:
        """The change in words: “C2 +0.41, D1 +0.02, +118 tokens”."""
        target = self.candidate.metric
        others = sorted(code for code in self.changes if code != target)
        told = [f"{target} {self.changes[target]:+.2f}"]
        told += [
            f"{code} {self.changes[code]:+.2f}"
            for code in others
            if abs(self.changes[code]) >= _SHOWN
        ]
        return ", ".join([*told, f"{self.tokens:+,} tokens"])

    @property
    def title(self) -> str:
        """What is done, and the measured change."""
        return f"{self.candidate.title} ({self.measured})"


def weigh(candidate: Candidate, before: Profile, after: Profile) -> Offer | None:
    """Return a candidate with its change; None where the target has no score, or A1 breaks."""
    changes = {
        code: score.z - known.z
        for code, score in after.scores.items()
        if score.z is not None
        and (known := before.scores.get(code)) is not None
        and known.z is not None
    }
    if candidate.metric not in changes or (before.passed and not after.passed):
        return None
    return Offer(candidate, changes, after.tokens - before.tokens)


def ranked(offers: Iterable[Offer]) -> list[Offer]:
    """Return what may be shown, the largest rise first."""
    found = [offer for offer in offers if offer.good]
    return sorted(found, key=lambda offer: (-offer.rise, offer.candidate.name))
