"""A bundled script needs an option that the skill's text never names.

## Why is this bad?
The first call fails with “the following arguments are required”, and the agent spends a turn to
learn what you could have told it. Name the option where the command stands, or tell the agent to
run the script with `--help` first.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("form")
parser.add_argument("--target", required=True)
parser.parse_args()
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf --target filled.pdf`.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("form")
parser.add_argument("--target", required=True)
parser.parse_args()
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._python import read_python
from skillgauge.rules.scripts._scripts import read_script, runs


@rule("T007", Severity.HINT, needs={"folder"})
def script_option_undocumented(skill: Skill) -> Iterator[Finding]:
    """Report, at the first command that runs it, each script with a required option not named."""
    seen: set[str] = set()
    for reference in runs(skill):
        path = reference.target or ""
        if path in seen or not path.endswith(".py"):
            continue
        seen.add(path)
        text = read_script(skill, path)
        if not text or "required" not in text or "--help" in skill.source:
            continue
        options = read_python(text).options
        if options is None:
            continue
        missing = [
            max(flags, key=len)
            for flags in options.required
            if not any(flag in skill.source for flag in flags)
        ]
        if missing:
            names = ", ".join(f"“{name}”" for name in missing)
            verb = "is" if len(missing) == 1 else "are"
            yield Finding(
                reference.path_span,
                f"“{path}” can't run without {names}, which {verb} named nowhere here; show the"
                " whole command.",
            )
