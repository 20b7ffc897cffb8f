r"""A word mixes Latin letters with Cyrillic or Greek ones that look the same.

## Why is this bad?
`pаypal` with a Cyrillic “а” looks right and is another word: a file, command, address or skill of
that name is another one, perhaps an attacker's. A search does not find it, and a model reads
other tokens. Where it is no attack, it is a slip of the keyboard layout.

Words that are Russian or Greek as a whole, and Latin words with a Russian ending, are fine.

## Bad
````skill escaped
---
name: p\u{430}y
description: Pays bills. Use when a bill is due.
---
Pay.
````

## Good
````skill escaped
---
name: pay
description: Pays bills. Use when someone writes \u{43E}\u{43F}\u{43B}\u{430}\u{442}\u{430}.
---
Pay.
````

## Fix safety
The fix writes the word in Latin letters. It is safe for the name; elsewhere the word may be an
example on purpose.

## References
- https://www.unicode.org/reports/tr39/
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.security._context import cautioned
from skillgauge.text import Span

LOOK_ALIKES: Final = dict(
    zip(
        "аеорсухіјѕһԁԛԝүАВЕЅІЈКМНОРСТХУԚԜοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdqwyABESIJKMHOPCTXYQWoABEZHIKMNOPTYX",
        strict=True,
    )
)
"""Cyrillic and Greek letters → the Latin ones that they can't be told from."""
_ANY: Final = frozenset(LOOK_ALIKES)
_LIKE: Final = "".join(LOOK_ALIKES)
_MIXED: Final = lazy_pattern(
    f"[A-Za-z{_LIKE}]*(?:[{_LIKE}][A-Za-z]|[A-Za-z][{_LIKE}])[A-Za-z{_LIKE}]*"
)
_FOREIGN: Final = lazy_pattern("[\u0370-\u03ff\u0400-\u052f]")


@rule("S018", Severity.WARNING, fix="mixed")
def homoglyph(skill: Skill) -> Iterator[Finding]:
    """Report each word that mixes the scripts, with the letters that are not what they seem."""
    source = skill.source
    if not skill.text.beyond_ascii & _ANY:
        return
    name = skill.value("name")
    for match in _MIXED.finditer(source):
        start, end = match.span()
        around = source[max(start - 1, 0) : start] + source[end : end + 1]
        letters = [char for char in match[0] if char in LOOK_ALIKES]
        if _FOREIGN.search(around) or _is_ending(match[0], letters):
            continue
        span = Span(start, end)
        in_name = name is not None and name.span.start <= start < name.span.end
        if not in_name and start >= skill.body.start and cautioned(skill, span):
            continue
        latin = "".join(LOOK_ALIKES.get(char, char) for char in match[0])
        shown = ", ".join(f"“{char}” ({_name(char)})" for char in dict.fromkeys(letters))
        yield Finding(
            span,
            f"“{match[0]}” is not “{latin}”: {shown} only looks Latin. Write it in Latin letters.",
            Fix(f"Write “{latin}” in Latin letters", (Edit(span, latin),), safe=in_name),
        )


def _is_ending(word: str, letters: list[str]) -> bool:
    """Return whether the letters of the other script all stand at the end, as in “PDFа”."""
    return word.endswith("".join(letters)) or len(word) < 3 or len(letters) * 2 > len(word) + 1


def _name(char: str) -> str:
    return f"U+{ord(char):04X}, {unicodedata.name(char, '').lower().replace(' letter', '')}"
