"""Control characters, and text that was encoded twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span, Text

CONTROL: Final = lazy_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""C0 and C1 controls but tab, line breaks and NEL."""

# What bytes 80 to 9F are in Windows-1252; five of them have no character and stay controls.
_WINDOWS: Final = {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_TRAIL: Final = "[\x80-\xbf" + "".join(_WINDOWS) + "]"
_TWICE: Final = lazy_pattern(
    f"(?:[\xc2-\xdf]{_TRAIL}|[\xe0-\xef]{_TRAIL}{{2}}|[\xf0-\xf4]{_TRAIL}{{3}})+"
)


_PAIR: Final = lazy_pattern(f"[\xc2-\xf4]{_TRAIL}")
_NO_CONTROL: Final = bytes({9, 10, 13, *range(32, 127), *range(128, 256)})


def controls(text: Text, masked: str) -> Iterator[Span]:
    """Yield each control character that is not masked; `text` tells whether there is any."""
    low = text.content.encode("utf-8", "surrogatepass").translate(None, _NO_CONTROL)
    if low or any("\x80" <= char <= "\x9f" for char in text.beyond_ascii):
        yield from (Span(*match.span()) for match in CONTROL.finditer(masked))


def is_control(char: str) -> bool:
    """Return whether a character is a C0 or C1 control: no tab, line break or NEL."""
    return CONTROL.fullmatch(char) is not None


def double_encoded(text: Text) -> Iterator[tuple[Span, str]]:
    """Yield each run of UTF-8 that was read as Latin-1 or Windows-1252, and what it should be."""
    if not any("\xc2" <= char <= "\xf4" for char in text.beyond_ascii):
        return
    if not _PAIR.search(text.content):  # ten times as fast as the search for whole sequences
        return
    for match in _TWICE.finditer(text.content):
        data = bytes(_WINDOWS.get(char) or ord(char) for char in match[0])
        try:
            meant = data.decode()
        except UnicodeDecodeError:
            continue
        if _is_sure(match[0]):
            yield Span(*match.span()), meant


def _is_sure(raw: str) -> bool:
    """Return whether a run is no ordinary text: two Latin letters or signs may meet by chance."""
    return len(raw) > 2 or raw[0] in "\xc2\xc3" or CONTROL.search(raw) is not None
