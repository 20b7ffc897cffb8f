"""The entries of `allowed-tools`, in whichever of its three forms it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.nodes import Scalar, Sequence
from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

_ENTRY: Final = lazy_pattern(r"[^\s,()]+(?:\([^()]*\))?|\([^()]*\)")


def grants(skill: Skill) -> Iterator[tuple[str, Span]]:
    """Yield each tool that `allowed-tools` names, with its range."""
    value = skill.frontmatter.value("allowed-tools") if skill.frontmatter else None
    scalars = value.items if isinstance(value, Sequence) else (value,)
    for scalar in scalars:
        if isinstance(scalar, Scalar):
            for match in _ENTRY.finditer(scalar.text):
                yield match[0], skill.find_in_value(scalar, *match.span())
