"""Why a text is no JSON, in an author's terms, and how to write it so that it is."""

from __future__ import annotations

import re
from typing import Final, Literal

from skillgauge.document.json_reader import ACROSS_LINES
from skillgauge.document.json_strings import (
    broken_over_lines,
    inner_quotes,
    requote,
    string_start,
    wrong_escape,
)
from skillgauge.document.nodes import SyntaxFault
from skillgauge.document.tolerant import CONFLICT, Found, put
from skillgauge.document.yaml_repair import Repair
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

JsonCause = Literal[
    "comma-extra",  # a comma before a closing bracket, or two of them
    "comma-missing",  # no comma between two values or entries
    "comment",  # JSON has no comments
    "quotes",  # a string or key in other quotation marks than double ones
    "key",  # a key without quotation marks
    "literal",  # True, False or None as Python writes them
    "word",  # a value that is a bare word
    "colon",  # no colon behind a key
    "value",  # no value where one must stand
    "inner-quote",  # a quotation mark in a string ends it too early
    "line-break",  # a string goes on on the next line
    "string-open",  # a string is not closed
    "control",  # a tab or other control character in a string
    "escape",  # a backslash begins no escape that JSON has
    "unclosed",  # a bracket that nothing closes
    "bracket",  # a closing bracket of the wrong kind
    "bracket-extra",  # a closing bracket too many
    "second-value",  # more text behind the end
    "across-lines",  # in JSON Lines, a value that takes more than one line
    "bom",  # a byte order mark
    "conflict",  # a merge-conflict marker
    "depth",  # nested deeper than we read
    "empty",  # nothing at all
    "other",
]
"""What `Found.cause` is for JSON."""

_COMMENT: Final = lazy_pattern(r"//[^\r\n]*|/\*.*?\*/|#[^\r\n]*", re.DOTALL)
_BARE_KEY: Final = lazy_pattern(
    r"\"(?:[^\"\\\r\n]|\\.)*\"|//[^\r\n]*|(?P<key>[A-Za-z_$][\w$-]*)(?=[ \t]*:)"
)
_WORD: Final = lazy_pattern(r"[A-Za-z_][\w.-]*")
_LITERALS: Final = {
    word: literal
    for literal in ("true", "false", "null")
    for word in (literal.capitalize(), literal.upper())
} | {"None": "null"}
_TOKEN: Final = lazy_pattern(r"\"(?:[^\"\\\r\n]|\\.)*\"?|[\[\]{}]")
_VALUE_START: Final = lazy_pattern(r"[\"{\[\d-]|(?:true|false|null)\b")
_NOT_BREAK: Final = lazy_pattern(r"[^\r\n]")
_REST_OF_LINE: Final = lazy_pattern(r"[ \t]*(?:\r\n|\r|\n)")
_QUOTES: Final = tuple("'‘’“”`")


def diagnose_json(text: str, fault: SyntaxFault) -> Found:
    """Say what is wrong at the place where reading JSON stopped."""
    at, problem = fault.offset, fault.problem
    if match := CONFLICT.search(text):
        return Found("conflict", Span(*match.span()))
    for judge in (_small, _string, _between):
        if found := judge(text, at, problem):
            return found
    if problem == ACROSS_LINES:
        return Found("across-lines", Span(at, at + 1))
    if problem.startswith("nested"):
        return Found("depth", Span(at, at + 1))
    return _brackets(text, at, problem)


def _small(text: str, at: int, problem: str) -> Found | None:
    """Judge what stands where nothing of its kind may: a comma, a comment, a byte order mark."""
    char, here = text[at : at + 1], Span(at, at + 1)
    if at == 0 and char == "\ufeff":
        return Found("bom", here, (Repair(here, ""),), " " + text[1:])
    doubled = char == "," and "missing here" in problem and not _after_colon(text, at)
    if problem.startswith("a comma before") or doubled:
        return Found("comma-extra", here, (Repair(here, ""),), put(text, here, " "))
    if char in ("/", "#") and (match := _COMMENT.match(text, at)):
        place = Span(*match.span())
        repair = Repair(_with_line(text, place), "", certain=False)
        blank = put(text, place, _NOT_BREAK.sub(" ", match[0]))
        return Found("comment", place, (repair,), blank)
    return None


def _after_colon(text: str, at: int) -> bool:
    return text[:at].rstrip(" \t\r\n")[-1:] == ":"


