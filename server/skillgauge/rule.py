"""What a rule is: `Rule`, `Finding`, `Fix`, `Edit`, `Severity` and the `@rule` decorator."""

from __future__ import annotations

import enum
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from skillgauge.text import Position, Span

PROFILES: Final = ("default", "spec", "aces", "strict")
Profile = Literal["default", "spec", "aces", "strict"]
Dimension = Literal["correctness", "discoverability", "reliability", "efficiency"]
Target = Literal["skill", "evals", "suppressions"]
Need = Literal["folder", "workspace", "clients"]


class Severity(enum.IntEnum):
    """How bad a finding is; the larger, the worse."""

    HINT = 1
    INFO = 2
    WARNING = 3
    ERROR = 4

    @property
    def label(self) -> str:
        """The lower-case word that reports and configuration use."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in place of a range; an empty range inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A mend. Safe ones keep the author's meaning for certain and are applied in bulk.

    `rename` gives the document's file a new name; `title` completes "Fix: …" in an editor's menu.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True
    rename: str | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding is about; `path` None for the same document."""

    message: str
    span: Span | None = None
    path: Path | None = None
    start: Position = Position(0, 0)
    end: Position = Position(0, 0)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at its place. A rule gives place, message and fix; the engine adds the rest."""

    span: Span
    message: str
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    tags: tuple[Literal["unnecessary", "deprecated"], ...] = ()
    code: str = ""
    rule: str = ""
    severity: Severity = Severity.HINT
    level: Severity | None = None
    """The severity of this case where the rule's usual one doesn't fit, since a targeted client
    takes it better or worse than most. A severity that the user chose for the rule wins."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """What a rule that fires takes off a dimension of the ACES structural score."""

    dimension: Dimension
    points: int


Check = Callable[[Any], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its page. `severities` has an entry for each profile in which it is on."""

    code: str
    name: str
    check: Check
    page: str
    module: str
    severities: dict[str, Severity]
    target: Target
    """What is checked: a skill, an evaluation file, or the comments that suppress findings."""
    fix: Literal["safe", "unsafe", "mixed", None]
    needs: frozenset[Need]
    deduction: Deduction | None
    reveals: bool = False
    """Whether mending it makes text readable that no other rule could judge before."""

    @property
    def family(self) -> str:
        """The letter of the code."""
        return self.code[0]

    @property
    def summary(self) -> str:
        """The first line of the page: what the rule finds, as a sentence."""
        return self.page.split("\n", 1)[0]

    def severity(self, profile: str) -> Severity | None:
        """Return the severity under a profile, None where the rule is off."""
        return self.severities.get(profile)


def rule(
    code: str,
    severity: Severity | None,
    *,
    spec: Severity | None = None,
    aces: Severity | None = None,
    strict: Severity | None = None,
    target: Target = "skill",
    fix: Literal["safe", "unsafe", "mixed", None] = None,
    needs: Iterable[Need] = (),
    deduction: tuple[Dimension, int] | None = None,
    reveals: bool = False,
) -> Callable[[Check], Rule]:
    """Make a rule of a check function, whose name (with hyphens) is the rule's name.

    `severity` counts in the default profile (None: off there); `spec` and `aces` turn the rule on
    in those profiles; `strict` has every rule, with `severity` or else as info. The module's
    docstring is the rule's page.
    """

    def decorate(check: Check) -> Rule:
        severities: dict[str, Severity] = {"strict": strict or severity or Severity.INFO}
        for profile, value in (("default", severity), ("spec", spec), ("aces", aces)):
            if value is not None:
                severities[profile] = value
        page = inspect.cleandoc(sys.modules[check.__module__].__doc__ or "")
        return Rule(
            code=code,
            name=check.__name__.replace("_", "-"),
            check=check,
            page=page,
            module=check.__module__,
            severities=severities,
            target=target,
            fix=fix,
            needs=frozenset(needs),
            deduction=Deduction(*deduction) if deduction else None,
            reveals=reveals,
        )

    return decorate
