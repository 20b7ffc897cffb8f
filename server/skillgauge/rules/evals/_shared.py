"""What rules about evaluation files share: edits in either syntax, and where keys stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.eval_keys import FLAT, ROLES, Role
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Mapping
from skillgauge.rule import Edit

_PLAIN: Final = re.compile(
    r"(?!(?:true|false|null|yes|no|on|off|y|n|nan|inf)\Z)[A-Za-z_][\w./-]*", re.I
)
_WORD: Final = re.compile(r"\w+")
_SIGNS_TO_BLANKS: Final = bytes(
    ord(char.lower()) if char.isalnum() or char == "_" else ord(" ")
    for char in map(chr, range(128))
).ljust(256)
"""Turns ASCII text into its words in lower case, with blanks between them."""


def literal(file: EvalFile, text: str) -> str:
    """Return a string as the file's syntax writes it."""
    if file.is_yaml and _PLAIN.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False)


def rename(file: EvalFile, entry: Entry, key: str) -> Edit:
    """Return the edit that gives a key another name, within the quotation marks that it has."""
    raw = file.text.slice(entry.key_span)
    mark = raw[:1] if raw[:1] in ("'", '"') else ""
    return Edit(entry.key_span, f"{mark}{key}{mark}")


def name_of(file: EvalFile, role: Role) -> str:
    """Return what the file calls a part of a case: the name of its dialect."""
    modern = ROLES[role][0]
    flat = next((old for old, new in FLAT.items() if new == modern), modern)
    used = {entry.key for case in file.cases for entry in entries_of(case)}
    return flat if file.dialect in ("flat", "benchflow", "single") and used & set(FLAT) else modern


def entries_of(case: EvalCase) -> tuple[Entry, ...]:
    """Return the keys of a case with their values."""
    return case.node.entries if isinstance(case.node, Mapping) else ()


def with_key(file: EvalFile, key: str) -> Iterator[tuple[EvalCase, Entry]]:
    """Yield the cases that have a key, each with that entry."""
    for case in file.cases:
        for entry in entries_of(case):
            if entry.key == key:
                yield case, entry


def words(text: str) -> list[str]:
    """Return the words of a text, letter case aside."""
    if text.isascii():  # the same as below, in a fourth of the time
        return text.encode().translate(_SIGNS_TO_BLANKS).decode().split()
    return [word.casefold() for word in _WORD.findall(text)]


def in_cases(count: int) -> str:
    """Return how a message says that something holds for more than one case."""
    return f" (in {count} cases)" if count > 1 else ""


def listed(names: Iterable[str]) -> str:
    """Return names in quotation marks, with commas."""
    return ", ".join(f"“{name}”" for name in names)
