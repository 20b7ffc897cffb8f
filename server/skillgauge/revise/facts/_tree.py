"""Small readings of Python's syntax trees that all facts share; nothing is ever run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import Final

HOLE: Final = "…"
"""Stands in a message for what is only known at run time."""
MAX_TEXT: Final = 160


def parse(text: str) -> ast.Module | None:
    """Return the tree of a text, None for what is no Python of this version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def name_of(node: ast.AST) -> str:
    """Return the dotted name of an expression, its last two parts at most; empty if it is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = node.value
        last = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
        return f"{last}.{node.attr}" if last else f".{node.attr}"
    return ""


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name."""
    return name_of(node).rpartition(".")[2]


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield all calls in their order in the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    yield from sorted(found, key=lambda call: (call.lineno, call.col_offset))


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument."""
    return next((word.value for word in call.keywords if word.arg == name), None)


def text_of(node: ast.expr | None) -> str:
    """Return a string as far as it is written out, on one line; empty for anything else."""
    return clean(_text(node))


def _text(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str() as value):
            return value
        case ast.JoinedStr(values=values):
            return "".join(_text(part) for part in values)
        case ast.FormattedValue():
            return HOLE
        case ast.BinOp(left=left, op=ast.Mod()):
            return _placeholders(_text(left))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _text(left), _text(right)
            return (one or HOLE) + (other or HOLE) if one or other else ""
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _placeholders(_text(value))
        case _:
            return ""


def _placeholders(text: str) -> str:
    import re

    return re.sub(r"%[-#0 +]*\d*(?:\.\d+)?[sdrifgx]|\{[^{}]*\}", HOLE, text)


def clean(text: str) -> str:
    """Return text on one line, without what would end a table's cell, and not too long."""
    line = " ".join(text.split())
    line = "".join(char for char in line if char.isprintable())
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1].rstrip() + HOLE


def constant(node: ast.expr | None) -> str | None:
    """Return a constant as Python would write it, strings without quotes; None for the rest."""
    match node:
        case ast.Constant(value=value) if value is not ... and not isinstance(value, bytes):
            return clean(value) if isinstance(value, str) else repr(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return f"-{value}"
        case ast.List(elts=[]) | ast.Tuple(elts=[]):
            return "empty"
        case _:
            return None


def strings(node: ast.expr | None) -> tuple[str, ...]:
    """Return the items of a list that is written out, as text."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return tuple(found for item in node.elts if (found := constant(item)) is not None)
    return ()
