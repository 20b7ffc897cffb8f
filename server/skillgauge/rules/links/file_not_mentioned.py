"""A file of the skill is named nowhere, so no agent will open it.

## Why is this bad?
An agent reads SKILL.md and what it leads to. A file that neither SKILL.md nor another file of the
skill names is dead weight, or knowledge that is lost without your noticing. Licences, readmes,
tests, evaluations and files whose folder is named as a whole are left alone.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`.
````
````file scripts/fill.py
print("ok")
````
````file references/fields.md
# Fields
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`. For field types, read `references/fields.md`.
````
````file scripts/fill.py
print("ok")
````
````file references/fields.md
# Fields
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from skillgauge.document.paths import BUNDLED
from skillgauge.document.shell import SCRIPT
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule

_SHOWN: Final = 5
_MAX_FILES: Final = 100
_MAX_READ: Final = 512 * 1024
_WORD: Final = re.compile(r"[\w-]+")
_FOLDER: Final = re.compile(r"(?<![\w-])([\w-]+)(?:/(?![\w-]|\.\w)|`)")
_NO_RESOURCE: Final = re.compile(
    r"(?:^|/)(?:\.[^/]*|__init__\.py|(?:readme|licen[cs]e|notice|changelog|copying|authors)[^/]*"
    r"|(?:test|spec)s?/.*|test_[^/]*|[^/]*[._-](?:test|spec)\.\w+|conftest\.py|fixtures?/.*"
    r"|requirements[^/]*\.txt|package(?:-lock)?\.json|pyproject\.toml|[^/]*\.lock|node_modules/.*"
    r"|__pycache__/.*)$",
    re.IGNORECASE,
)
_BINARY: Final = re.compile(
    r"\.(?:png|jpe?g|gif|webp|ico|pdf|docx|xlsx|pptx|zip|gz|tar|woff2?|ttf|otf|mp[34]|wav|db|sqlite3?|bin"
    r"|onnx|pt|parquet|pyc|so|dll|exe|jar|wasm)$",
    re.IGNORECASE,
)


@rule("L009", Severity.HINT, needs={"folder"})
def file_not_mentioned(skill: Skill) -> Iterator[Finding]:
    """Report the files below scripts, references and assets that no text of the skill names."""
    folder = skill.folder
    if folder is None or not folder.complete or len(folder.files) > _MAX_FILES:
        return
    lost = [
        path
        for path in sorted(folder.files)
        if path.partition("/")[0] in BUNDLED
        and "/" in path
        and (not path.startswith("scripts/") or SCRIPT.search(path))
        and not _NO_RESOURCE.search(path)
        and not _names(skill.source, path)
    ]
    lost = _unnamed_by_siblings(skill, lost) if lost else []
    if not lost:
        return
    names = ", ".join(f"“{path}”" for path in lost[:_SHOWN])
    more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    subject = "is named" if len(lost) == 1 else "are named"
    base = skill.path.parent if skill.path else None
    related = tuple(
        Related("This file is named nowhere", path=base / path) for path in lost[:_SHOWN] if base
    )
    yield Finding(
        skill.head,
        f"{names}{more} {subject} nowhere, so the agent will not look there; say in SKILL.md when"
        " to use it, or delete it.",
        related=related,
    )


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a text, and the folders that it names as a whole (`references/*.md`)."""
    return frozenset(_WORD.findall(text)), frozenset(_FOLDER.findall(text))


def _names(text: str, path: str) -> bool:
    """Return whether a text names a file: by its name, its stem as a word, or its whole folder."""
    head, _, name = path.rpartition("/")
    if name in text:
        return True
    words, folders = _words(text)
    stem = name.partition(".")[0]
    return (len(stem) > 2 and stem in words) or not folders.isdisjoint(head.split("/"))


def _unnamed_by_siblings(skill: Skill, lost: list[str]) -> list[str]:
    """Return what the other files of the skill don't name either; nothing if one is unknown."""
    folder = skill.folder
    read = 0
    for path, info in folder.files.items() if folder else ():
        if not lost or _BINARY.search(path) or path == skill.file_name:
            continue
        text = folder.read(path) if folder else None
        read += info.size
        if (text is None and not info.outside) or read > _MAX_READ:
            return []
        lost = [other for other in lost if other == path or not _names(text or "", other)]
    return lost
