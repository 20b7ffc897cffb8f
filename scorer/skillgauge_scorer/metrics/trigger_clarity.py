"""A2: the description says in which situations the skill is to be used."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="A2",
    name="Trigger clarity",
    dimension="Applicability",
    sees="description",
    meaning="The description names the situations in which an agent is to use the skill.",
    low="The description hardly says in which situation an agent is to use this skill",
    hint="Name the occasion: what the user asks for or has at hand when this skill is the right"
    " one, and where another one is.",
)
