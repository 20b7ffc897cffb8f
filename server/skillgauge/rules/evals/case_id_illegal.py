"""The id of a case can't be the name of a folder.

## Why is this bad?
Tools keep the runs of a case in a folder that is called like its id. SkillEvaluator therefore takes
letters, digits, dots, hyphens and underscores only, up to 128 of them, beginning with a letter or a
digit, and refuses the whole file otherwise.

## Bad
````evals
[{"id": "W-9 / happy path", "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
````

## Good
````evals
[{"id": "w-9-happy-path", "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
````

## Fix safety
The fix puts hyphens in place of other characters. It is unsafe: earlier results are kept under the
old id.

## References
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Alias, Scalar
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._keys import kind
from skillgauge.rules.evals._shared import literal

MAX_LENGTH: Final = 128
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED: Final = re.compile(r"(?:CON|PRN|AUX|NUL|(?:COM|LPT)[1-9])(?:\.|\Z)", re.IGNORECASE)
_TYPES: Final = ("str", "int")


@rule("V009", Severity.WARNING, target="evals", fix="unsafe")
def case_id_illegal(file: EvalFile) -> Iterator[Finding]:
    """Report each such id, with one that can be used."""
    taken = {case.id.text.casefold() for case in file.cases if case.id}
    for case in file.cases:
        entry = case.entry("id")
        value = entry.value if entry else None
        if value is None or isinstance(value, Alias):
            continue
        if not isinstance(value, Scalar) or value.type not in (*_TYPES, "null"):
            yield Finding(value.span, f"An id is text or a whole number, and not {kind(value)}.")
        elif value.type != "null" and value.text.strip() and (why := _why(value.text)):
            yield Finding(
                value.span, f"The id “{value.text[:60]}” {why}.", _fix(file, case, value, taken)
            )


def _why(text: str) -> str:
    if len(text) > MAX_LENGTH:
        return f"has {len(text)} characters, more than {MAX_LENGTH}"
    if _RESERVED.match(text):
        return "is the name of a device in Windows and can't be that of a folder there"
    if match := _OTHER.search(text):
        return f"holds “{match[0]}”; use letters, digits, dots, hyphens and underscores"
    if not _ID.match(text):
        return "must begin with a letter or a digit"
    return "must not end with a dot" if text.endswith(".") else ""


def _fix(file: EvalFile, case: EvalCase, value: Scalar, taken: set[str]) -> Fix | None:
    new = _OTHER.sub("-", value.text).strip("-._")[:MAX_LENGTH].rstrip("-._")
    if not new or new.casefold() in taken or _why(new):
        return None
    return Fix(f"Write “{new}”", (Edit(value.span, literal(file, new)),), safe=False)
