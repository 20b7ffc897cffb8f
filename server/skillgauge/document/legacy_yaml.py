"""What a common Python program makes of a YAML block: PyYAML's safe loader, YAML 1.1.

There `yes` is true, `2024-01-02` a date and `1:30` a number. Ranges are lost; who needs them reads
`frontmatter` instead. A value that looks like a number or date but is none stays a text here, where
PyYAML raises.
"""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

from skillgauge.document.nodes import MAX_DEPTH, Mapping, Node, Scalar, Sequence

_SAFE: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST = 64  # no honest number or date has more characters; huge ones are slow to convert
# Where the two loaders of PyYAML are known to differ.
DOUBTFUL: Final = re.compile("[\t\ufeff]|(?<![^\\s,\\[{])!|[|>][-+0-9]*#")
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


def plain_texts(node: Node | None) -> Any:
    """Return the values of a block that has only texts, lists and mappings; else None.

    Most frontmatter is such, and this spares it a second parse.
    """
    if isinstance(node, Scalar):
        if node.tag or node.anchor or (node.style == "plain" and not _is_text(node.text)):
            return None
        return node.text
    if isinstance(node, Sequence):
        items = [plain_texts(item) for item in node.items]
        return None if node.tag or node.anchor or None in items else items
    if not isinstance(node, Mapping) or node.tag or node.anchor:
        return None
    values: dict[str, Any] = {}
    for entry in node.entries:
        value = plain_texts(entry.value)
        if value is None or not entry.key or not _is_text(entry.key):
            return None
        values[entry.key] = value
    return values


def _is_text(text: str) -> bool:
    """Return whether a plain value is a text to YAML 1.1, by PyYAML's own table."""
    table: Any = yaml.SafeLoader.yaml_implicit_resolvers
    return not any(pattern.match(text) for _, pattern in table.get(text[:1], ()))


def load_legacy(source: str, *, shallow: bool = False) -> Any:
    """Return the values of one YAML document, None if it is empty or does not load. Never raises.

    `shallow` says that the block is known to parse and to be nested no deeper than we allow.
    """
    if not DOUBTFUL.search(source):
        try:
            return _load(source, _Loader, shallow)
        except _FAULTS:
            pass
    # Where the two loaders differ (tabs, tags, also `{a:, b: c}`), the Python one counts.
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
