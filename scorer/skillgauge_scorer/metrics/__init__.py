"""The metrics: a module each, which says what it sees, what it means and what to do about it."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from skillgauge_scorer.metrics._metric import Meaning as Meaning


@cache
def meanings() -> dict[str, Meaning]:
    """Return all metrics by code, in the order of their codes."""
    names = [found.name for found in pkgutil.iter_modules(__path__) if found.name[0] != "_"]
    found: list[Meaning] = [import_module(f"{__name__}.{name}").METRIC for name in names]
    return {item.code: item for item in sorted(found, key=lambda item: item.code)}
