"""What a common Python program makes of a YAML block: PyYAML's safe loader, YAML 1.1.

There `yes` is true, `2024-01-02` a date and `1:30` a number. Ranges are lost; who needs them reads
`frontmatter` instead. A value that looks like a number or date but is none stays a text here, where
PyYAML raises.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

from skillgauge.document.yaml_reader import read_yaml

_SAFE: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST = 64  # no honest number or date has more characters; huge ones are slow to convert
_MOST_NODES = 20_000  # in the text of a value: aliases can make a small block enormous


class _Loader(_SAFE):
    """The safe loader, with texts for values that can't be converted."""


def _constructor(kind: str) -> Any:
    convert = _SAFE.yaml_constructors[f"tag:yaml.org,2002:{kind}"]

    def construct(loader: Any, node: Any) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            return convert(loader, node)
        text: Any = node.value  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        try:
            return text if len(text) > _LONGEST else convert(loader, node)
        except (ValueError, OverflowError):
            return text

    return construct


for _kind in ("int", "float", "timestamp"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _constructor(_kind))


def load_legacy(source: str, *, sound: bool = False) -> Any:
    """Return the values of one YAML document, None if it is empty or does not load. Never raises.

    `sound` says that the block is known to parse and to be nested no deeper than we allow.
    """
    if not sound and read_yaml(source).fault is not None:
        return None
    try:
        return yaml.load(source, Loader=_Loader)  # derives from the safe loader
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError):
        return None


def text_of(value: object) -> str:
    """Return `str(value)`, or an empty text where aliases would make that enormous."""
    if isinstance(value, str):
        return value
    left = _MOST_NODES
    stack: list[Any] = [value]
    while stack:
        left -= 1
        if left < 0:
            return ""
        item: Any = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.keys())  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            stack.extend(item.values())  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        elif isinstance(item, list | tuple | set):
            stack.extend(item)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return str(value)
