"""Writes a long value of the frontmatter as a block of lines, where it needs no quotes at all.

It is also the other way to mend a value that does not parse. The result is read back: a value that
would read otherwise, for example one that begins with a blank, is not offered.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.nodes import Mapping, Scalar
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.refactor import Refactoring
from skillgauge.rule import Edit
from skillgauge.text import Span

MIN_LENGTH: Final = 80
"""Characters from which a value that reads well is offered another form."""
WIDTH: Final = 90
INDENT: Final = "  "
_RULE: Final = "description-block-scalar"
"""It knows which clients can't read a block; where it would speak, nothing is offered."""


@dataclass(frozen=True, slots=True)
class _Value:
    key: str
    entry: Span
    span: Span
    text: str
    broken: bool


def offer(skill: Skill, span: Span) -> Refactoring | None:
    """Offer the block for the entry at a place."""
    values = _values(skill.frontmatter) if skill.frontmatter else ()
    value = next((item for item in values if item.entry.contains(span.start)), None)
    if value is None:
        return None
    newline = "\r\n" if "\r\n" in skill.source else "\n"
    written = block(value.text, newline)
    if written is None:
        return None
    edits = (Edit(value.span, written),)
    if value.key == "description" and not _readable(skill, edits):
        return None
    kind = "quickfix" if value.broken else "refactor.rewrite"
    return Refactoring(f"Turn the value of “{value.key}” into a block", kind, edits)


def block(text: str, newline: str = "\n") -> str | None:
    """Return a text as a block scalar from its indicator on; None if it can't be one."""
    mark, lines = ("|-", text.split("\n")) if "\n" in text else (">-", _wrapped(text))
    parts = [mark, *(f"{INDENT}{line}" if line else "" for line in lines)]
    root = read_yaml("k: " + "\n".join(parts) + "\n").root
    read = root.get("k") if isinstance(root, Mapping) else None
    return newline.join(parts) if isinstance(read, Scalar) and read.text == text else None


def _wrapped(text: str) -> list[str]:
    """Break lines at single blanks only: at any other a folded block would not read the same."""
    kept = re.sub(r" (?= )|(?<= ) ", "\0", text)
    lines = textwrap.wrap(
        kept,
        WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
        drop_whitespace=True,
    )
    return [line.replace("\0", " ") for line in lines]


def _values(front: Frontmatter) -> Iterator[_Value]:
    """Yield the entries for which a block is another way to write them."""
    for broken in front.broken:
        repair = broken.repair
        if repair is None or broken.inside or repair.span != broken.value_span:
            continue
        root = read_yaml("k: " + repair.text).root
        meant = root.get("k") if isinstance(root, Mapping) else None
        if isinstance(meant, Scalar) and meant.text:
            yield _Value(broken.key, broken.span, repair.span, meant.text, True)
    for entry in front.entries:
        value = entry.value
        if (
            isinstance(value, Scalar)
            and value.style in ("plain", "single", "double")
            and value.legacy_type == "str"
            and not (value.anchor or value.tag)
            and len(value.text) >= MIN_LENGTH
            and not front.is_broken(entry.key)
        ):
            yield _Value(entry.key, entry.span, value.span, value.text, False)


def _readable(skill: Skill, edits: tuple[Edit, ...]) -> bool:
    from skillgauge.engine import run
    from skillgauge.fix import apply_edits, with_text
    from skillgauge.rules import by_key

    return not run(by_key()[_RULE], with_text(skill, apply_edits(skill.source, edits)))
