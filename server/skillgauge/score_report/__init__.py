"""Reports on scores: the formats are modules of this folder, found by looking into it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from skillgauge.scores import Profile, Scorer
    from skillgauge.text import Text


@dataclass(frozen=True, slots=True)
class Scored:
    """A skill with its profile, also as the scorer said it."""

    path: str
    """As it is shown."""
    text: Text
    profile: Profile
    plain: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """What a report may show."""

    scorer: Scorer
    skills: tuple[Scored, ...]
    explain: tuple[str, ...] = ()
    """The metrics whose sources are shown line by line."""
    color: bool = False
    width: int = 100


def formats() -> tuple[str, ...]:
    """Return the names of all formats."""
    names = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    return tuple(sorted(name for name in names if name.isalpha()))


def render(name: str, run: ScoreRun) -> str:
    """Return the report of a run in a format."""
    module = import_module(f"{__name__}.{name}")
    return cast("Callable[[ScoreRun], str]", module.render)(run)
