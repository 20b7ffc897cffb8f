"""SARIF 2.1.0, for code scanning: results with exact regions, fingerprints and fixes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from skillgauge import __version__
from skillgauge.baseline import fingerprints
from skillgauge.records import FileReport, FixNote, Item, RelatedNote, Run
from skillgauge.text import encodable

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
HOME: Final = "https://github.com/skillgauge/skillgauge"
LEVELS: Final = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}

Plain = dict[str, Any]


def render(run: Run) -> str:
    """Return the report of a run."""
    codes = sorted({item.code for item in run.items})
    index = {code: number for number, code in enumerate(codes)}
    results = [
        _result(file, item, mark, index[item.code])
        for file in run.files
        for item, mark in zip(file.items, fingerprints(file.shown, file), strict=True)
    ]
    driver = {
        "name": "Skillgauge",
        "semanticVersion": __version__,
        "informationUri": HOME,
        "rules": _rules(codes),
    }
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True}],
                "results": results,
            }
        ],
    }
    return encodable(json.dumps(document, ensure_ascii=False, indent=2)) + "\n"


def _rules(codes: list[str]) -> list[Plain]:
    from skillgauge.rules import by_key, url_of

    found: list[Plain] = []
    for code in codes:
        rule = by_key()[code]
        severity = rule.severity("default") or rule.severities["strict"]
        explanation = rule.page.split("\n## Bad", 1)[0].strip()
        found.append(
            {
                "id": code,
                "name": rule.name,
                "shortDescription": {"text": rule.summary},
                "fullDescription": {"text": explanation.replace("## ", "")},
                "help": {"text": rule.page, "markdown": f"# {rule.name}\n\n{rule.page}"},
                "helpUri": url_of(rule),
                "defaultConfiguration": {"level": LEVELS[severity.label]},
                "properties": {"tags": [rule.module.split(".")[-2]]},
            }
        )
    return found


def _result(file: FileReport, item: Item, mark: str, index: int) -> Plain:
    result: Plain = {
        "ruleId": item.code,
        "ruleIndex": index,
        "level": LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [{"physicalLocation": _location(file.shown, _region(file, *item[4:6]))}],
        "partialFingerprints": {"skillgauge/v1": mark},
    }
    if item.related:
        result["relatedLocations"] = [_related(file, note) for note in item.related]
    if item.fix and item.fix.edits:
        result["fixes"] = [_fix(file, item.fix)]
    return result


def _location(shown: str, region: Plain) -> Plain:
    return {"artifactLocation": _artifact(shown), "region": region}


def _artifact(shown: str) -> Plain:
    if shown.startswith("../") or os.path.isabs(shown):
        return {"uri": Path(os.path.abspath(shown)).as_uri()}
    return {"uri": quote(shown.encode("utf-8", "surrogateescape")), "uriBaseId": "%SRCROOT%"}


def _region(file: FileReport, start: int, end: int) -> Plain:
    first, last = file.text.position(start), file.text.position(end)
    return {
        "startLine": first.line + 1,
        "startColumn": first.column + 1,
        "endLine": last.line + 1,
        "endColumn": last.column + 1,
    }


def _related(file: FileReport, note: RelatedNote) -> Plain:
    from skillgauge.project import shown

    region = {"startLine": note.line, "startColumn": note.column}
    location = _location(shown(note.path) if note.path else file.shown, region)
    return {"physicalLocation": location, "message": {"text": note.message}}


def _fix(file: FileReport, fix: FixNote) -> Plain:
    replacements = [
        {
            "deletedRegion": _region(file, edit.start, edit.end),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(file.shown), "replacements": replacements}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"safe": fix.safe},
    }
