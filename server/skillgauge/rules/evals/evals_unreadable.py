"""An evaluation file can't be read as text.

## Why is this bad?
A file that is binary, not UTF-8 or too large holds no cases for any tool: nothing is measured, and
nothing says so before a run.

## Bad
````evals problem=it_is_a_binary_file
[]
````

## Good
````evals
[]
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span


@rule("V001", Severity.ERROR, target="evals")
def evals_unreadable(file: EvalFile) -> Iterator[Finding]:
    """Report why the file can't be read."""
    if file.problem:
        yield Finding(
            Span(0, 0),
            f"“{file.file_name}” can't be read: {file.problem}. Save it as a UTF-8 text file.",
        )
