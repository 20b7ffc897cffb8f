"""Text for a terminal: colours, widths of characters, and nothing that could attack it."""

from __future__ import annotations

from typing import Final, NamedTuple

COLORS: Final = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;34",
    "hint": "1;36",
    "bold": "1",
    "dim": "2",
    "path": "1",
    "good": "32",
    "gutter": "34",
}
TAB: Final = "    "
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")


def paint(text: str, style: str, color: bool) -> str:
    """Return text in a style."""
    return f"\x1b[{COLORS[style]}m{text}\x1b[0m" if color and text else text


def safe(text: str) -> str:
    """Return text for one line, with every character that a terminal would obey made visible."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(cell.shown for cell in cells(text))


class Cell(NamedTuple):
    """How a character is shown, and how many columns it takes."""

    shown: str
    width: int


def cells(text: str) -> list[Cell]:
    """Return the cell of each character of a line."""
    found: list[Cell] = []
    for char in text:
        if " " <= char <= "~":
            found.append(Cell(char, 1))
        elif char in _JOINERS and found and found[-1].width == 2:
            found.append(Cell(char, 0))  # part of an emoji
        else:
            found.append(_cell(char))
    return found


def _cell(char: str) -> Cell:
    code = ord(char)
    if char == "\t":
        return Cell(TAB, len(TAB))
    if code < 0x20:
        return Cell(chr(0x2400 + code), 1)
    if code == 0x7F:
        return Cell("\u2421", 1)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return _escape(f"\\x{code - 0xDC00:02x}")
    from unicodedata import category, combining, east_asian_width

    if category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return _escape(f"U+{code:04X}")
    if combining(char) or category(char) in ("Mn", "Me"):
        return Cell(char, 0)
    return Cell(char, 2 if east_asian_width(char) in "WF" else 1)


def _escape(word: str) -> Cell:
    return Cell(f"<{word}>", len(word) + 2)


class Excerpt(NamedTuple):
    """A line as it is shown, and where the marked characters stand in it, in columns."""

    shown: str
    start: int
    width: int


def excerpt(line: str, start: int, end: int, width: int) -> Excerpt:
    """Return a line, cut around the characters `start` to `end` where it is wider than `width`."""
    first, last = _window(line, start, end, width)
    before = "…" if first else ""
    after = "…" if last < len(line) else ""
    found = cells(line[first:last])
    left = sum(cell.width for cell in found[: start - first])
    marked = sum(cell.width for cell in found[start - first : max(end, start) - first])
    shown = "".join(cell.shown for cell in found)
    return Excerpt(f"{before}{shown}{after}", left + len(before), max(marked, 1))


def _window(line: str, start: int, end: int, width: int) -> tuple[int, int]:
    """Return which characters fit, with the marked ones and about as much on both sides."""
    if len(line) <= width and sum(cell.width for cell in cells(line)) <= width:
        return 0, len(line)
    first, last, used = start, start, 0
    room = width - 2
    near = [cell.width for cell in cells(line[start : start + room])]
    while last < min(end, len(line)) and last - start < len(near):
        if used + near[last - start] > room:
            return first, last
        used += near[last - start]
        last += 1
    forward = last
    left = [cell.width for cell in cells(line[max(0, first - room) : first])][::-1]
    right = [cell.width for cell in cells(line[forward : forward + room])]
    while True:
        grown = False
        index = start - first
        if index < len(left) and used + left[index] <= room:
            used, first, grown = used + left[index], first - 1, True
        index = last - forward
        if index < len(right) and used + right[index] <= room:
            used, last, grown = used + right[index], last + 1, True
        if not grown:
            return first, last
