"""Reads hand-written pairs: one Markdown file a skill, with the skill and what was changed in it.

A file is a `<!-- base -->` part, the skill itself, and parts named after a metric. `<!-- C1 -->`
holds what replaces something of the base and makes its negative: a description for A2, else one or
more sections, each in place of the base's section with the same heading line; a heading of level
1 replaces the whole body. `<!-- C1 + -->` and `<!-- C1 - -->` are a keyword-matched pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.pairs import METRICS, Pair

MATCHED: Final = ("A2", "B2", "C1", "C2", "D1")
_PART: Final = re.compile(r"^<!-- (base|[A-D][12])(?: ([+-]))? -->[ \t]*\n", re.MULTILINE)


def read_folder(folder: Path) -> list[Pair]:
    """Return the pairs of all files of a folder and of those in it, in the order of their names.

    A folder within is an author's; the groups of its pairs begin with its name.
    """
    paths = sorted([*folder.glob("*.md"), *folder.glob("*/*.md")])
    return [
        replace(pair, group=path.relative_to(folder).with_suffix("").as_posix())
        for path in paths
        if path.name != "README.md"
        for pair in read_file(path)
    ]


def read_file(path: Path) -> list[Pair]:
    """Return the pairs of one file; ScorerError if it can't be read."""
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    parts: dict[str, str] = {}
    marks = list(_PART.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        name = mark[1] + (mark[2] or "")
        if name in parts:
            raise ScorerError(f"“{path}” has two parts “{name}”")
        end = following.start() if following else len(text)
        parts[name] = text[mark.end() : end].strip() + "\n"
    if "base" not in parts:
        raise ScorerError(f"“{path}” has no part “<!-- base -->”")
    try:
        return list(_pairs(path.stem, parts))
    except ValueError as error:
        raise ScorerError(f"“{path}” can't be read", str(error)) from error


def _pairs(name: str, parts: dict[str, str]) -> Iterator[Pair]:
    base = parts["base"]
    for metric in METRICS:
        if (change := parts.get(metric)) is not None:
            negative = replaced(base, metric, change)
            yield Pair(metric, "plain", name, base, negative)
        good, bad = parts.get(f"{metric}+"), parts.get(f"{metric}-")
        if (good is None) != (bad is None):
            raise ValueError(f"{metric} has one half of a keyword-matched pair only")
        if good is not None and bad is not None:
            yield Pair(
                metric,
                "matched",
                name,
                replaced(base, metric, good),
                replaced(base, metric, bad),
            )


def replaced(base: str, metric: str, change: str) -> str:
    """Return a skill with a change made; ValueError if it has no place."""
    return with_description(base, change) if metric == "A2" else with_sections(base, change)


def with_description(base: str, description: str) -> str:
    """Return a skill with another description."""
    entry = Skill(Text(base)).frontmatter
    found = entry.entry("description") if entry else None
    if found is None:
        raise ValueError("the skill has no description")
    flat = " ".join(description.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'{base[: found.key_span.start]}description: "{flat}"{base[found.span.end :]}'


def with_sections(base: str, change: str) -> str:
    """Return a skill with the sections of `change` in place of those with the same headings."""
    skill = Skill(Text(base))
    if change.startswith("# "):
        return with_end_of(base, base[: skill.body.start] + change)
    text = base
    for heading, section in _split(change):
        sections = Skill(Text(text)).markdown.sections
        line = heading.strip()
        found = [one for one in sections if text[slice(*one.heading.span)].strip() == line]
        if len(found) != 1:
            raise ValueError(f"the base has {len(found)} sections “{line}”")
        span = found[0].span
        text = f"{text[: span.start]}{section.strip()}\n\n{text[span.end :]}"
    return with_end_of(base, text)


def with_end_of(base: str, text: str) -> str:
    """Return a text with the blank end of another: no break too many may give a negative away."""
    return text.rstrip() + base[len(base.rstrip()) :]


def _split(change: str) -> list[tuple[str, str]]:
    """Return (heading line, section with it) of a change; a section holds those below it."""
    sections = Skill(Text(change)).markdown.sections
    if not sections or change[: sections[0].heading.span.start].strip():
        raise ValueError("a change must begin with a heading of the base")
    outer = [one for one in sections if one.parent is None]
    return [(change[slice(*one.heading.span)], change[slice(*one.span)]) for one in outer]
