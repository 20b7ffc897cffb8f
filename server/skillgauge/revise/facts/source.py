"""A Python source as facts: of a bundled script, or of an example in the text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from skillgauge.revise.facts import argparse, click, typer
from skillgauge.revise.facts._tree import clean, parse
from skillgauge.revise.facts.faults import Fault, exits, faults
from skillgauge.revise.facts.files import FileUse, environment, files, keys, modules, printed
from skillgauge.revise.facts.functions import Function, functions
from skillgauge.revise.facts.parameter import Parameter

MAX_SOURCE: Final = 64 * 1024
"""Characters of a source that are looked at; a longer one is not."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a source says of itself. `path` is empty for an example in the text."""

    path: str
    about: str
    """The first line of its docstring."""
    parameters: tuple[Parameter, ...]
    exits: tuple[int, ...]
    faults: tuple[Fault, ...]
    files: tuple[FileUse, ...]
    functions: tuple[Function, ...]
    environment: tuple[str, ...]
    modules: tuple[str, ...]
    printed: str
    keys: tuple[str, ...]


def read_source(text: str, path: str = "") -> Source | None:
    """Return the facts of a source; None for what is no Python. Never raises."""
    if len(text) > MAX_SOURCE:
        return None
    tree = parse(text)
    if tree is None:
        return None
    try:
        return _read(tree, path)
    except (RecursionError, ValueError):  # of a number with too many digits to be written out
        return None


def _read(tree: ast.Module, path: str) -> Source:
    about = (ast.get_docstring(tree) or "").strip().split("\n")[0]
    found = (*argparse.parameters(tree), *click.parameters(tree), *typer.parameters(tree))
    return Source(
        path=path,
        about=clean(about),
        parameters=found,
        exits=exits(tree),
        faults=tuple(faults(tree)),
        files=tuple(files(tree)),
        functions=tuple(functions(tree)),
        environment=environment(tree),
        modules=modules(tree),
        printed=printed(tree),
        keys=keys(tree),
    )
