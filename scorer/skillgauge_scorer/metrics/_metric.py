"""What is to be said of a metric, apart from its numbers, which are in the bundle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Sees = Literal["file", "description", "description and body", "body"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A metric as people read of it."""

    code: str
    name: str
    dimension: str
    sees: Sees
    meaning: str
    """What a high score says."""
    low: str
    """What may be wrong where the score is low; “these lines” are those that pull it down most."""
    hint: str
    """What to do then."""
