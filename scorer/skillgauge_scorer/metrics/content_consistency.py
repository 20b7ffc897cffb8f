"""B1: the body does what the description promises."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="B1",
    name="Content consistency",
    dimension="Content",
    sees="description and body",
    meaning="The body is about the task that the description promises.",
    low="These lines fit the description least",
    hint="Say in the description what the body does, or move what is about another task into a"
    " skill of its own.",
)
