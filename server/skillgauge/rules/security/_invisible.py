"""Characters that can't be seen, and what a run of them says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.patterns import lazy_pattern

TAGS: Final = "\U000e0000-\U000e007f"
ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e\u200e\u200f"
SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"

TAG_SET: Final = frozenset(map(chr, range(0xE0000, 0xE0080)))
ZERO_SET: Final = frozenset(
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u200e\u200f"
)
BIDI_SET: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
RUN_SET: Final = ZERO_SET | frozenset(map(chr, range(0xE0100, 0xE01F0))) | frozenset("\ufe00\ufe01")
"""A run that hides a text has one of these; the selector behind an emoji (U+FE0F) hides none."""

_RTL: Final = lazy_pattern(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_NAMES: Final = {
    "\u200b": "zero width space",
    "\u200c": "zero width non-joiner",
    "\u200d": "zero width joiner",
    "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark",
    "\u2060": "word joiner",
    "\ufeff": "byte order mark",
    "\u180e": "Mongolian vowel separator",
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "pop directional formatting",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "pop directional isolate",
}


def name_of(char: str) -> str:
    """Return a character's code point, with its name if it is one that these rules know."""
    code = f"U+{ord(char):04X}"
    return f"{code} {_NAMES[char]}" if char in _NAMES else code


def has_rtl(text: str) -> bool:
    """Return whether a text holds letters that are written from right to left."""
    return not text.isascii() and bool(_RTL.search(text))


def line_around(text: str, at: int) -> str:
    """Return the line that holds `at`, at most 400 characters to each side of it."""
    start, end = max(at - 400, 0), min(at + 400, len(text))
    stop = text.find("\n", at, end)
    return text[text.rfind("\n", start, at) + 1 or start : end if stop < 0 else stop]


def tags_text(run: str) -> str:
    """Return the ASCII that tag characters spell."""
    return "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) <= 0xE007E)


def run_text(run: str) -> str:
    """Return what a run of zero-width characters or selectors spells, "" if it can't be told.

    Two ways are in use: two characters that stand for the bits of ASCII, and variation selectors
    that stand for one byte each.
    """
    for decode in (_selector_bytes, _bits):
        for data in decode(run):
            text = _printable(data)
            if text:
                return text
    return ""


def _selector_bytes(run: str) -> Iterator[bytes]:
    values = [_selector(char) for char in run]
    if all(value is not None for value in values):
        yield bytes(value for value in values if value is not None)


def _selector(char: str) -> int | None:
    code = ord(char)
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    return code - 0xE0100 + 16 if 0xE0100 <= code <= 0xE01EF else None


def _bits(run: str) -> Iterator[bytes]:
    kinds = sorted(set(run))
    if len(kinds) == 3:  # the third parts the characters from each other
        for parting in kinds:
            one, other = (kind for kind in kinds if kind != parting)
            groups = [group for group in run.split(parting) if group]
            yield from _read(groups, one, other)
    if len(kinds) == 2:
        one, other = kinds
        for width in (8, 7):
            if len(run) % width == 0:
                yield from _read(
                    [run[i : i + width] for i in range(0, len(run), width)], one, other
                )


def _read(groups: list[str], one: str, other: str) -> Iterator[bytes]:
    if not all(1 < len(group) <= 8 for group in groups):
        return
    for zero, unit in ((one, other), (other, one)):
        digits = str.maketrans({zero: "0", unit: "1"})
        yield bytes(int(group.translate(digits), 2) for group in groups)


def _printable(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    fine = text.strip() and all(char.isprintable() or char in "\t\r\n" for char in text)
    return text if fine else ""
