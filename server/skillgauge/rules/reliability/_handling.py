"""Which Python files have no trace of error handling."""

from __future__ import annotations

from collections.abc import Iterable

from skillgauge.document.skill import Skill


def without(skill: Skill, paths: Iterable[str], signs: tuple[str, ...]) -> list[str]:
    """Return the files with neither try and except nor one of `signs` in their text.

    Files that can't be read, or are no UTF-8, are left out.
    """
    folder = skill.folder
    if folder is None:
        return []
    found: list[str] = []
    for path in paths:
        text = folder.read(path) if path in folder.files else None
        if text is None or "\ufffd" in text:
            continue
        if not ("try:" in text and "except" in text) and not any(sign in text for sign in signs):
            found.append(path)
    return found
