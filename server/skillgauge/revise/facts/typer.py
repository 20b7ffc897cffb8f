"""The parameters that a typer script has: those of its command functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from skillgauge.revise.facts._tree import calls, constant, last_name, name_of, text_of
from skillgauge.revise.facts._tree import keyword as word
from skillgauge.revise.facts.parameter import Parameter


def parameters(tree: ast.Module) -> Iterator[Parameter]:
    """Yield the parameters of every command."""
    if not any(name_of(call.func) in ("typer.Typer", "typer.run") for call in calls(tree)):
        return
    run = {
        last_name(call.args[0])
        for call in calls(tree)
        if name_of(call.func) == "typer.run" and call.args
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (node.name in run or _is_command(node)):
            yield from _of_function(node)


def _is_command(node: ast.FunctionDef) -> bool:
    names = {
        last_name(item.func) if isinstance(item, ast.Call) else last_name(item)
        for item in node.decorator_list
    }
    return bool(names & {"command", "callback"})


def _of_function(node: ast.FunctionDef) -> Iterator[Parameter]:
    given = node.args.args
    defaults: list[ast.expr | None] = [None] * (len(given) - len(node.args.defaults))
    pairs = [*zip(given, [*defaults, *node.args.defaults], strict=True)]
    pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    for argument, default in pairs:
        if last_name(argument.annotation) != "Context" if argument.annotation else True:
            yield _parameter(argument, default)


def _parameter(argument: ast.arg, default: ast.expr | None) -> Parameter:
    annotation = argument.annotation
    extra: ast.Call | None = None
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Annotated":
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else []
        extra = next((part for part in parts if isinstance(part, ast.Call)), None)
        annotation = parts[0] if parts else None
    value = default
    if isinstance(default, ast.Call) and last_name(default.func) in ("Option", "Argument"):
        extra = default
        value = default.args[0] if default.args else word(default, "default")
    is_argument = (extra is not None and last_name(extra.func) == "Argument") or (
        extra is None and default is None
    )
    named = [found for item in (extra.args if extra else []) if (found := constant(item))]
    names = [name for name in named if name.startswith("-")]
    if is_argument:
        names = [argument.arg.upper()]
    kind = last_name(annotation) if annotation is not None else ""
    kind = {"str": "", "Path": "path", "bool": "flag"}.get(kind, kind)
    needed = value is None or (isinstance(value, ast.Constant) and value.value is ...)
    return Parameter(
        tuple(names or ["--" + argument.arg.replace("_", "-")]),
        kind=kind,
        required=needed,
        default=None if kind == "flag" else constant(value),
        help=text_of(word(extra, "help")) if extra else "",
    )
