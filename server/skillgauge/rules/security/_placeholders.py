"""Tells what only looks like a secret: placeholders, examples of vendors, variables."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

from skillgauge.patterns import lazy_pattern

_MARK: Final = lazy_pattern(
    r"x{4,}|X{4,}|\*{3,}|\.{3,}|…|<|>|\{|\}|\$|%[A-Z_]+%"
    r"|(?i:your|example|sample|placeholder|dummy|fake|redacted|replace|insert|change.?me"
    r"|changeit|todo|fixme"
    r"|my[-_]|put[-_]|enter[-_]|here\b|secret[-_]?(?:key|here|value)|api[-_]?key|access[-_]?key"
    r"|token[-_]?here"
    r"|not[-_]?(?:a[-_])?real|realkey|demo|mock|foobar|lorem|deadbeef|password|abcdef|123456"
    r"|012345|987654"
    r"|qwerty|aaaa|0000|1111|zzzz|test[-_]?(?:key|token|secret)|do[-_]not|key[-_]?here|hunter2"
    r"|none|null)"
)
_DOCUMENTED: Final = frozenset(
    (
        "AKIAIOSFODNN7EXAMPLE",
        "AKIAI44QH8DHBEXAMPLE",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
        "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
        "sk_test_26PHem9AhJZvU623DfE1x4sd",
        "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    )
)
"""Keys that their vendors print in public documentation; they open nothing."""
_WORDS: Final = lazy_pattern(r"[-_./+=:@ ]+|(?<=[a-z])(?=[A-Z])")
_RUNS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789",
    "9876543210",
    "zyxwvutsrqponmlkjihgfedcba",
)
MIN_ENTROPY: Final = 3.2
"""Bits a character; 32 random hexadecimal digits have about 3.7, words about 3."""


def is_placeholder(secret: str) -> bool:
    """Return whether a text of a secret's form can't be one."""
    if secret in _DOCUMENTED or _MARK.search(secret):
        return True
    body = secret.rsplit("_", 1)[-1].rsplit("-", 1)[-1] if len(secret) > 12 else secret
    return _monotone(secret) or len(set(body.lower())) < min(6, len(body) / 2)


def is_random(value: str) -> bool:
    """Return whether a value looks drawn at random rather than written by hand."""
    if is_placeholder(value) or sum(char.isdigit() for char in value) < 3:
        return False
    if not any(char.isalpha() for char in value) or entropy(value) < MIN_ENTROPY:
        return False
    parts = [part for part in _WORDS.split(value) if part]
    worded = sum(len(part) for part in parts if part.isalpha() and len(part) > 2)
    return worded * 2 < len(value)


def entropy(value: str) -> float:
    """Return Shannon's entropy in bits a character."""
    counts = Counter(value)
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def _monotone(secret: str) -> bool:
    """Return whether a stretch of the alphabet or of the digits stands in it."""
    low = secret.lower()
    return any(run[start : start + 5] in low for run in _RUNS for start in range(len(run) - 4))
