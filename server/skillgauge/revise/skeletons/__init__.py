"""Skeletons: one module each, found by looking into this folder.

Each has `METRIC`, the code of the metric that it is for, and `drafts(facts)`, which yields what
the facts allow. A skeleton never adds what the text has already, so that another round offers less.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from skillgauge.revise.candidate import Draft
    from skillgauge.revise.facts import Facts


class Skeleton(Protocol):
    """What a module of this folder has."""

    METRIC: str

    def drafts(self, facts: Facts) -> Iterator[Draft]:
        """Yield what the facts allow."""
        ...


@cache
def all_skeletons() -> tuple[tuple[str, Skeleton], ...]:
    """Return the skeletons by their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(
        (name, cast("Skeleton", importlib.import_module(f"{__name__}.{name}")))
        for name in names
        if not name.startswith("_")
    )


def metrics() -> tuple[str, ...]:
    """Return the metrics that there is a skeleton for."""
    return tuple(sorted({skeleton.METRIC for _, skeleton in all_skeletons()}))
