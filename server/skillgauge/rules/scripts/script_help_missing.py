"""The text tells the agent to run a script with `--help`, which the script does not know.

## Why is this bad?
Instead of usage the agent gets an error, or starts the real work with `--help` as a file name.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py --help` to see how it is called.
````
````file scripts/fill.py
import sys

open(sys.argv[1])
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py --help` to see how it is called.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser(description="Fill a form.")
parser.add_argument("form")
parser.parse_args()
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._scripts import read_script, runs

_HELPS: Final = re.compile(
    r"--?help|-h\b|usage|argparse|optparse|getopts?\b|docopt|\b(?:click|typer|fire|tyro|cyclopts|absl"
    r"|plac|invoke|jsonargparse|simple_parsing|hydra)\b|commander|yargs|minimist|parseArgs|\bcac\b"
    r"|\bmeow\b|oclif|citty|OptionParser|Thor\b|Slop\b|param\s*\(|\[CmdletBinding|exec\b|source\b",
    re.IGNORECASE,
)


@rule("T004", Severity.WARNING, needs={"folder"})
def script_help_missing(skill: Skill) -> Iterator[Finding]:
    """Report `--help` in a command whose script has no trace of usage, parser or help."""
    for reference in runs(skill):
        invocation = reference.invocation
        if invocation is None or reference.target is None:
            continue
        word = next((word for word in invocation.arguments if word.text in ("--help", "-h")), None)
        text = read_script(skill, reference.target) if word else None
        if word and text and not _HELPS.search(text):
            yield Finding(
                word.span,
                f"“{reference.target}” does not know “{word.text}”; give it a parser, or write"
                " here how it is called.",
            )
