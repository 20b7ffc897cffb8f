"""How a Python source fails: what it raises, says and exits with, and when."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.revise.facts._tree import HOLE, calls, keyword, last_name, name_of, text_of

MAX_CONDITION: Final = 60
_LOGGED: Final = frozenset({"error", "critical", "exception", "warning", "fatal"})
_LOGGERS: Final = ("log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER")
_EXITS: Final = frozenset({"sys.exit", "exit", "SystemExit", "typer.Exit", "os._exit", "quit"})


@dataclass(frozen=True, slots=True)
class Fault:
    """A message that a source gives when something is wrong."""

    message: str
    how: str
    """`ValueError`, `exit 2`, or `logged`."""
    condition: str = ""
    """The source's own condition, where it is short."""


def faults(tree: ast.Module) -> Iterator[Fault]:
    """Yield the messages in their order, each once."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Raise | ast.Call)]
    seen: set[str] = set()
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        found = _of_raise(node) if isinstance(node, ast.Raise) else _of_call(node)
        if found is None or len(found.message.strip(HOLE + " .:")) < 4 or found.message in seen:
            continue
        seen.add(found.message)
        yield Fault(found.message, found.how, _condition(node, above))


def exits(tree: ast.Module) -> tuple[int, ...]:
    """Return the exit statuses that are written out, those that `main` returns included."""
    found: set[int] = set()
    exits_main = False
    for call in calls(tree):
        if name_of(call.func) not in _EXITS:
            continue
        value = call.args[0] if call.args else keyword(call, "code")
        if isinstance(value, ast.Call):
            exits_main = exits_main or last_name(value.func) == "main"
        elif (number := _status(value)) is not None:
            found.add(number)
        elif value is not None and text_of(value):
            found.add(1)  # a message ends with that
    for node in tree.body:
        if exits_main and isinstance(node, ast.FunctionDef) and node.name == "main":
            returned = [item.value for item in ast.walk(node) if isinstance(item, ast.Return)]
            found.update(status for item in returned if (status := _status(item)) is not None)
    if any(last_name(call.func) == "ArgumentParser" for call in calls(tree)):
        found.add(2)  # what argparse ends with when the arguments are wrong
    return tuple(sorted(found))


def _status(node: ast.expr | None) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _of_raise(node: ast.Raise) -> Fault | None:
    call = node.exc
    if not isinstance(call, ast.Call) or not call.args:
        return None
    kind = last_name(call.func)
    if kind in ("NotImplementedError", "AssertionError", "HTTPException"):
        return None
    how = "exit 1" if kind == "SystemExit" else kind
    return Fault(text_of(call.args[0]), how)


def _of_call(call: ast.Call) -> Fault | None:
    name, last = name_of(call.func), last_name(call.func)
    first = call.args[0] if call.args else None
    if name == "sys.exit" or name == "exit":
        return Fault(text_of(first), "exit 1")
    if last == "error" and "parser" in name.lower():
        return Fault(text_of(first), "exit 2")
    if last in _LOGGED and name.partition(".")[0] in _LOGGERS:
        return Fault(text_of(first), "logged")
    if name in ("print", "click.echo", "typer.echo") and _to_stderr(call):
        return Fault(text_of(first), "standard error")
    return None


def _to_stderr(call: ast.Call) -> bool:
    target, err = keyword(call, "file"), keyword(call, "err")
    return (target is not None and name_of(target) == "sys.stderr") or (
        isinstance(err, ast.Constant) and err.value is True
    )


def _condition(node: ast.AST, above: dict[ast.AST, ast.AST]) -> str:
    """Return the condition under which a statement is come to, if one stands right around it."""
    for _ in range(3):
        parent = above.get(node)
        if isinstance(parent, ast.If) and node in parent.body:
            text = ast.unparse(parent.test)
            return text if len(text) <= MAX_CONDITION and "\n" not in text else ""
        if isinstance(parent, ast.ExceptHandler) and parent.type is not None:
            return last_name(parent.type)
        if parent is None:
            return ""
        node = parent
    return ""
