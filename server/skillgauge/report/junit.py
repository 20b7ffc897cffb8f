"""JUnit XML: a test case for each file, failed by findings that count."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from skillgauge.records import FileReport, Item, Run

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(run: Run) -> str:
    """Return the report of a run."""
    cases = [_case(run, file) for file in run.files]
    failures = sum("<failure" in case for case in cases)
    numbers = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="skillgauge" {numbers}>',
            f'  <testsuite name="skillgauge" {numbers}>',
            *cases,
            "  </testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _case(run: Run, file: FileReport) -> str:
    name = _xml(file.shown)
    head = f'    <testcase classname="skillgauge" name="{name}" file="{name}"'
    failing = [item for item in file.items if run.failing(file, item)]
    others = [item for item in file.items if not run.failing(file, item)]
    if not file.items:
        return f"{head}/>"
    parts = [f"{head}>"]
    if failing:
        message = f"{len(failing)} finding{'s' if len(failing) > 1 else ''}"
        worst = max(failing, key=lambda item: item.rank).severity
        text = _lines(file, failing)
        parts.append(f'      <failure message="{message}" type="{worst}">{text}</failure>')
    if others:
        parts.append(f"      <system-out>{_lines(file, others)}</system-out>")
    return "\n".join([*parts, "    </testcase>"])


def _lines(file: FileReport, items: list[Item]) -> str:
    return "\n".join(
        _xml(
            f"{file.shown}:{item.line}:{item.column}: {item.severity} {item.code} {item.rule}:"
            f" {item.message}"
        )
        for item in items
    )


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))
