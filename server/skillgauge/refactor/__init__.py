"""Refactorings: changes that an author asks for, which keep what the skill says.

One module each, found by looking into this folder; each has `offer(skill, span)`, which returns a
`Refactoring` or None. They are made lazily: an editor asks for many and applies few.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from skillgauge.rule import Edit

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.text import Span


@dataclass(frozen=True, slots=True)
class Refactoring:
    """A change to SKILL.md, with files of the skill's folder to make or remove."""

    title: str
    kind: str
    """The protocol's code action kind, such as `refactor.extract`."""
    edits: tuple[Edit, ...]
    created: dict[str, str] = field(default_factory=dict[str, str])
    """Relative path → content of each new file."""
    deleted: tuple[str, ...] = ()


def offers(skill: Skill, span: Span, name: str | None = None) -> Iterator[tuple[str, Refactoring]]:
    """Yield (module name, refactoring) for all that apply at a range, or the one of that name."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        if module.name.startswith("_") or name not in (None, module.name):
            continue
        found = importlib.import_module(f"{__name__}.{module.name}").offer(skill, span)
        if found is not None:
            yield module.name, found
