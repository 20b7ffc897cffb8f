"""The parameters that a click script declares by decorators."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from skillgauge.revise.facts._tree import calls, constant, keyword, last_name, name_of, strings
from skillgauge.revise.facts._tree import text_of as text
from skillgauge.revise.facts.parameter import Parameter


def parameters(tree: ast.Module) -> Iterator[Parameter]:
    """Yield options and arguments in the order of their decorators."""
    for call in calls(tree):
        name = name_of(call.func)
        if name not in ("click.option", "click.argument"):
            continue
        names = [found for item in call.args if (found := constant(item))]
        option = name == "click.option"
        if option:
            names = [part for found in names if found[0] == "-" for part in found.split("/")[:1]]
        if not names:
            continue
        flag = _is_true(call, "is_flag") or _is_true(call, "count")
        default = keyword(call, "default")
        yield Parameter(
            tuple(names if option else [names[0].upper()]),
            kind="flag" if flag else _kind(keyword(call, "type")),
            required=_is_true(call, "required") if option else _argument_needed(call),
            default=None if flag else constant(default),
            help=text(keyword(call, "help")),
        )


def _argument_needed(call: ast.Call) -> bool:
    required = keyword(call, "required")
    given = isinstance(required, ast.Constant) and required.value is False
    return not given and keyword(call, "default") is None and constant(_nargs(call)) != "-1"


def _nargs(call: ast.Call) -> ast.expr | None:
    return keyword(call, "nargs")


def _is_true(call: ast.Call, name: str) -> bool:
    value = keyword(call, name)
    return isinstance(value, ast.Constant) and value.value is True


def _kind(node: ast.expr | None) -> str:
    if isinstance(node, ast.Call):
        if last_name(node.func) == "Choice" and node.args:
            return "one of " + ", ".join(strings(node.args[0])) if strings(node.args[0]) else ""
        node = node.func
    name = last_name(node) if node is not None else ""
    return {"Path": "path", "File": "file", "str": "", "STRING": ""}.get(name, name.lower())
