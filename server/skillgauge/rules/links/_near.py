"""Finds the file that was meant where a path leads nowhere, and writes its path in its place."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Fix

_CLOSE: Final = 0.85
"""How alike two file names must be for the one to be offered for the other."""


@dataclass(frozen=True, slots=True)
class Near:
    """A file that may have been meant; `sure` if hardly another can have been."""

    path: str
    sure: bool
    plural: bool = False
    """Whether only a folder's s is missing or too many: `reference/x.md` for `references/x.md`."""


def same_but_case(skill: Skill, target: str) -> str | None:
    """Return the one file or folder whose path differs from `target` in case only."""
    if skill.folder is None:
        return None
    wanted = _fold(target)
    found = [path for path in _all(skill) if _fold(path) == wanted]
    return found[0] if len(found) == 1 and found[0] != target else None


def _fold(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _all(skill: Skill) -> list[str]:
    folder = skill.folder
    return [*folder.files, *folder.directories] if folder else []


def nearest(skill: Skill, target: str) -> Near | None:
    """Return the file that was probably meant, None if none or several come into question."""
    paths = [path for path in _all(skill) if path != skill.file_name]
    head, _, name = target.rpartition("/")
    same_name = [path for path in paths if path.rpartition("/")[2] == name]
    plural = [path for path in same_name if _singular(path) == _singular(target)]
    if len(plural) == 1:
        return Near(plural[0], True, plural=True)
    if len(same_name) == 1:
        return Near(same_name[0], True)
    beside = {path.rpartition("/")[2]: path for path in paths if path.rpartition("/")[0] == head}
    close = difflib.get_close_matches(name, beside, n=2, cutoff=_CLOSE)
    return Near(beside[close[0]], False) if len(close) == 1 else None


def _singular(path: str) -> str:
    return "/".join(part.removesuffix("s") for part in path.split("/")[:-1])


def lead_to(skill: Skill, references: Sequence[Reference], path: str, *, safe: bool) -> Fix:
    """Return the fix that writes `path` in the place of the path of each reference."""
    edits = tuple(
        Edit(reference.path_span, _in_style(skill, reference, path)) for reference in references
    )
    places = f" in {len(edits)} places" if len(edits) > 1 else ""
    return Fix(f"Write “{path}”{places}", edits, safe=safe)


def _in_style(skill: Skill, reference: Reference, path: str) -> str:
    """Return a path as it is written there: encoded in a link, with `./` if the old one had it."""
    source, span = skill.source, reference.path_span
    if reference.link is not None and source[span.start - 1] != "<":
        path = quote(path, safe="/!~*'@:+&=,;$%-._")
    return "./" + path if source.startswith("./", span.start) else path
