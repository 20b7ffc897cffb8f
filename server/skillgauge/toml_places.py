"""Where keys and values stand in a TOML text: tomllib reads values without their places.

The text must have been accepted by tomllib before: this reader skips over values, it does not
check them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

Path = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_STRING: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)
_OTHER: Final = re.compile(r"[^,\]}#\r\n]*")


class Place(NamedTuple):
    """Offsets of a key (of the item itself in an array) and of its value."""

    key: int
    value: int


def read_places(text: str) -> dict[Path, Place]:
    """Return the place of every key, table and array item by its path."""
    reader = _Reader(text)
    reader.document()
    return reader.places


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith("\ufeff") else 0
        self.places: dict[Path, Place] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        while self.blank() < len(self.text):
            before = self.at
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            if self.at == before:  # not TOML after all: stop, rather than go round for ever
                return

    def blank(self) -> int:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def take(self, char: str) -> bool:
        self.blank()
        if self.text.startswith(char, self.at):
            self.at += len(char)
            return True
        return False

    def header(self) -> Path:
        """Read `[a.b]` or `[[a.b]]`; each part of the name is inside the last item of an array."""
        start = self.at
        double = self.text.startswith("[[", start)
        self.at += 2 if double else 1
        path: Path = ()
        names = self.key()
        for index, (name, place) in enumerate(names):
            path = (*path, name)
            self.places.setdefault(path, Place(place, start))
            last = index == len(names) - 1
            if path in self.counts or (last and double):
                if last and double:
                    self.counts[path] = self.counts.get(path, 0) + 1
                path = (*path, self.counts[path] - 1)
                self.places.setdefault(path, Place(start, start))
        self.take("]]" if double else "]")
        return path

    def key(self) -> list[tuple[str, int]]:
        """Read a dotted key: its parts with their places."""
        parts: list[tuple[str, int]] = []
        while True:
            start = self.blank()
            match = _STRING.match(self.text, start) or _BARE.match(self.text, start)
            if match is None:
                return parts
            self.at = match.end()
            parts.append((_name(match[0]), start))
            if not self.take("."):
                return parts

    def pair(self, table: Path) -> None:
        names = self.key()
        self.take("=")
        value = self.blank()
        path = table
        for name, place in names:
            path = (*path, name)
            self.places.setdefault(path, Place(place, value))
        self.value(path)

    def value(self, path: Path) -> None:
        start = self.blank()
        if self.take("["):
            self.array(path)
        elif self.take("{"):
            while not self.take("}") and self.at < len(self.text):
                before = self.at
                self.pair(path)
                self.take(",")
                if self.at == before:
                    return
        else:
            match = _STRING.match(self.text, start) or _OTHER.match(self.text, start)
            self.at = match.end() if match else len(self.text)

    def array(self, path: Path) -> None:
        index = 0
        while not self.take("]") and self.at < len(self.text):
            start = self.blank()
            self.places[(*path, index)] = Place(start, start)
            self.value((*path, index))
            self.take(",")
            index += 1
            if self.at == start:
                return


def _name(token: str) -> str:
    if token[0] not in "\"'":
        return token
    if token[0] == "'" or "\\" not in token:
        return token[1:-1]
    import tomllib

    return next(iter(tomllib.loads(f"{token} = 0")))
