"""The functions that an example defines, with what they take and return."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.revise.facts._tree import clean, constant
from skillgauge.revise.facts.parameter import Parameter

MAX_ANNOTATION: Final = 50


@dataclass(frozen=True, slots=True)
class Function:
    """A function whose types are annotated."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: str


def functions(tree: ast.Module) -> Iterator[Function]:
    """Yield the public functions of a module that say what they take and return."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name[0] == "_":
            continue
        given = node.args.args
        blank: list[ast.expr | None] = [None] * (len(given) - len(node.args.defaults))
        pairs = zip(given, [*blank, *node.args.defaults], strict=True)
        found = tuple(
            Parameter(
                (argument.arg,),
                kind=_written(argument.annotation),
                required=default is None,
                default=constant(default),
            )
            for argument, default in pairs
            if argument.annotation is not None
        )
        returns = _written(node.returns)
        if found and len(found) == len(given) and returns not in ("", "None"):
            yield Function(node.name, found, returns)


def _written(node: ast.expr | None) -> str:
    text = clean(ast.unparse(node)) if node is not None else ""
    return text if len(text) <= MAX_ANNOTATION else ""
