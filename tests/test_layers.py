"""Who may import whom, and what is loaded at a start: the arrows of the architecture."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = Path(__file__).parent.parent / "server" / "skillgauge"
LAYERS = (
    ("errors", "text", "patterns"),
    ("document",),
    ("clients", "tokens", "rule", "listing"),
    ("rules", "suppress"),  # two rules tell of suppressions that do nothing
    ("selectors", "globs", "structure", "engine"),
    ("fix", "toml_places", "config", "config_model", "config_reader", "config_edit"),
)
"""Each may import its own and the layers before; what is not named here may import all of them."""
UPPER = ("lsp", "cli", "lift")
"""Nothing imports these but themselves."""
ONLY = {"pygls": "lsp", "lsprotocol": "lsp", "pyromark": "document", "onnxruntime": "", "torch": ""}
"""Libraries that one package alone may import; "" for none."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SERVER.rglob("*.py")):
        parts = path.relative_to(SERVER).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield (module, whether only for type checkers) of all imports, nested ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typing_only.update(child for item in node.body for child in ast.walk(item))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node in typing_only
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node in typing_only


def own(name: str) -> str:
    """Return the part of our package that a module belongs to: its first name below the root."""
    return name.removeprefix("skillgauge").removeprefix(".").partition(".")[0]


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_arrows(module: str, path: Path) -> None:
    """Imports go down the layers only."""
    mine = own(f"skillgauge.{module}")
    rank = next((at for at, layer in enumerate(LAYERS) if mine in layer), None)
    for name, typing_only in imports(path):
        top = name.partition(".")[0]
        if top in ONLY:
            assert mine == ONLY[top], f"{module} imports {name}"
        if top != "skillgauge" or typing_only:
            continue
        theirs = own(name)
        if theirs in UPPER:
            assert mine in (theirs, "cli", "__main__"), f"{module} imports {name}"
        if rank is not None and theirs:
            known = next((at for at, layer in enumerate(LAYERS) if theirs in layer), None)
            assert known is not None, f"{module} imports {name}"
            assert known <= rank, f"{module} imports {name}"


def loaded(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has after running some code."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


HEAVY = {"pygls", "lsprotocol", "pydantic", "numpy", "onnxruntime", "rich", "asyncio", "torch"}


@pytest.mark.parametrize(
    ("code", "light"),
    [
        ("import skillgauge", HEAVY | {"yaml", "pyromark", "skillgauge.engine"}),
        ("import skillgauge.engine", HEAVY | {"skillgauge.clients.claude_code"}),
        ("import skillgauge.rules; skillgauge.rules.all_rules()", HEAVY),
        ("import skillgauge.config", {"pydantic", "tomllib", *HEAVY}),
    ],
)
def test_start(code: str, light: set[str]) -> None:
    """A start loads nothing that it doesn't need."""
    assert not loaded(code) & light
