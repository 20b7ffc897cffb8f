"""What is read of scripts, examples and evals: exactly what stands there, never run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillgauge.revise.facts import Facts
from skillgauge.revise.facts.faults import Fault
from skillgauge.revise.facts.parameter import Parameter
from skillgauge.revise.facts.source import Source, read_source
from tests.revise.made import SCRIPT, skill


def source(text: str) -> Source:
    found = read_source(text, "scripts/x.py")
    assert found is not None
    return found


def test_argparse() -> None:
    assert source(SCRIPT).parameters == (
        Parameter(("path",), "", True, None, "the file to count"),
        Parameter(("--format",), "one of text, json", False, "text", "how to print | it"),
        Parameter(("--strict",), "flag", False, None, ""),
        Parameter(("--limit",), "int", True, None, ""),
    )


def test_click() -> None:
    text = """\
import click

@click.command()
@click.argument("source", type=click.Path())
@click.argument("extra", required=False)
@click.option("-o", "--output", default="out.csv", help="Where to write.")
@click.option("--kind", type=click.Choice(["a", "b"]), required=True)
@click.option("--dry-run/--no-dry-run", is_flag=True)
def main(source, extra, output, kind, dry_run): ...
"""
    assert source(text).parameters == (
        Parameter(("SOURCE",), "path", True),
        Parameter(("EXTRA",), "", False),
        Parameter(("-o", "--output"), "", False, "out.csv", "Where to write."),
        Parameter(("--kind",), "one of a, b", True),
        Parameter(("--dry-run",), "flag"),
    )


def test_typer() -> None:
    text = """\
from pathlib import Path
from typing import Annotated
import typer

app = typer.Typer()

@app.command()
def convert(
    source: Path,
    rows: Annotated[int, typer.Option("--rows", "-n", help="How many.")] = 5,
    strict: bool = False,
    name: str = typer.Option(..., help="Its name."),
): ...

def helper(x): ...
"""
    assert source(text).parameters == (
        Parameter(("SOURCE",), "path", True),
        Parameter(("--rows", "-n"), "int", False, "5", "How many."),
        Parameter(("--strict",), "flag"),
        Parameter(("--name",), "", True, None, "Its name."),
    )


def test_faults_with_their_conditions() -> None:
    assert source(SCRIPT).faults == (
        Fault("no such file: …", "standard error", "not os.path.exists(options.path)"),
        Fault("the table … has no rows", "ValueError", "rows.empty"),
    )


def test_exits_files_and_needs() -> None:
    found = source(SCRIPT)
    assert found.exits == (0, 2, 3), "argparse itself ends with 2"
    assert [(use.path, use.written) for use in found.files] == [("data/rows.csv", False)]
    assert (found.environment, found.modules) == (("ROWS_TOKEN",), ("pandas",))
    assert (found.printed, found.keys) == ("JSON", ("rows", "token"))
    assert found.about == "Count the rows of a CSV file."


@pytest.mark.parametrize(
    "text",
    ["def (", "\0", "(" * 10_000, "x = '" + "a" * 70_000 + "'", "Run it."],
    ids=["syntax", "null", "deep", "long", "no Python"],
)
def test_what_is_no_python_has_no_facts(text: str) -> None:
    assert read_source(text) is None


def test_nothing_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert read_source(f"open({str(mark)!r}, 'w').close()\nraise SystemExit(7)\n") is not None
    assert not mark.exists()


TEXT = """\
---
name: demo
description: Does it.
---
# Demo

```bash
export OUT_NAME=x
gh api repos/$OWNER_NAME > repos.json
jq . repos.json | sort
convert in.png -o out.pdf --key $API_TOKEN
python3 -m venv v
```

```python
import yaml, os
import numpy as np
def load(path: str, strict: bool = True) -> dict[str, int]: ...
np.load("m.npy"); open("log.txt", "w")
```

```python
not python here
```
"""


def test_facts_of_the_text() -> None:
    facts = Facts(skill(TEXT, {}))
    assert facts.tools == ("gh", "jq", "convert")
    assert facts.variables == ("OWNER_NAME", "API_TOKEN"), "what is set there is not needed"
    assert facts.modules == ("yaml", "numpy")
    assert [(use.path, use.written) for use in facts.files] == [
        ("m.npy", False),
        ("log.txt", True),
        ("repos.json", True),
        ("repos.json", False),
        ("in.png", False),
        ("out.pdf", True),
    ]
    assert [(item.name, item.returns) for item in facts.examples[0].functions] == [
        ("load", "dict[str, int]")
    ]


def test_prompts_are_those_that_want_the_skill() -> None:
    cases = [
        {"id": 1, "prompt": "Count the rows of a.csv", "should_trigger": True},
        {"id": 2, "prompt": "Draw a cat", "should_trigger": False},
    ]
    made = skill(TEXT, {"evals/evals.json": json.dumps({"evals": cases})})
    assert Facts(made).prompts == ("Count the rows of a.csv",)


def test_scripts_that_no_agent_runs_are_left_out() -> None:
    files = {
        "scripts/a.py": "x = 1",
        "scripts/test_a.py": "x = 1",
        "other/b.py": "x = 1",
        "scripts/broken.py": "def (",
    }
    assert [item.path for item in Facts(skill(TEXT, files)).scripts] == ["scripts/a.py"]
