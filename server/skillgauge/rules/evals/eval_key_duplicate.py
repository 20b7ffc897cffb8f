"""A key stands twice in the same case of an evaluation file.

## Why is this bad?
JSON and YAML readers keep one of the two values, nearly always the last, and say nothing: the other
prompt or list of assertions is never used.

## Bad
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "prompt": "Fill in the W-4", "expected_output": "A form"}
]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A form"},
  {"id": 2, "prompt": "Fill in the W-4", "expected_output": "A form"}
]
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Mapping
from skillgauge.rule import Finding, Related, Severity, rule


@rule("V026", Severity.WARNING, target="evals")
def eval_key_duplicate(file: EvalFile) -> Iterator[Finding]:
    """Report each value that a later one of the same key replaces."""
    if file.dialect == "config" and not file.is_ours:
        return
    nodes = [case.node for case in file.cases if case.node is not file.head]
    for node in (file.head, *nodes):
        if not isinstance(node, Mapping):
            continue
        last: dict[str, Entry] = {}
        for entry in reversed(node.entries):
            later = last.setdefault(entry.key, entry)
            if later is not entry and entry.key not in ("", "<<"):
                yield Finding(
                    entry.key_span,
                    f"“{entry.key}” stands here twice, and this value is not used; remove one.",
                    related=(Related("Readers keep this one.", later.key_span),),
                )
