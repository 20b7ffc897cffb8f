"""D1: the body says what can go wrong, how to notice, and what to do then."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="D1",
    name="Failure awareness",
    dimension="Robustness",
    sees="body",
    meaning="The body says what can go wrong, by which sign one notices, and what to do then.",
    low="These lines say nothing of what can go wrong",
    hint="For each step that can fail, name the sign of the failure, its usual cause, and the way"
    " back.",
)
