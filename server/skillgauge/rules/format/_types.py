"""What a YAML value is besides text, in an author's words."""

from __future__ import annotations

from typing import Final

from skillgauge.document.nodes import Alias, Mapping, Node, Scalar, Sequence, Type

_WORDS: Final[dict[Type, str]] = {
    "int": "a number",
    "float": "a number",
    "bool": "a boolean",
    "timestamp": "a date",
    "null": "null",
}


def not_text(value: Node | None) -> str | None:
    """Return how a value reads if not as text, as “this is a list”; None for text and for nothing.

    Aliases are None too: what they stand for is not looked up.
    """
    if isinstance(value, Sequence):
        return "this is a list"
    if isinstance(value, Mapping):
        return "this is a mapping"
    if value is None or isinstance(value, Alias) or value.text == "":
        return None
    if value.tag and not value.tag.endswith(":str"):
        return f"its tag says {value.tag.rsplit(':', 1)[-1]}"
    if value.type != "str":
        return f"YAML reads “{value.text}” as {_WORDS[value.type]}"
    if value.legacy_type != "str":
        return f"some parsers read “{value.text}” as {_WORDS[value.legacy_type]} (YAML 1.1)"
    return None


def is_legacy(value: Node | None) -> bool:
    """Return whether only parsers of YAML 1.1 read a value as something other than text."""
    return isinstance(value, Scalar) and value.type == "str" != value.legacy_type
