"""Why a line of a YAML document does not parse, judged as an entry of its own."""

from __future__ import annotations

import re
from typing import Final

from skillgauge.document.nodes import SyntaxFault
from skillgauge.document.tolerant import CONFLICT, Found, put
from skillgauge.document.yaml_fault import BrokenEntry, diagnose
from skillgauge.text import Span

_LINE: Final = re.compile(r"[^\r\n]*")
_BEFORE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*")
_SPECIAL: Final = re.compile(r"[^\w\s./-]")
_MISFIT: Final = ("did not find expected", "mapping values are not allowed")


def diagnose_yaml(text: str, fault: SyntaxFault) -> Found:
    """Say what is wrong in the line where reading YAML stopped."""
    if fault.problem.startswith("a second document"):
        return Found("second-document", Span(fault.offset, min(fault.offset + 3, len(text))))
    if fault.problem.startswith("“*"):
        return Found("anchor", Span(*_word(text, fault.offset)))
    if match := CONFLICT.search(text):
        return Found("conflict", Span(*match.span()))
    line = _line_with(text, fault.offset)
    before = _BEFORE.match(text, line.start, line.end)
    start = before.end() if before else line.start
    if start >= line.end or "\t" in text[line.start : start]:
        start = line.start
    entry = diagnose(text, Span(start, max(line.end, start)), fault)
    if entry.cause == "other" and fault.problem.startswith(_MISFIT):
        return Found("indent", Span(start, line.end))
    repairs = (entry.repair,) if entry.repair else ()
    return Found(entry.cause, entry.at, repairs, _stand_in(text, entry))


def _stand_in(text: str, entry: BrokenEntry) -> str | None:
    """Return the text with the value harmless, where what is wrong is in a value of one line."""
    if entry.repair is None:
        return None
    place = entry.repair.span
    raw = text[place.start : place.end]
    harmless = " " * len(raw) if entry.cause == "tab" else _SPECIAL.sub("_", raw)
    if "\n" in raw or "\r" in raw or harmless == raw:
        return None
    if raw[:1] == "-" and entry.cause != "tab":
        harmless = "_" + harmless[1:]
    return put(text, place, harmless)


def _line_with(text: str, offset: int) -> Span:
    """Return the line of an offset; from a blank rest of the text, the last line before it."""
    if not text[offset:].strip():
        offset = len(text.rstrip())
    offset = min(offset, max(len(text) - 1, 0))
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    match = _LINE.match(text, start)
    end = match.end() if match else start
    return Span(start, start + len(text[start:end].rstrip(" \t")))


def _word(text: str, offset: int) -> tuple[int, int]:
    match = re.compile(r"\S*").match(text, offset)
    return match.span() if match else (offset, offset)
