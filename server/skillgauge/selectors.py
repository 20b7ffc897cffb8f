"""Selectors of rules: `all`, a family's letter, the beginning of a code, a code, a rule's name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

EXACT: Final = 100
"""How specific a code or a name is; beginnings of codes count their characters, `all` is 0."""
NO_MATCH: Final = -1


def specificity(selector: str, code: str, name: str) -> int:
    """Return how specifically a selector names a rule, NO_MATCH if it doesn't."""
    if selector in (code, name):
        return EXACT
    if selector == "all":
        return 0
    if selector and code.startswith(selector):
        return len(selector)
    return NO_MATCH


def best(selectors: Iterable[str], code: str, name: str) -> int:
    """Return the specificity of the selector that names a rule most specifically."""
    return max(
        (specificity(selector, code, name) for selector in selectors),
        default=NO_MATCH,
    )


def known() -> list[str]:
    """Return every selector that is worth offering: `all`, families, codes and names."""
    from skillgauge.rules import FAMILIES, all_rules

    rules = all_rules()
    return ["all", *FAMILIES, *(rule.code for rule in rules), *(rule.name for rule in rules)]


def is_known(selector: str) -> bool:
    """Return whether a selector names a family or at least one rule."""
    from skillgauge.rules import FAMILIES, all_rules

    if selector in FAMILIES or selector == "all":
        return True
    return any(specificity(selector, rule.code, rule.name) > 0 for rule in all_rules())


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that a misspelt word was probably meant to be."""
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for candidate in candidates:
        folded.setdefault(candidate.casefold().replace("_", "-"), candidate)
    found = get_close_matches(word.casefold().replace("_", "-"), folded, n=1, cutoff=0.55)
    return folded[found[0]] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return the question after the nearest candidate, empty when nothing is near."""
    found = nearest(word, candidates)
    return f"Did you mean “{found}”?" if found else ""
