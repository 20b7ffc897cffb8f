"""C2: the body says what goes in and what comes out."""

from __future__ import annotations

from typing import Final

from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="C2",
    name="Input and output explicitness",
    dimension="Execution",
    sees="body",
    meaning="The body says what goes in and what comes out: formats, fields, types, units.",
    low="These lines say little of what exactly goes in or comes out",
    hint="Name the format of the input and of the result: fields or columns, types, units, and an"
    " example of each.",
)
