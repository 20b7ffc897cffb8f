"""What is counted on the surface of a text: the decoration that a direction must not have learnt.

The counts serve as baselines (a direction has to beat each of them), as confounds (directions are
made orthogonal to what predicts them) and as a check of pairs whose words are to be matched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
_TRIGGER: Final = re.compile(
    r"\b(?:when|whenever|if|use (?:this|it|for|to)|trigger\w*|asks?|asked|requests?|mentions?)\b",
    re.IGNORECASE,
)
_FAILURE: Final = re.compile(
    r"\b(?:errors?|fail\w*|warn\w*|invalid|retr(?:y|ies|ied)|avoid\w*|never|don't|do not|must not"
    r"|wrong\w*|mistakes?|pitfalls?|troubleshoot\w*|exceptions?|timeouts?|broken|corrupt\w*|caution"
    r"|missing|crash\w*|problems?|issues?|recover\w*|rollback|fallback|beware|incorrect\w*)\b",
    re.IGNORECASE,
)
_SEQUENCE: Final = re.compile(
    r"\b(?:first|second|third|then|next|after(?:wards)?|before|finally|lastly|step|steps|once"
    r"|start|begin|last|subsequently)\b",
    re.IGNORECASE,
)
_IO: Final = re.compile(
    r"\b(?:inputs?|outputs?|returns?|produces?|results?|formats?|fields?|columns?|schema|json|csv"
    r"|yaml|files?|types?|units?|strings?|integers?)\b",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"^[ \t]*\d+[.)][ \t]", re.MULTILINE)
_BULLET: Final = re.compile(r"^[ \t]*[-*+][ \t]", re.MULTILINE)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_DIGIT: Final = re.compile(r"\d")
_SPAN: Final = re.compile(r"`[^`\n]+`")
_BAR: Final = re.compile(r"\|")


def words(text: str) -> int:
    """Return the number of words."""
    return len(_WORDS.findall(text))


def _count(pattern: re.Pattern[str]) -> Callable[[str], float]:
    return lambda text: float(len(pattern.findall(text)))


def _density(pattern: re.Pattern[str]) -> Callable[[str], float]:
    return lambda text: len(pattern.findall(text)) / max(1, words(text))


def _code(text: str) -> float:
    return float(len(_SPAN.findall(text)) + len(_FENCE.findall(text)) + len(_DIGIT.findall(text)))


SURFACE: Final[dict[str, Callable[[str], float]]] = {
    "words": lambda text: float(words(text)),
    "trigger words": _count(_TRIGGER),
    "failure words": _density(_FAILURE),
    "sequence words": _density(_SEQUENCE),
    "input/output words": _density(_IO),
    "numbered lines": _count(_NUMBERED),
    "bullets": _count(_BULLET),
    "headings": _count(_HEADING),
    "fences": _count(_FENCE),
    "code spans": _density(_SPAN),
    "digits": _density(_DIGIT),
    "table bars": _count(_BAR),
    "code and digits": _code,
}
"""The features, by name: each turns a text into a number. Densities are per word."""

TELLTALE: Final[dict[str, tuple[str, ...]]] = {
    "A2": ("trigger words",),
    "B1": ("words",),
    "B2": ("code and digits", "code spans", "digits"),
    "C1": ("numbered lines", "sequence words"),
    "C2": ("code and digits", "input/output words", "table bars"),
    "D1": ("failure words",),
}
"""The features that tell ordinary pairs of a metric apart."""
