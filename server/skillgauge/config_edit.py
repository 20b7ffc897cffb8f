"""Edits of a configuration file as text, so that comments, order and style survive."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final, cast

from skillgauge.rule import Edit
from skillgauge.text import Span
from skillgauge.toml_places import read_places

_FIRST_TABLE: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TOOL_TABLE: Final = re.compile(
    r"^[ \t]*\[[ \t]*tool\.skillgauge[ \t]*\][^\r\n]*(?:\r\n|\n|\r|\Z)", re.M
)


def ignore_rule(text: str, code: str, *, pyproject: bool = False) -> Edit | None:
    """Return the edit that adds a code to `ignore`; None if the text is no TOML or has it already.

    `text` is that of a skillgauge.toml (it may be empty), or of a pyproject.toml. None too where
    the edit would not do that, as with a table written in one line: then nothing is better.
    """
    edit = _edit(text, code, pyproject)
    if edit is None:
        return None
    after = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return edit if code in _ignored(after, pyproject) else None


def _ignored(text: str, pyproject: bool) -> list[Any]:
    """Return the codes that a file ignores; none if it can't be read."""
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return []
    for key in ("tool", "skillgauge") if pyproject else ():
        table = cast("dict[str, Any]", table).get(key, {}) if isinstance(table, dict) else {}
    found = cast("dict[str, Any]", table).get("ignore") if isinstance(table, dict) else None
    return cast("list[Any]", found) if isinstance(found, list) else []


def _edit(text: str, code: str, pyproject: bool) -> Edit | None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    path = ("tool", "skillgauge", "ignore") if pyproject else ("ignore",)
    places = read_places(text)
    known = places.get(path)
    newline = "\r\n" if "\r\n" in text else "\n"
    if known is None:
        return _new_key(text, f'ignore = ["{code}"]', newline, pyproject)
    if text[known.value] != "[":
        return None
    items = [place for key, place in places.items() if key[:-1] == path]
    if any(text.startswith((f'"{code}"', f"'{code}'"), item.value) for item in items):
        return None
    behind = known.value + 1
    separator = "" if not items else ", "
    if items and re.match(r"[ \t]*(?:\r\n|\n|\r)", text[behind:]):  # one item a line
        at = items[0].value
        indent = text[text.rfind("\n", 0, at) + 1 : at]
        return Edit(Span(at, at), f'"{code}",{newline}{indent}')
    return Edit(Span(behind, behind), f'"{code}"{separator}')


def _new_key(text: str, key: str, newline: str, pyproject: bool) -> Edit:
    """Return the edit that adds a line to the options, at the top of their table."""
    line = key + newline
    broken = not text or text.endswith("\n")
    if pyproject:
        table = _TOOL_TABLE.search(text)
        if table is None:
            gap = "" if not text or text.endswith(newline * 2) else newline
            gap += "" if broken else newline
            return Edit(Span(len(text), len(text)), f"{gap}[tool.skillgauge]{newline}{line}")
        gap = "" if table[0].endswith(("\n", "\r")) else newline
        return Edit(Span(table.end(), table.end()), gap + line)
    table = _FIRST_TABLE.search(text)
    if table:
        return Edit(Span(table.start(), table.start()), line + newline)
    return Edit(Span(len(text), len(text)), ("" if broken else newline) + line)
