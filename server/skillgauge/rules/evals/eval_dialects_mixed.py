"""An evaluation file mixes the key names of two formats.

## Why is this bad?
`prompt`, `expected_output` and `assertions` are the names of agentskills.io; `question`,
`ground_truth` and `expected_behavior` those of an older format. Few tools know both: the others
find the prompt of a case and not its checks, or the reverse, and do not say so.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "expected_behavior": ["The PDF holds the name"]}
  ]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in the W-9", "assertions": ["The PDF holds the name"]}
  ]
}
````

## Fix safety
The fix gives every such key the name of agentskills.io. It is unsafe: a program of your own may
read the old one.

## References
- https://agentskills.io/skill-creation/evaluating-skills
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.eval_keys import CONTAINERS, FLAT, MODERN
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Sequence
from skillgauge.rule import Finding, Fix, Related, Severity, rule
from skillgauge.rules.evals._shared import entries_of, listed, rename


@rule("V025", Severity.WARNING, target="evals", fix="unsafe")
def eval_dialects_mixed(file: EvalFile) -> Iterator[Finding]:
    """Report the first key of the older format beside those of agentskills.io, and two lists."""
    yield from _two_lists(file)
    keys = [entry for case in file.cases for entry in entries_of(case)]
    modern = next((entry for entry in keys if entry.key in MODERN), None)
    flat = [entry for entry in keys if entry.key in FLAT]
    if not flat or modern is None:
        return
    names = list(dict.fromkeys(entry.key for entry in flat))
    meant = list(dict.fromkeys(FLAT[name] for name in names))
    yield Finding(
        flat[0].key_span,
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} of another format than"
        f" “{modern.key}”: tools that know one of them miss a part of the cases. Write"
        f" {listed(meant)}.",
        _fix(file, flat, meant),
        (Related(f"“{modern.key}” is a name of agentskills.io.", modern.key_span),),
    )


def _fix(file: EvalFile, flat: list[Entry], meant: list[str]) -> Fix | None:
    """Return the fix that renames all; None where a case has a part under both names."""
    for case in file.cases:
        keys = {entry.key for entry in entries_of(case)}
        if any(FLAT[key] in keys for key in keys & set(FLAT)):
            return None
    edits = tuple(rename(file, entry, FLAT[entry.key]) for entry in flat)
    return Fix(f"Rename to {listed(meant)}", edits, safe=False)


def _two_lists(file: EvalFile) -> Iterator[Finding]:
    if file.head is None or file.container_entry is None:
        return
    for key in CONTAINERS:
        entry = file.head.last(key)
        if entry and entry is not file.container_entry and isinstance(entry.value, Sequence):
            yield Finding(
                entry.key_span,
                f"The cases under “{key}” are not run: tools read those under"
                f" “{file.container_entry.key}”. Put all into one list.",
            )
