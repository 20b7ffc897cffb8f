"""A value of a case has another type than tools read.

## Why is this bad?
Tools don't complain about a type, they read it their way. The text "false" counts as true, so a
negative case becomes a positive one; the text "None" is looked for in the commands as the name of a
script; a list of assertions that is one text is not checked at all.

## Bad
````evals
[
  {"id": 1, "prompt": "Merge these PDFs", "should_trigger": "false"},
  {"id": 2, "prompt": "Fill in the W-9", "assertions": "The PDF holds the name"}
]
````

## Good
````evals
[
  {"id": 1, "prompt": "Merge these PDFs", "should_trigger": false},
  {"id": 2, "prompt": "Fill in the W-9", "assertions": ["The PDF holds the name"]}
]
````

## Fix safety
Quotation marks around true, false and null are removed safely, and a text alone becomes a list of
one. Of a file given as an object only the path stays: that fix is unsafe.

## References
- https://agentskills.io/skill-creation/evaluating-skills
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.evals import EvalFile, items_of
from skillgauge.document.nodes import KIND, Alias, Entry, Mapping, Node, Scalar, Sequence
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._keys import kind
from skillgauge.rules.evals._shared import literal

_NONE: Final = frozenset({"none", "null", "nil"})


@rule("V021", Severity.WARNING, target="evals", fix="mixed", reveals=True)
def eval_value_type(file: EvalFile) -> Iterator[Finding]:
    """Report values of the wrong type, part by part; ids and prompts have rules of their own."""
    if file.skill_name and file.skill_name.type not in ("str", "null"):
        yield _wrong("the name of a skill", "text", file.skill_name)
    for case in file.cases:
        if not isinstance(case.node, Mapping | Alias):
            yield _wrong("a case", "an object with “id” and “prompt”", case.node)
        yield from _flag(case)
        yield from _texts(file, case)
        yield from _assertions(file, case)
        yield from _files(file, case)


def _wrong(what: str, should: str, value: Node, fix: Fix | None = None) -> Finding:
    of = kind(value) if isinstance(value, Scalar) else KIND[type(value)]
    what = what[:1].upper() + what[1:]
    return Finding(value.span, f"{what} must be {should}, and is {_article(of)}.", fix)


def _article(of: str) -> str:
    return {"str": "text", "int": "a number", "float": "a number", "bool": "true or false"}.get(
        of, of if of.startswith("a") else "nothing" if of == "null" else of
    )


def _flag(case: EvalCase) -> Iterator[Finding]:
    """Judge `should_trigger`: anything in quotation marks counts as true."""
    entry = case.entry("should_trigger")
    if entry is None or isinstance(entry.value, Alias) or kind(entry.value) == "bool":
        return
    value = entry.value
    word = value.text.strip().lower() if isinstance(value, Scalar) else ""
    meant = {"true": "true", "false": "false", "1": "true", "0": "false"}.get(word)
    meant = meant or {"yes": "true", "no": "false"}.get(word)
    fix = Fix(f"Write {meant}", (Edit(value.span, meant),)) if meant else None
    if kind(value) == "str" and meant == "false":
        yield Finding(
            value.span, "In quotation marks “false” counts as true; write it without them.", fix
        )
    else:
        yield _wrong("“should_trigger”", "true or false", value, fix)


def _texts(file: EvalFile, case: EvalCase) -> Iterator[Finding]:
    """Judge the parts that are one text each, or null."""
    for role in ("expected_output", "expected_skill", "expected_script"):
        entry = case.entry(role)
        if entry is None or isinstance(entry.value, Alias):
            continue
        value = entry.value
        if not isinstance(value, Scalar):
            yield _wrong(f"“{entry.key}”", "text", value)
        elif role != "expected_output" and _says_null(value):
            fix = Fix("Write null", (Edit(value.span, "null"),))
            yield Finding(
                value.span, f"“{value.text}” is a text here and taken for a name; write null.", fix
            )
        elif value.type not in ("str", "null"):
            edit = Edit(value.span, literal(file, value.text))
            fix = Fix("Put it in quotation marks", (edit,)) if value.text else None
            yield _wrong(f"“{entry.key}”", "text", value, fix)


def _says_null(value: Scalar) -> bool:
    return value.type == "str" and value.text.strip().lower() in _NONE


def _assertions(file: EvalFile, case: EvalCase) -> Iterator[Finding]:
    entry = case.entry("assertions")
    if entry is None or isinstance(entry.value, Alias) or kind(entry.value) == "null":
        return
    if not isinstance(entry.value, Sequence):
        yield _wrong(f"“{entry.key}”", "a list", entry.value, _list_of_one(file, entry))
    for item in items_of(entry.value):
        if isinstance(item, Sequence) or (isinstance(item, Scalar) and kind(item) != "str"):
            yield _wrong("an assertion", "text", item)


def _files(file: EvalFile, case: EvalCase) -> Iterator[Finding]:
    entry = case.entry("files")
    if entry is None or isinstance(entry.value, Alias) or kind(entry.value) == "null":
        return
    if isinstance(entry.value, Scalar) and kind(entry.value) == "str":
        finding = _wrong("“files”", "a list of paths", entry.value, _list_of_one(file, entry))
        yield Finding(finding.span, finding.message, finding.fix, level=Severity.INFO)
    elif not isinstance(entry.value, Sequence):
        yield _wrong("“files”", "a list of paths", entry.value)
    for item in items_of(entry.value):
        if isinstance(item, Alias) or kind(item) == "str":
            continue
        path = item.string("path") if isinstance(item, Mapping) else None
        fix = None
        if path:
            fix = Fix("Keep the path alone", (Edit(item.span, literal(file, path)),), safe=False)
        yield _wrong("a file", "given by its path", item, fix)


def _list_of_one(file: EvalFile, entry: Entry) -> Fix | None:
    """Return the fix that makes a list of a text on one line."""
    value = entry.value
    raw = file.text.slice(value.span)
    if not isinstance(value, Scalar) or kind(value) != "str" or "\n" in raw or "\r" in raw:
        return None
    text = raw if value.style == "double" else literal(file, value.text)
    return Fix("Make it a list", (Edit(value.span, f"[{text}]"),))
