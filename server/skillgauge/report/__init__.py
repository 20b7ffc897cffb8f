"""The formats of a report: one module each, found by looking into this folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import cast

from skillgauge.records import Run


def formats() -> tuple[str, ...]:
    """Return the names of all formats."""
    names = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    return tuple(sorted(name for name in names if name.isalpha()))


def render(name: str, run: Run) -> str:
    """Return the report of a run in a format."""
    module = import_module(f"{__name__}.{name}")
    return cast("Callable[[Run], str]", module.render)(run)
