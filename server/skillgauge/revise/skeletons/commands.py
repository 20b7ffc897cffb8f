"""B2: the scripts' own command lines, and the folder's files by their paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.revise.candidate import Draft
from skillgauge.revise.facts import Facts
from skillgauge.revise.facts.source import Source
from skillgauge.revise.place import add, add_rows, code, prose
from skillgauge.revise.skeletons._usage import usage

METRIC: Final = "B2"
COMMANDS: Final = re.compile(r"\b(?:available scripts|scripts|commands|usage)\b", re.IGNORECASE)
FILES: Final = re.compile(r"\b(?:bundled|files|resources|references?)\b", re.IGNORECASE)
MAX_FILES: Final = 10
_KINDS: Final = {"references": "reference", "assets": "asset", "scripts": "script"}
_TITLE: Final = re.compile(r"^#{1,2}[ \t]+(\S[^\r\n]*)", re.MULTILINE)


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield the commands that the text does not have, and the files that it does not name."""
    wanted = [item for item in facts.scripts if _is_new(facts, item)]
    if wanted:
        lines = "\n".join(
            (f"# {item.about}\n" if item.about else "") + usage(item) for item in wanted[:4]
        )
        block = f"```bash\n{lines}\n```"
        edit = add(facts.skill, COMMANDS, "Commands", block)
        yield Draft("Add the scripts' command lines", (edit,))
    rows = list(_files(facts))
    if rows:
        edit = add_rows(facts.skill, FILES, "Bundled files", ["File", "Kind", "About"], rows)
        yield Draft("Add the bundled files that are not named", (edit,))


def _is_new(facts: Facts, source: Source) -> bool:
    """Return whether the text leaves out a script, or one of its parameters."""
    names = [source.path, *(item.name for item in source.parameters if item.is_option)]
    told = all(facts.mentions(name) for name in names) or facts.mentions(usage(source))
    return bool(source.parameters) and not told


def _files(facts: Facts) -> Iterator[list[str]]:
    folder = facts.skill.folder
    about = {item.path: item.about for item in facts.scripts}
    left = MAX_FILES
    for path in folder.files if folder is not None else ():
        kind = _KINDS.get(path.partition("/")[0])
        if kind is None or facts.mentions(path) or path.endswith("__init__.py") or not left:
            continue
        told = about.get(path) or _heading(
            folder.read(path) if folder and path[-3:] == ".md" else ""
        )
        left -= 1
        yield [code(path), kind, prose(told)]


def _heading(text: str | None) -> str:
    found = _TITLE.search(text or "")
    return found[1].strip()[:100] if found else ""
