"""C2: the fields of a JSON example in the text, as a table right below it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge.revise.candidate import Draft, hole
from skillgauge.revise.facts import Facts
from skillgauge.revise.place import code, table, with_breaks
from skillgauge.rule import Edit
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.markdown import CodeBlock

METRIC: Final = "C2"
MAX_FIELDS: Final = 10
MIN_FIELDS: Final = 2
MAX_BLOCKS: Final = 3
MAX_VALUE: Final = 40
_LARGEST: Final = 20_000
_TYPES: Final[dict[type, str]] = {
    str: "string",
    bool: "true or false",
    int: "integer",
    float: "number",
    list: "list",
    dict: "object",
    type(None): "null",
}


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield one draft a block of JSON whose fields no table tells yet."""
    left = MAX_BLOCKS
    for block in facts.skill.markdown.code_blocks:
        if block.language not in ("json", "jsonc") or not block.closed or not left:
            continue
        fields = _fields(facts.skill.source[slice(*block.content)])
        new = {
            key: value for key, value in fields.items() if not facts.mentions(f"| {code(key)} |")
        }
        # An indented block belongs to a list item, and what is put below would end the list.
        if len(new) >= MIN_FIELDS and _at_margin(facts, block):
            left -= 1
            rows = [[code(key), _type(value), _example(value)] for key, value in new.items()]
            text = table(facts.skill, ["Field", "Type", "Example"], rows[:MAX_FIELDS])
            at = block.span.start + len(facts.skill.source[slice(*block.span)].rstrip())
            told = with_breaks(facts.skill, f"\n\n{text}")
            yield Draft("Add the fields of the JSON as a table", (Edit(Span(at, at), told),))


def _at_margin(facts: Facts, block: CodeBlock) -> bool:
    start = block.span.start
    before = facts.skill.source[max(start - 1, 0) : start]
    return before in ("", "\n", "\r") and facts.skill.source[start] in "`~"


def _fields(text: str) -> dict[str, Any]:
    """Return the fields of an object, or of the first in a list; none for anything else."""
    if len(text) > _LARGEST:
        return {}
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    first = _first(value)
    return cast("dict[str, Any]", first) if isinstance(first, dict) else {}


def _first(value: object) -> object:
    return next(iter(cast("list[object]", value)), None) if isinstance(value, list) else value


def _type(value: Any) -> str:
    if value and isinstance(value, list):
        kinds = {_TYPES[type(item)] for item in cast("list[object]", value)}
        plain = len(kinds) == 1 and kinds <= {"string", "integer", "number"}
        return f"list of {kinds.pop()}s" if plain else "list"
    return _TYPES[type(value)]


def _example(value: Any) -> str:
    if type(value) is dict:
        keys = list(cast("dict[str, Any]", value))[:4]
        return f"with {', '.join(code(key) for key in keys)}" if keys else code("{}")
    text = json.dumps(value, ensure_ascii=False)
    return code(text) if len(text) <= MAX_VALUE else hole("see above")
