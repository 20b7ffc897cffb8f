"""What a Python source reads and writes, needs and prints, as far as that is written out."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.revise.facts._tree import calls, constant, keyword, last_name, name_of

_READS: Final = re.compile(
    r"(?:read_(?!text|bytes)\w+|load\w*|imread|open|read|from_file|fromfile)\Z"
)
_WRITES: Final = re.compile(r"(?:to_(?:csv|excel|json|parquet|html)|save\w*|imwrite|write\w*)\Z")
_FILE: Final = re.compile(r"[\w./~-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_ENVIRONMENT: Final = frozenset({"os.getenv", "getenv", "environ.get"})
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}\Z")


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that a source reads or writes, and by which call."""

    path: str
    call: str
    written: bool


def files(tree: ast.Module) -> Iterator[FileUse]:
    """Yield the files whose names are written out, each once a way."""
    seen: set[tuple[str, bool]] = set()
    for call in calls(tree):
        for path, written in _of(call):
            if _FILE.match(path) and (path, written) not in seen:
                seen.add((path, written))
                yield FileUse(path, name_of(call.func).lstrip("."), written)


def _of(call: ast.Call) -> Iterator[tuple[str, bool]]:
    last = last_name(call.func)
    first = constant(call.args[0]) if call.args else None
    if last in ("read_text", "read_bytes", "write_text", "write_bytes"):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(owner, ast.Call) and owner.args and (path := constant(owner.args[0])):
            yield path, last.startswith("write")
        return
    if first is None or "://" in first:
        return
    if last == "open":
        mode = constant(call.args[1]) if len(call.args) > 1 else constant(keyword(call, "mode"))
        yield first, bool(set(mode or "r") & set("wax"))
    elif _WRITES.match(last):
        yield first, True
    elif _READS.match(last):
        yield first, False


def environment(tree: ast.Module) -> tuple[str, ...]:
    """Return the environment variables that are read."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        name: str | None = None
        if isinstance(node, ast.Call) and node.args and name_of(node.func) in _ENVIRONMENT:
            name = constant(node.args[0])
        elif isinstance(node, ast.Subscript) and last_name(node.value) == "environ":
            name = constant(node.slice)
        if name and _VARIABLE.match(name):
            found[name] = None
    return tuple(found)


def modules(tree: ast.Module) -> tuple[str, ...]:
    """Return the modules that have to be installed: neither Python's own nor relative ones."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top != "__future__":
                found[top] = None
    return tuple(found)


def printed(tree: ast.Module) -> str:
    """Return what goes to standard output: “JSON”, “text”, or nothing."""
    kinds: set[str] = set()
    for call in calls(tree):
        name = name_of(call.func)
        if name == "json.dump" and "stdout" in ast.dump(call):
            kinds.add("JSON")
        if name in ("print", "click.echo", "typer.echo", "sys.stdout.write", "stdout.write"):
            if any(word.arg in ("file", "err") for word in call.keywords):
                continue
            kinds.add("JSON" if "'dumps'" in ast.dump(call) else "text")
    return " or ".join(sorted(kinds))


def keys(tree: ast.Module) -> tuple[str, ...]:
    """Return the keys of the object that is printed as JSON, where it is written out."""
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in calls(tree):
        if name_of(call.func) not in ("json.dumps", "json.dump") or not call.args:
            continue
        value = call.args[0]
        value = named.get(value.id, value) if isinstance(value, ast.Name) else value
        if isinstance(value, ast.Dict):
            return tuple(found for key in value.keys if (found := constant(key)))
    return ()
