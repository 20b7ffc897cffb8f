"""The report for programs: a JSON document whose shape `docs/json-output.md` promises."""

from __future__ import annotations

import json
from typing import Any, Final

from skillgauge.records import FileReport, Item, Run
from skillgauge.text import encodable

SCHEMA_VERSION: Final = 1


def render(run: Run) -> str:
    """Return the report of a run."""
    # One line a file: easy to read and to compare, and many times faster than indentation.
    files = ",\n".join(json.dumps(_file(file), ensure_ascii=False) for file in run.files)
    return f'{{"schema_version": {SCHEMA_VERSION}, "files": [\n{files}\n]}}\n'


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "path": encodable(file.shown),
        "findings": [_finding(item) for item in file.items],
        "structure": file.structure and _structure(file.structure),
    }


def _finding(item: Item) -> dict[str, Any]:
    return {
        "code": item.code,
        "rule": item.rule,
        "severity": item.severity,
        "message": encodable(item.message),
        "range": {
            "start": {"line": item.line, "column": item.column},
            "end": {"line": item.end_line, "column": item.end_column},
        },
        "fix": item.fix_kind,
        "url": item.url,
    }


def _structure(structure: dict[str, Any]) -> dict[str, Any]:
    dimensions = {
        name: {
            "score": value["score"],
            "deductions": [
                {**item, "message": encodable(item["message"])} for item in value["deductions"]
            ],
        }
        for name, value in structure["dimensions"].items()
    }
    return {**structure, "dimensions": dimensions}
