"""C1: the body leads from the input to the result without a gap."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="C1",
    name="Workflow integrity",
    dimension="Execution",
    sees="body",
    meaning="The steps follow each other and lead from the input to the result.",
    low="These lines hardly belong to a way that leads from the input to the result",
    hint="Put the steps into the order in which they are done, and say what each takes from the"
    " one before and how one sees that it is done.",
)
