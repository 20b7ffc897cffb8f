"""Patterns as in a .gitignore: read once, then asked of each folder and file on the way down.

A path is matched by itself only. What lies in a folder that matches is covered because nobody looks
into that folder, or because `covers` asks for each folder above; that is how git does it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_CLASS: Final = re.compile(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^]\\])*)\]", re.DOTALL)
_POSIX: Final = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
}


class _Pattern(NamedTuple):
    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


class Patterns:
    """The patterns of one file, for paths relative to its folder, with forward slashes."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Read the lines of a .gitignore."""
        read = (_read(line) for line in lines)
        self._patterns = [pattern for pattern in read if pattern]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def says(self, path: str, *, is_folder: bool) -> bool | None:
        """Return True for a match, False for an exception, None if no pattern is about the path."""
        for pattern in reversed(self._patterns):
            if (is_folder or not pattern.folders_only) and pattern.regex.fullmatch(path):
                return not pattern.negated
        return None

    def covers(self, path: str) -> bool:
        """Return whether a file, or one of the folders that it lies in, matches."""
        parts = path.split("/")
        return any(
            self.says("/".join(parts[:count]), is_folder=count < len(parts))
            for count in range(1, len(parts) + 1)
        )


def _read(line: str) -> _Pattern | None:
    line = line.rstrip("\r\n")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[1:] if negated else line
    folders_only = line.endswith("/")
    line = line[:-1] if folders_only else line
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line:
        return None
    source = _translate(line)
    if source is None:
        return None
    prefix = "" if anchored else "(?:.*/)?"
    return _Pattern(re.compile(prefix + source, re.DOTALL), negated, folders_only)


def _translate(pattern: str) -> str | None:
    """Return the regular expression of a pattern; None for one that can match nothing."""
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif pattern[at:] == "**" and (at == 0 or pattern[at - 1] == "/"):
            parts.append(".+")
            at += 2
        elif pattern[at] == "*":
            parts.append("[^/]*")
            at = len(pattern) - len(pattern[at:].lstrip("*"))
        elif pattern[at] == "?":
            parts.append("[^/]")
            at += 1
        elif pattern[at] == "[":
            match = _CLASS.match(pattern, at)
            source = _class(match[1], match[2]) if match else None
            if match is None or source is None:
                return None
            parts.append(source)
            at = match.end()
        elif pattern[at] == "\\":
            if at + 1 == len(pattern):
                return None
            parts.append(re.escape(pattern[at + 1]))
            at += 2
        else:
            parts.append(re.escape(pattern[at]))
            at += 1
    return "".join(parts)


def _class(negation: str, content: str) -> str | None:
    """Return the regular expression of a bracket expression, which never matches a slash."""
    pieces: list[str] = []
    for match in re.finditer(r"\[:([a-z]+):\]|\\(.)|(.)", content, re.DOTALL):
        if match[1]:
            if match[1] not in _POSIX:
                return None
            pieces.append(_POSIX[match[1]])
        elif match[2] or match[3] != "-":
            pieces.append(re.escape(match[2] or match[3]))
        else:
            pieces.append("-" if 0 < match.start() < len(content) - 1 else r"\-")
    source = f"(?!/)[{'^' if negation else ''}{''.join(pieces)}]"
    try:
        re.compile(source)
    except re.error:  # a range that runs backwards
        return None
    return source
