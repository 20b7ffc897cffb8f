"""From a harness's own log to a trajectory: one converter a file, found by looking here.

A converter is a module with `LOGS`, the places of its logs below the home folder as patterns, and
`convert(logs, told)`; one whose logs are not JSON has `load(path)` too, and one that can do with
what the harness printed has `STDOUT`. Its name is the harness's, with “_” for “-”.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from skillgauge.errors import InputError, UserError

if TYPE_CHECKING:
    from skillgauge.lift.trajectory._raw import Log
    from skillgauge.lift.trajectory.atif import Trajectory

MAX_LOGS: Final = 200
"""How many logs of one run are read; the oldest names first."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the runner knows beside the log, for what a log may not say."""

    prompt: str = ""
    model: str = ""
    version: str = ""
    session: str = ""
    """The session's id, if the harness printed it: which log is the run's own."""


class Converter(Protocol):
    """What a converter's module offers."""

    LOGS: tuple[str, ...]

    def convert(self, logs: Sequence[Log], told: Told) -> Trajectory | None:
        """Return the trajectory of a run; None if the logs hold no step."""
        ...


def harnesses() -> tuple[str, ...]:
    """Return the names of the harnesses whose logs can be converted."""
    names = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    return tuple(
        sorted(
            name.replace("_", "-")
            for name in names
            if name.isidentifier() and not name.startswith("_") and name != "atif"
        )
    )


def find_logs(harness: str, home: Path) -> list[Path]:
    """Return the logs of a harness below a home folder; nothing that a link leads to."""
    root = home.resolve()
    found = {
        path
        for pattern in _converter(harness).LOGS
        for path in home.glob(pattern)
        if path.is_file() and path.resolve() == root / path.relative_to(home)
    }
    return sorted(found)[:MAX_LOGS]


def reads_output(harness: str) -> bool:
    """Return whether what a harness printed is its log where it left none."""
    return bool(getattr(_converter(harness), "STDOUT", False))


def convert(harness: str, paths: Sequence[Path], told: Told | None = None) -> Trajectory:
    """Return the trajectory that logs tell of; InputError if not one step can be read."""
    from skillgauge.lift.trajectory._raw import load

    converter = _converter(harness)
    reader = getattr(converter, "load", load)
    logs = [log for path in paths if (log := reader(path))]
    found = converter.convert(logs, told or Told())
    if found and found.steps:
        return found
    names = ", ".join(path.name for path in paths[:3]) or "there is no log"
    faults = " ".join(log.note for log in logs if log.note)
    why = f"{names}: no step could be read. {faults}".rstrip(". ") if paths else names
    raise InputError(f"The log of {harness} can't be converted", why)


def _converter(harness: str) -> Converter:
    known = harnesses()
    if harness not in known:
        how = f"Choose one of {', '.join(known)}"
        raise UserError(f"There is no converter for the logs of “{harness}”", how=how)
    module = import_module(f"{__name__}.{harness.replace('-', '_')}")
    return cast("Converter", module)
