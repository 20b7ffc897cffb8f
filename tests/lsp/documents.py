"""Skills on disk for tests of the editor's features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from skillgauge.text import Encoding, Text

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CASES = {
    "skill_name": "csv-tools",
    "evals": [
        {"id": "a", "prompt": "Convert 😀", "files": ["references/guide.md"]},
        {"id": "b", "prompt": "Mail", "should_trigger": False},
    ],
}
GOOD = """---
name: {name}
description: {description}
---
# {title}

## Workflow

1. Run `python3 scripts/run.py --fast`.
2. Read [the guide](references/guide.md#setup) if the run fails.
"""


def make_skill(
    root: Path, name: str = "csv-tools", text: str | None = None, *, description: str = ""
) -> Path:
    """Write a skill folder with a script and a reference, and return its SKILL.md."""
    folder = root / name
    (folder / "scripts").mkdir(parents=True)
    (folder / "references").mkdir()
    script = (
        'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--fast")\n'
    )
    (folder / "scripts" / "run.py").write_text(script)
    guide = "# Guide\n\n## Setup\n\nBack to [the skill](../SKILL.md).\n"
    (folder / "references" / "guide.md").write_text(guide)
    description = description or f"Converts {name} tables. Use when a user asks for a conversion."
    made = text or GOOD.format(name=name, description=description, title=name.title())
    path = folder / "SKILL.md"
    path.write_bytes(made.encode("utf-8"))
    return path


def at(text: str, needle: str, into: int = 0) -> lsp.Position:
    """Return the position of a needle in an ASCII text."""
    offset = text.index(needle) + into
    line = text.count("\n", 0, offset)
    return lsp.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def apply(text: str, edits: list[lsp.TextEdit]) -> str:
    """Return an ASCII text with text edits applied, as an editor would."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(position: lsp.Position) -> int:
        return min(starts[min(position.line, len(starts) - 1)] + position.character, len(text))

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def edits_of(edit: lsp.WorkspaceEdit, uri: str) -> list[lsp.TextEdit]:
    """Return the text edits of one document, whichever way the server sent them."""
    found = list((edit.changes or {}).get(uri, ()))
    for change in edit.document_changes or ():
        if isinstance(change, lsp.TextDocumentEdit) and change.text_document.uri == uri:
            found.extend(item for item in change.edits if isinstance(item, lsp.TextEdit))
    return found


def place(text: str, needle: str, into: int = 0, encoding: Encoding = "utf-16") -> dict[str, int]:
    line, character = Text(text).units(text.index(needle) + into, encoding)
    return {"line": line, "character": character}


def cut(text: str, where: dict[str, Any], encoding: Encoding) -> str:
    """Return what stands in a range, as an editor that counts in these units finds it."""
    source = Text(text)
    start, end = (
        source.offset_of_units(at["line"], at["character"], encoding)
        for at in (where["start"], where["end"])
    )
    return text[start:end]
