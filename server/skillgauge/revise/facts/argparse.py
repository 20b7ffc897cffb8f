"""The parameters that an argparse script declares."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from skillgauge.revise.facts._tree import calls, constant, keyword, last_name, strings, text_of
from skillgauge.revise.facts.parameter import Parameter

_FLAGS = frozenset({"store_true", "store_false", "count", "help", "version"})


def parameters(tree: ast.Module) -> Iterator[Parameter]:
    """Yield what `add_argument` is called with, as far as it is written out."""
    found = list(calls(tree))
    if not any(last_name(call.func) == "ArgumentParser" for call in found):
        return
    for call in found:
        if last_name(call.func) == "add_argument" and (made := _parameter(call)) is not None:
            yield made


def _parameter(call: ast.Call) -> Parameter | None:
    names = tuple(name for item in call.args if (name := constant(item)))
    if not names or len(names) != len(call.args):
        return None
    option = names[0].startswith("-")
    help_text = text_of(keyword(call, "help"))
    if constant(keyword(call, "help")) is None and "SUPPRESS" in ast.dump(call):
        return None
    if not option and (metavar := constant(keyword(call, "metavar"))):
        names = (metavar,)
    action, nargs = constant(keyword(call, "action")), constant(keyword(call, "nargs"))
    flag = action in _FLAGS or "BooleanOptionalAction" in ast.dump(call)
    required = keyword(call, "required")
    needed = (
        isinstance(required, ast.Constant) and required.value is True
        if option
        else nargs not in ("?", "*")
    )
    return Parameter(
        names,
        kind="flag" if flag else _kind(call),
        required=needed,
        default=None if flag else constant(keyword(call, "default")),
        help=help_text.replace("%(default)s", constant(keyword(call, "default")) or "…"),
    )


def _kind(call: ast.Call) -> str:
    if choices := strings(keyword(call, "choices")):
        return "one of " + ", ".join(choices)
    kind = keyword(call, "type")
    name = last_name(kind) if kind is not None else ""
    return {"Path": "path", "str": "", "FileType": "file"}.get(name, name)
