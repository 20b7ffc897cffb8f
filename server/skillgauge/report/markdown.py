"""Markdown for a comment on a pull request: a table of findings, the scores folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.records import FileReport, Item, Run
from skillgauge.report._terminal import safe

MAX_CHARACTERS: Final = 60_000
"""GitHub refuses longer comments than 65,536 characters."""

_SPECIAL: Final = re.compile(r"[\\`*_{}\[\]<>|~&]")
_ACTIVE: Final = re.compile(r"@|#(?=\d)|(?<=:)//|(?<=www)\.")
"""What GitHub makes a mention, a reference or a link of, even in plain text."""


def render(run: Run) -> str:
    """Return the report of a run."""
    items = [(file, item) for file in run.files for item in file.items]
    hit = sum(bool(file.items) for file in run.files)
    found, files = _count(len(items), "finding"), _count(len(run.files), "file")
    lines = [f"### Skillgauge: {found} in {hit} of {files}"]
    if items:
        lines += ["", "| Place | Severity | Rule | Finding |", "| --- | --- | --- | --- |"]
        lines += _rows(items, MAX_CHARACTERS)
    text = "\n".join(lines)
    scores = "\n".join(_scores(run.files))
    return (
        f"{text}\n\n{scores}\n" if scores and len(text + scores) < MAX_CHARACTERS else f"{text}\n"
    )


def _rows(items: list[tuple[FileReport, Item]], room: int) -> Iterator[str]:
    for number, (file, item) in enumerate(items):
        fix = " *(can be fixed)*" if item.fix_kind == "safe" else ""
        row = (
            f"| {literal(file.shown)}:{item.line}:{item.column} | {item.severity} |"
            f" [{item.code} {item.rule}]({item.url}) | {literal(item.message)}{fix} |"
        )
        room -= len(row) + 1
        if room < 0:
            yield f"\n… and {_count(len(items) - number, 'further finding')}."
            return
        yield row


def _scores(files: list[FileReport]) -> Iterator[str]:
    scored = [(file, file.structure) for file in files if file.structure]
    if not scored:
        return
    yield "<details><summary>Structure: how the documents are built</summary>\n"
    yield "| File | Score | Grade | Deductions |"
    yield "| --- | ---: | --- | --- |"
    for file, structure in scored:
        taken = [
            f"{item['code']} {item['rule']} −{item['points']}"
            for dimension in structure["dimensions"].values()
            for item in dimension["deductions"]
        ]
        score = f"{structure['score']:.1f} | {structure['grade']}"
        yield f"| {literal(file.shown)} | {score} | {', '.join(taken)} |"
    yield "\n</details>"


def literal(text: str) -> str:
    """Return text that Markdown shows as it is, and of which GitHub makes no mention or link."""
    text = _SPECIAL.sub(lambda match: f"\\{match[0]}", safe(text))
    return _ACTIVE.sub(lambda match: f"<!-- -->{match[0]}<!-- -->", text)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
