"""The value of `allowed-tools`, cut into tools as clients cut it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillgauge.document.nodes import Node, Scalar, Sequence


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the value: where it stands in the text of its scalar."""

    text: str
    value: Scalar
    start: int

    @property
    def name(self) -> str:
        """The tool without the rule in brackets behind it."""
        return self.text.split("(", 1)[0]


@dataclass(frozen=True, slots=True)
class Cut:
    """A text cut at blanks and commas outside of brackets."""

    tools: tuple[Tool, ...]
    commas: tuple[int, ...]
    unbalanced: int | None
    """Where the first bracket without a partner stands."""


def cut(value: Scalar) -> Cut:
    """Cut one text."""
    tools: list[Tool] = []
    commas: list[int] = []
    opened: list[int] = []
    stray: int | None = None
    start = 0
    for index, char in enumerate(value.text + " "):
        if char == "(":
            opened.append(index)
        elif char == ")":
            if opened:
                opened.pop()
            elif stray is None:
                stray = index
        elif not opened and (char == "," or char.isspace()):
            if index > start:
                tools.append(Tool(value.text[start:index], value, start))
            if char == ",":
                commas.append(index)
            start = index + 1
    if opened:
        tools.append(Tool(value.text[start:].strip(), value, start))
    unbalanced = opened[0] if opened and stray is None else stray
    return Cut(tuple(tools), tuple(commas), unbalanced)


def scalars(value: Node | None) -> Iterator[Scalar]:
    """Yield the texts that hold tools: the value itself, or the items of a list."""
    if isinstance(value, Scalar):
        yield value
    elif isinstance(value, Sequence):
        yield from (item for item in value.items if isinstance(item, Scalar))


def tools(value: Node | None) -> tuple[Tool, ...]:
    """Return all tools of a value, in order; items of a list are cut like texts."""
    return tuple(tool for scalar in scalars(value) for tool in cut(scalar).tools)
