"""All rules: whatever lies in the family folders below."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from skillgauge.rule import Rule

FAMILIES = {
    "F": "format",
    "C": "correctness",
    "D": "discoverability",
    "R": "reliability",
    "E": "efficiency",
    "L": "links",
    "T": "scripts",
    "S": "security",
    "X": "workspace",
    "V": "evals",
}
"""The families: the letter of the code and the folder's name."""

PAGES = "https://github.com/skillgauge/skillgauge/blob/main/docs/rules/"
"""Where the rules' pages are read on the web."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, sorted by code. A module may hold one rule only."""
    return tuple(sorted(load_some(), key=lambda rule: rule.code))


def load_some() -> Iterator[Rule]:
    """Load the rules one by one, for a caller that has other things to do in between."""
    here = os.path.dirname(__file__)
    for family in FAMILIES.values():
        folder = os.path.join(here, family)
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for name in names:
            if name.endswith(".py") and not name.startswith("_"):
                yield _rule(importlib.import_module(f"{__name__}.{family}.{name[:-3]}"))


def _rule(module: ModuleType) -> Rule:
    rules = [value for value in vars(module).values() if isinstance(value, Rule)]
    if len(rules) != 1:
        raise RuntimeError(f"{module.__name__} holds {len(rules)} rules instead of one")
    return rules[0]


@cache
def by_key() -> dict[str, Rule]:
    """Return the rules by code and by name."""
    return {key: rule for rule in all_rules() for key in (rule.code, rule.name)}


def url_of(rule: Rule) -> str:
    """Return the address of a rule's page."""
    return f"{PAGES}{rule.name}.md"
