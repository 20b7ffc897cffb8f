"""What people read about rules: facts around a rule's page, tables of rules, generated files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from skillgauge.rule import PROFILES, Rule
from skillgauge.rules import FAMILIES, all_rules

_PRECISION: Final = os.path.join(os.path.dirname(__file__), "rules", "precision.json")
_ARGUMENTS: Final = re.compile(r"^(`{3,}|~{3,})(skill|evals|file|neighbour)\b.*$", re.MULTILINE)
_LANGUAGES: Final = {"skill": "markdown", "neighbour": "markdown", "evals": "json", "file": ""}
_FIXES: Final = {
    "safe": "safe: `skillgauge fix` applies it",
    "unsafe": "unsafe: `skillgauge fix --unsafe` applies it",
    "mixed": "safe or unsafe, as the case may be",
    None: "none",
}


@cache
def precision() -> dict[str, dict[str, Any]]:
    """Return what was measured of each rule on real skills, by name; empty without the data."""
    try:
        with open(_PRECISION, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield what is known of a rule beside its page, as labels and values."""
    yield "Family", f"{rule.family}, {FAMILIES[rule.family]}"
    levels = [f"{name} {_level(rule, name)}" for name in PROFILES]
    yield "Severity", ", ".join(levels)
    yield "Fix", _FIXES[rule.fix]
    if rule.deduction:
        taken = rule.deduction
        yield "Structural score", f"takes {taken.points} points off {taken.dimension}"
    measured = _measured(rule)
    if measured:
        yield "On real skills", measured


def _level(rule: Rule, profile: str) -> str:
    severity = rule.severity(profile)
    return severity.label if severity else "off"


def _measured(rule: Rule) -> str:
    found = precision().get(rule.name)
    if not found:
        return ""
    text = f"{found['hit']} of {found['skills']} have it"
    if found["read"]:
        text += f"; of {found['read']} findings read, {found['true']} were right"
    return f"{text} ({found['date']})"


def readable(page: str) -> str:
    """Return a page with its examples marked as what they are to a Markdown viewer."""

    def mark(match: re.Match[str]) -> str:
        return f"{match[1]}{_LANGUAGES[match[2]]}"

    return _ARGUMENTS.sub(mark, page)


def document(rule: Rule) -> str:
    """Return the file `docs/rules/<name>.md`."""
    listed = "\n".join(f"- **{label}:** {value}" for label, value in facts(rule))
    summary, _, rest = readable(rule.page).partition("\n")
    title = f"# {rule.name} ({rule.code})"
    return f"{title}\n\n{summary}\n\n{listed}\n\n{rest.strip()}\n"


def table(folder: str) -> str:
    """Return the Markdown table of all rules; `folder` is where their pages lie."""
    lines = ["| Code | Rule | Finds | Default | Fix |", "| --- | --- | --- | --- | --- |"]
    for rule in all_rules():
        summary = rule.summary.removesuffix(".").replace("|", "\\|")
        link = f"[{rule.name}]({folder}{rule.name}.md)"
        level = _level(rule, "default")
        lines.append(f"| {rule.code} | {link} | {summary} | {level} | {rule.fix or ''} |")
    return "\n".join(lines)


def index() -> str:
    """Return the file `docs/rules/index.md`."""
    families = ", ".join(f"`{letter}` {name}" for letter, name in FAMILIES.items())
    return (
        f"# Rules\n\nThe letter of a code is its family: {families}. “Default” is the severity in"
        " the profile `default`;\nrules that are off there can be turned on by `extend-select`, by"
        f" a severity, or by another profile.\n\n{table('')}\n"
    )


_INTRODUCTION: Final = """# Precision

How often each rule fires on real skills, and how many of the findings that a person read were
right.

The skills are 2,239 public ones under permissive licences (exact and near duplicates left out),
each judged without a target client; the evaluation files are 361 of such repositories. The files
beside a SKILL.md were known by name only, so rules that read them were measured on 3,611 skills
unpacked with all their files. A rule of severity error or warning that was wrong more than once in
twenty was mended or made a hint. Where nothing was found there was nothing to read: such a rule
rests on its cases alone. The newest figures are of {date}.
"""


def precision_page() -> str:
    """Return the file `docs/rules/precision.md`."""
    measured = precision()
    newest = max(found["date"] for found in measured.values())
    lines = [_INTRODUCTION.format(date=newest)]
    for title, wanted in (
        ("Errors and warnings", ("error", "warning")),
        ("Hints and notes", ("info", "hint")),
        ("Off by default", ("off",)),
    ):
        rules = [rule for rule in all_rules() if _level(rule, "default") in wanted]
        rows = [_row(rule, measured[rule.name]) for rule in rules if rule.name in measured]
        lines += [f"## {title}", "", "| Rule | Default | Fires on | Read | Right | Remark |"]
        lines += ["| --- | --- | --- | --- | --- | --- |", *rows, ""]
    return "\n".join(lines)


def _row(rule: Rule, found: dict[str, Any]) -> str:
    name = f"[{rule.code} {rule.name}]({rule.name}.md)"
    rate = f"{found['hit']} of {found['skills']} ({found['hit'] / found['skills']:.1%})"
    read, right = (found["read"], found["true"]) if found["read"] else ("", "")
    remark = found["note"].replace("|", "\\|")
    return f"| {name} | {_level(rule, 'default')} | {rate} | {read} | {right} | {remark} |"
