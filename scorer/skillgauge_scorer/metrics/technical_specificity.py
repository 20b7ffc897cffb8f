"""B2: the body has the technical details that the task needs."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="B2",
    name="Technical specificity",
    dimension="Content",
    sees="body",
    meaning="The body has the details that the task needs: commands, parameters, values, names.",
    low="These lines stay general where an agent needs particulars",
    hint="Give the command, the parameter with its value, the path, the limit or the field that is"
    " meant.",
)