def _with_line(text: str, place: Span) -> Span:
    """Return a comment's range with the blanks before it, and with its line break if alone."""
    start = len(text[: place.start].rstrip(" \t"))
    alone = start == 0 or text[start - 1] in "\r\n"
    match = _REST_OF_LINE.match(text, place.end) if alone else None
    return Span(start, match.end() if match else place.end)


def _string(text: str, at: int, problem: str) -> Found | None:
    """Judge what is wrong inside a string."""
    if problem.startswith("Invalid control character"):
        if text[at] in "\r\n":
            start = string_start(text, at)
            if repaired := broken_over_lines(text, start):
                return Found("line-break", *repaired)
            return Found("string-open", Span(start, start + 1))
        here = Span(at, at + 1)
        escape = "\\t" if text[at] == "\t" else f"\\u{ord(text[at]):04x}"
        return Found("control", here, (Repair(here, escape),), put(text, here, " "))
    if problem.startswith("Unterminated string"):
        return Found("string-open", Span(at, at + 1))
    if "escape" in problem:
        return Found("escape", *wrong_escape(text, at))
    return None


def _between(text: str, at: int, problem: str) -> Found | None:
    """Judge what stands in the place of a value, a key, a comma or a colon."""
    char, here = text[at : at + 1], Span(at, min(at + 1, len(text)))
    if char in _QUOTES and (repaired := requote(text, at)):
        return Found("quotes", *repaired)
    if problem.startswith("a key") and char not in ("", "]", "}"):
        return _key(text, at)
    if problem == "not JSON":
        return _bare(text, at)
    if problem.startswith("a colon"):
        return Found("colon", here)
    if problem.startswith("a value") and char in ("]", "}", ","):
        return Found("value", here)
    if problem.startswith("a comma or") and char not in ("", "]", "}"):
        return _comma(text, at)
    return None


def _key(text: str, at: int) -> Found:
    """Judge a key without quotation marks. One finding mends all: an author writes them alike."""
    match = _WORD.match(text, at)
    if match is None:
        return Found("quotes" if text[at] in _QUOTES else "other", Span(at, at + 1))
    keys = [found for found in _BARE_KEY.finditer(text, at) if found["key"]]
    repairs = tuple(Repair(Span(*found.span()), f'"{found["key"]}"') for found in keys)
    return Found("key", Span(*match.span()), repairs)


def _bare(text: str, at: int) -> Found:
    """Judge a value that is no JSON value."""
    match = _WORD.match(text, at)
    if match is None:
        return Found("quotes" if text[at] in _QUOTES else "other", Span(at, at + 1))
    place = Span(*match.span())
    literal = _LITERALS.get(match[0])
    if literal is None:
        return Found("word", place)
    return Found("literal", place, (Repair(place, literal),), put(text, place, literal))


def _comma(text: str, at: int) -> Found:
    """Judge what follows a value without a comma between."""
    end = len(text[:at].rstrip(" \t\r\n"))
    before = Span(max(end - 1, 0), end)
    if _VALUE_START.match(text, at) and end < at:
        certain = "\n" in text[end:at] or "\r" in text[end:at]
        repair = Repair(Span(end, end), ",", certain)
        return Found("comma-missing", before, (repair,), put(text, Span(end, end + 1), ","))
    if text[end - 1 : end] == '"':
        repairs, stand_in = inner_quotes(text, end - 1) or ((), None)
        return Found("inner-quote", before, repairs, stand_in)
    return Found("other", Span(at, at + 1))


def _brackets(text: str, at: int, problem: str) -> Found:
    """Judge what is wrong with brackets, once nothing else is."""
    here = Span(at, min(at + 1, len(text)))
    if problem.startswith("more text"):
        if text[at] not in "]}":
            return Found("second-value", here)
        repair = Repair(here, "", certain=False)
        return Found("bracket-extra", here, (repair,), put(text, here, " "))
    opened = _innermost_open(text, at)
    if at < len(text):
        return Found("bracket" if opened is not None else "other", here, opened=opened)
    if opened is None:
        return Found("empty" if not text.strip(" \t\r\n") else "other", Span(0, 0))
    return Found("unclosed", Span(opened, opened + 1), opened=opened)


def _innermost_open(text: str, stop: int) -> int | None:
    """Return the offset of the last bracket before `stop` that nothing closes."""
    stack: list[int] = []
    for match in _TOKEN.finditer(text, 0, stop):
        if match[0] in ("[", "{"):
            stack.append(match.start())
        elif match[0] in ("]", "}") and stack:
            stack.pop()
    return stack[-1] if stack else None
