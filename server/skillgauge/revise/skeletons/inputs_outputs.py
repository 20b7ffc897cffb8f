"""C2: tables of what goes in and what comes out, from scripts, typed functions and files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.revise.candidate import Draft, hole
from skillgauge.revise.facts import Facts
from skillgauge.revise.facts.parameter import Parameter
from skillgauge.revise.facts.source import Source
from skillgauge.revise.place import add, add_rows, code, prose, table

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill

METRIC: Final = "C2"
HEADING: Final = re.compile(r"\b(?:inputs?|outputs?|parameters|arguments|i/o)\b", re.IGNORECASE)
TITLE: Final = "Inputs and outputs"
MAX_ROWS: Final = 12
_FORMATS: Final = {
    "csv": "CSV, comma-separated rows",
    "tsv": "TSV, tab-separated rows",
    "json": "JSON",
    "jsonl": "JSON Lines, one object a line",
    "yaml": "YAML",
    "yml": "YAML",
    "toml": "TOML",
    "xml": "XML",
    "html": "HTML",
    "pdf": "PDF",
    "docx": "Word document",
    "xlsx": "Excel workbook",
    "pptx": "PowerPoint slides",
    "png": "PNG image",
    "jpg": "JPEG image",
    "jpeg": "JPEG image",
    "svg": "SVG image",
    "txt": "plain text",
    "log": "plain text, line by line",
    "parquet": "Parquet table",
    "npy": "NumPy array",
    "npz": "NumPy arrays",
    "h5": "HDF5",
    "h5ad": "HDF5, an AnnData object",
    "sql": "SQL",
    "db": "SQLite database",
    "zip": "ZIP archive",
}
_STATUS: Final = {0: "it worked", 2: "the arguments are wrong"}


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield the tables that the facts allow."""
    if (made := _of_scripts(facts)) is not None:
        yield made
    if (made := _of_functions(facts)) is not None:
        yield made
    if (made := _of_files(facts)) is not None:
        yield made


def _of_scripts(facts: Facts) -> Draft | None:
    blocks = [_script(facts.skill, source) for source in facts.scripts if _is_new(facts, source)]
    if not blocks:
        return None
    block = "\n\n".join(blocks[:4])
    return Draft("Add what the scripts take and return", (add(facts.skill, HEADING, TITLE, block),))


def _is_new(facts: Facts, source: Source) -> bool:
    """Return whether the text leaves out at least a parameter of a script."""
    told = f"{code(source.path)} takes:"
    names = [item.name for item in source.parameters]
    missing = [name for name in names if not facts.mentions(name)]
    return not facts.mentions(told) and (bool(missing) or (not names and bool(source.keys)))


def _script(skill: Skill, source: Source) -> str:
    parts: list[str] = []
    if taken := source.parameters[:MAX_ROWS]:
        header = ["Input", "Type", "Default"]
        rows = [[code(item.name), item.kind or "text", _default(item)] for item in taken]
        if any(item.help for item in taken):
            header.append("Meaning")
            rows = [[*row, prose(item.help)] for row, item in zip(rows, taken, strict=True)]
        parts.append(f"{code(source.path)} takes:\n\n{table(skill, header, rows)}")
    if outcome := _outcome(source):
        parts.append(outcome if parts else f"{code(source.path)}: {outcome}")
    return "\n\n".join(parts)


def _default(item: Parameter) -> str:
    if item.required:
        return "required"
    if item.kind == "flag":
        return "off"
    return code(item.default) if item.default not in (None, "", "None") else "none"


def _outcome(source: Source) -> str:
    """Return what a script prints, writes and ends with, as sentences."""
    found: list[str] = []
    if source.printed:
        keys = ", ".join(code(key) for key in source.keys[:MAX_ROWS])
        told = f" with the keys {keys}" if keys else ""
        found.append(f"It prints {source.printed}{told} to standard output.")
    written = [code(use.path) for use in source.files if use.written]
    if written:
        found.append(f"It writes {', '.join(written[:4])}.")
    if len(source.exits) > 1 or (source.exits and source.exits != (0,)):
        statuses = [
            f"{number} means that {_STATUS.get(number) or hole('it failed')}"
            for number in dict.fromkeys((0, *source.exits))
        ]
        found.append(f"Exit status {', '.join(statuses)}.")
    return " ".join(found)


def _of_functions(facts: Facts) -> Draft | None:
    rows: list[list[str]] = []
    for source in facts.examples:
        for function in source.functions:
            name = f"{function.name}()"
            if facts.mentions(code(name)):
                continue
            takes = ", ".join(
                f"{code(item.name)}: {code(item.kind)}" for item in function.parameters[:6]
            )
            rows.append([code(name), takes, code(function.returns)])
    if not rows:
        return None
    header = ["Function", "Input", "Output"]
    edit = add_rows(facts.skill, HEADING, TITLE, header, rows[:MAX_ROWS])
    return Draft("Add what the functions take and return", (edit,))


def _of_files(facts: Facts) -> Draft | None:
    rows: list[list[str]] = []
    for use in sorted(facts.files, key=lambda use: use.written):
        kind = _FORMATS.get(use.path.rpartition(".")[2].lower())
        if kind is None or facts.mentions(f"| {code(use.path)} |"):
            continue
        way, does = ("Output", "written") if use.written else ("Input", "read")
        rows.append([way, code(use.path), kind, f"{does} by {code(use.call)}"])
    if not rows:
        return None
    header = ["Direction", "File", "Format", "Use"]
    block = table(facts.skill, header, rows[:MAX_ROWS])
    return Draft(
        "Add the files that are read and written", (add(facts.skill, HEADING, TITLE, block),)
    )
