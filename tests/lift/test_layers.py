"""Lift runs are a process of their own: what runs in the editor never loads them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "server" / "skillgauge"
ALLOWED = ("lift", "cli")


def test_nobody_else_imports_lift() -> None:
    for path in SERVER.rglob("*.py"):
        if path.relative_to(SERVER).parts[0] in ALLOWED:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.startswith("skillgauge.lift") for name in names), path


def test_a_start_loads_no_parser() -> None:
    """The journal is opened, and plans made, without the parsers of trajectories and shells."""
    program = (
        "import sys, skillgauge.lift.journal, skillgauge.lift.plan, skillgauge.lift.pairing\n"
        "print([m for m in ('tree_sitter', 'pydantic', 'pyromark', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("library", "folder"),
    [("docker", "lift/engines"), ("aiohttp", "lift/gateway"), ("pydantic_ai", "lift/judge")],
)
def test_one_folder_knows_a_library(library: str, folder: str) -> None:
    users: set[str] = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if any(name.split(".")[0] == library for name in names):
                users.add(path.relative_to(SERVER).parent.as_posix())
    assert {user for user in users if not f"{user}/".startswith(f"{folder}/")} == set()
    assert users


def test_one_file_parses_shells() -> None:
    users = [
        path.relative_to(SERVER).as_posix()
        for path in SERVER.rglob("*.py")
        if "import tree_sitter" in path.read_text(encoding="utf-8")
    ]
    assert users == ["lift/shell.py"]
