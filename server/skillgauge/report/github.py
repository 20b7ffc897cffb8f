"""Workflow commands for GitHub Actions: each finding becomes an annotation of its lines."""

from __future__ import annotations

from typing import Final

from skillgauge.records import FileReport, Item, Run
from skillgauge.report._terminal import safe
from skillgauge.text import encodable, split_lines

LEVELS: Final = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}


def render(run: Run) -> str:
    """Return the report of a run."""
    lines = [_annotation(file, item) for file in run.files for item in file.items]
    return "".join(f"{encodable(line)}\n" for line in lines)


def _annotation(file: FileReport, item: Item) -> str:
    properties = {"file": file.shown, "line": item.line, "endLine": item.end_line}
    if item.line == item.end_line:  # GitHub takes columns for a single line only
        properties |= {"col": item.column, "endColumn": item.end_column}
    properties["title"] = f"{item.code} {item.rule}"
    listed = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    message = "\n".join(safe(line) for line in split_lines(item.message))
    return f"::{LEVELS[item.severity]} {listed}::{_escape(message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: object) -> str:
    return _escape(str(value)).replace(":", "%3A").replace(",", "%2C")
