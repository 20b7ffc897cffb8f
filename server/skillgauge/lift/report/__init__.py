"""Reports on a lift run: the formats are modules of this folder, found by looking into it.

`build` reads the journal, a format only shows what it made: the same numbers stand in each.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, cast

from skillgauge.errors import UserError

if TYPE_CHECKING:
    from skillgauge.lift.journal_reader import JournalReader
    from skillgauge.lift.report._model import RunReport


def build(reader: JournalReader, run: str, *, trajectories: bool = True) -> RunReport:
    """Return what there is to say of a run; UserError if there is none of that id.

    `trajectories` are needed by the page alone, and are the most of what is read.
    """
    from skillgauge.lift.report._build import report_of

    return report_of(reader, run, trajectories=trajectories)


def formats() -> tuple[str, ...]:
    """Return the names of all formats."""
    names = (os.path.splitext(name) for name in os.listdir(os.path.dirname(__file__)))
    return tuple(sorted(name for name, kind in names if kind == ".py" and name.isalpha()))


def render(report: RunReport, name: str, *, color: bool = False) -> str:
    """Return the report in a format; `color` is for a terminal that has colours."""
    if name not in formats():
        raise UserError(f"There is no format “{name}”", how=f"Choose one of {', '.join(formats())}")
    module = import_module(f"{__name__}.{name}")
    return cast("Callable[[RunReport], str]", module.render)(replace(report, color=color))
