"""How a script is called, from the parameters that it declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skillgauge.revise.facts.parameter import Parameter
    from skillgauge.revise.facts.source import Source

MAX_OPTIONS: Final = 5


def usage(source: Source) -> str:
    """Return the command with what is required, then the first few options in brackets."""
    needed = [item for item in source.parameters if item.required]
    options = [item for item in source.parameters if not item.required and item.is_option]
    words = ["python3", source.path, *(_needed(item) for item in needed)]
    words += [f"[{_needed(item)}]" for item in options[:MAX_OPTIONS]]
    return " ".join(words)


def _needed(item: Parameter) -> str:
    if not item.is_option:
        return item.name
    if item.kind == "flag":
        return item.name
    if item.kind.startswith("one of "):
        return f"{item.name} {item.kind.removeprefix('one of ').replace(', ', '|')}"
    return f"{item.name} {item.placeholder}"
