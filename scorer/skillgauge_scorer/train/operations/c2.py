"""C2: formats, fields, tables and schemas of what goes in and comes out become general words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.operations.b2 import apply

HOW: Final = "fields, formats and schemas give way to general words"
_SCHEMA: Final = frozenset(("json", "jsonc", "yaml", "yml", "csv", "xml", "toml", "tsv", ""))
_FORMAT: Final = re.compile(
    r"\b(?:JSON|CSV|TSV|YAML|XML|TOML|Markdown|HTML|PDF|XLSX|PNG|SVG|UTF-8|ISO 8601|Parquet)\b"
)
_TYPE: Final = re.compile(
    r"\b(?:strings?|integers?|booleans?|floats?|arrays?|objects?|ids?|UUIDs?|timestamps?"
    r"|milliseconds|seconds|bytes|pixels|percent)\b"
)
_IO: Final = re.compile(
    r"(?i)\b(?:inputs?|outputs?|returns?|arguments?|parameters?|fields?|columns?|schema|format"
    r"|deliverables?|reports?|response)\b"
)
_SPAN_NEAR: Final = 200
_FORMATS: Final = ("data", "text", "content", "a document")
_TYPES: Final = ("values", "entries", "details", "items")
_ROWS: Final = (
    "the information that the task starts from",
    "what was found, with the main points",
    "the details that belong to it",
    "a summary of the work and its results",
    "the data in a form that can be read",
)


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the skill with its inputs and outputs left general."""
    skill = Skill(Text(source))
    markdown = skill.markdown
    edits: list[tuple[int, int, str]] = []
    for table in markdown.tables:
        if _IO.search(source, max(0, table.span.start - _SPAN_NEAR), table.span.end):
            lines = [f"- {chance.choice(_ROWS)}" for _ in table.rows[1:9]]
            edits.append((table.span.start, table.span.end, "\n".join(lines) + "\n"))
    for block in markdown.code_blocks:
        if block.language in _SCHEMA and _IO.search(
            source, max(0, block.span.start - _SPAN_NEAR), block.span.end
        ):
            count = max(1, min(10, source[slice(*block.content)].count("\n")))
            lines = [f"- {chance.choice(_ROWS)}" for _ in range(count)]
            edits.append((block.span.start, block.span.end, "\n".join(lines) + "\n"))
    sections = [one for one in markdown.sections if _IO.search(one.heading.text)]
    for span in markdown.code_spans:
        within = any(one.span.contains(span.span.start) for one in sections)
        line = skill.text.line(skill.text.line_of(span.span.start))
        if within or _IO.search(line):
            edits.append((span.span.start, span.span.end, chance.choice(_TYPES)))
    for pattern, names in ((_FORMAT, _FORMATS), (_TYPE, _TYPES)):
        for match in pattern.finditer(source, skill.body.start):
            if not markdown.in_code(match.start()):
                edits.append((match.start(), match.end(), chance.choice(names)))
    return apply(source, edits) if len(edits) >= 4 else None
