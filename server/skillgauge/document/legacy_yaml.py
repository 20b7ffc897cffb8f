"""What a common Python program makes of a YAML block: PyYAML's safe loader, YAML 1.1.

There `yes` is true, `2024-01-02` a date and `1:30` a number. Ranges are lost; who needs them reads
`frontmatter` instead. A value that looks like a number or date but is none stays a text here, where
PyYAML raises.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

from skillgauge.document.nodes import MAX_DEPTH

_SAFE: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST = 64  # no honest number or date has more characters; huge ones are slow to convert
_SMALL = 16_384  # characters that the slow loader is given
_FAULTS: Final = (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError)
_MOST_NODES = 20_000  # in the text of a value: aliases can make a small block enormous


class _Loader(_SAFE):
    """The safe loader, with texts for values that can't be converted."""


class _CarefulLoader(yaml.SafeLoader):
    """The same in Python: slower by far."""


def _constructor(kind: str) -> Any:
    convert: Any = yaml.SafeLoader.yaml_constructors[f"tag:yaml.org,2002:{kind}"]

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
    _CarefulLoader.add_constructor(f"tag:yaml.org,2002:{_kind}", _constructor(_kind))


def load_legacy(source: str, *, shallow: bool = False) -> Any:
    """Return the values of one YAML document, None if it is empty or does not load. Never raises.

    `shallow` says that the block is known to parse and to be nested no deeper than we allow.
    """
    careful = "\t" in source or "\ufeff" in source
    if not careful:
        try:
            return _load(source, _Loader, shallow)
        except _FAULTS:
            pass
    # Where the two loaders differ (tabs, byte order marks, `{a:, b: c}`), the Python one counts.
    try:
        return _load(source, _CarefulLoader, shallow) if len(source) <= _SMALL else None
    except _FAULTS:
        return None


def _load(source: str, loader: Any, shallow: bool) -> Any:
    if not shallow:
        depth = 0
        for event in yaml.parse(source, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return None
    return yaml.load(source, Loader=loader)  # both derive from the safe loader


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
