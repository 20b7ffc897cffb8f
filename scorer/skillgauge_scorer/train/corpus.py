"""Skills to make pairs of: a folder of SKILL.md files, a repository a folder of its first level."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.surface import words

MOST: Final = 14
"""Skills that are taken of a repository, so that none teaches its own style."""
WORDS: Final = (200, 850)
"""The words that a skill has: fewer say too little, and more take too long to encode."""
_MAX_BYTES: Final = 1 << 18
_MAX_FILES: Final = 200_000
_WORD: Final = re.compile(r"[^\W\d_]+")
_COMMON: Final = re.compile(
    r"(?i)\b(?:the|and|to|of|for|is|or|with|on|be|are|this|that|it|as|by|from|not|if|use|when"
    r"|you)\b"
)
_FENCED: Final = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)
_ENGLISH: Final = 0.06
"""The share of words outside of code that is common in English; names and tables have few."""
_FOREIGN: Final = 0.03
"""The share of letters that no English word has."""


@dataclass(frozen=True, slots=True)
class Source:
    """A skill as it was found; `group` is its repository."""

    group: str
    path: str
    text: str


def read_corpus(
    folder: Path, size: tuple[int, int] = WORDS, most: int = MOST
) -> tuple[list[Source], int]:
    """Return the English skills of a size in a folder, and how many there are of any kind."""
    if not folder.is_dir():
        raise ScorerError(f"The folder “{folder}” does not exist")
    found: dict[str, list[Source]] = {}
    count = 0
    for path in _files(folder):
        count += 1
        text = _text(path)
        if text is None or not size[0] <= words(text) <= size[1] or not english(text):
            continue
        inside = path.relative_to(folder)
        group = inside.parts[0] if len(inside.parts) > 1 else folder.name
        found.setdefault(group, []).append(Source(group, inside.as_posix(), text))
    chosen: list[Source] = []
    for group in sorted(found):
        chosen += sorted(found[group], key=_chance)[:most]
    return chosen, count


def english(text: str) -> bool:
    """Return whether a skill is written in English, code and all."""
    text = _FENCED.sub("", text)
    found = _WORD.findall(text)
    letters = sum(map(len, found))
    foreign = sum(not char.isascii() for word in found for char in word)
    common = len(_COMMON.findall(text))
    return bool(found) and foreign <= _FOREIGN * letters and common >= _ENGLISH * len(found)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the skills' files in the order of their paths; links to folders are not followed."""
    seen = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            seen += 1
            if seen > _MAX_FILES:
                raise ScorerError(f"“{folder}” has more than {_MAX_FILES:,} files")
            path = Path(root, name)
            if name.lower() == "skill.md" and path.is_file():
                yield path


def _text(path: Path) -> str | None:
    """Return a skill's text, None for one that is too large, broken, or has no description."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
        text = data.decode("utf-8").replace("\r\n", "\n").removeprefix("\ufeff")
    except (OSError, UnicodeDecodeError):
        return None
    skill = Skill(Text(text)) if len(data) <= _MAX_BYTES else None
    return text if skill is not None and skill.description else None


def _chance(source: Source) -> bytes:
    """Return what orders skills as if by chance, but the same in every run."""
    return hashlib.sha256(source.path.encode()).digest()
