"""An evaluation file is not valid JSON or YAML.

## Why is this bad?
A tool that can't parse the file runs none of its cases. The parser's own message often points to
another place than the fault; this rule finds each fault where it stands, reads on behind it, and
mends what can only be meant in one way.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"},
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}
  ]
}
````

## Fix safety
Commas, quotation marks, escapes of control characters and words such as `True` are mended safely.
Removing a comment loses its text, and a quotation mark in a text may be meant otherwise: these
fixes are marked unsafe, as is giving the file another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.json_reader import read_json, read_json_lines
from skillgauge.document.tolerant import TextFault
from skillgauge.rule import Edit, Finding, Fix, Related, Severity, rule
from skillgauge.rules.evals._words import JSON_WORDS, TITLES, YAML_WORDS
from skillgauge.text import Span

_NOT_UTF8: Final = re.compile("[\udc80-\udcff]")


@rule("V002", Severity.ERROR, target="evals", fix="mixed", reveals=True)
def evals_not_parsable(file: EvalFile) -> Iterator[Finding]:
    """Report each fault of the syntax, and the first byte that is not UTF-8."""
    if file.dialect == "config" and not file.is_ours:
        return
    if match := _NOT_UTF8.search(file.source):
        yield Finding(Span(*match.span()), "This byte is not UTF-8; save the file as UTF-8.")
    if file.is_yaml and file.reading.root is None and not file.faults:
        yield Finding(file.top, YAML_WORDS["empty"])
    known = YAML_WORDS if file.is_yaml else JSON_WORDS
    for fault in file.faults:
        related = ()
        if fault.opened is not None and fault.opened != fault.at.start:
            opened = Span(fault.opened, fault.opened + 1)
            related = (Related("This bracket is open.", opened),)
        yield Finding(fault.at, known.get(fault.cause, known["other"]), _fix(file, fault), related)


def _fix(file: EvalFile, fault: TextFault) -> Fix | None:
    """Return the repair of a fault, or the name under which the file is right as it is."""
    if fault.repairs:
        edits = tuple(Edit(repair.span, repair.text) for repair in fault.repairs)
        certain = all(repair.certain for repair in fault.repairs)
        return Fix(TITLES.get(fault.cause, "Put the value in quotation marks"), edits, certain)
    other = {"second-value": (read_json_lines, "jsonl"), "across-lines": (read_json, "json")}
    if fault.cause not in other:
        return None
    read, suffix = other[fault.cause]
    if read(file.source).fault is not None:
        return None
    name = f"{file.file_name.rpartition('.')[0]}.{suffix}"
    return Fix(f"Rename the file to {name}", (), safe=False, rename=name)
