"""A key of an evaluation file looks like another spelling of one that tools read.

## Why is this bad?
Tools take what they know and pass over the rest without a word. With `promt` the case has no
prompt; with `checks` nothing is checked, and the case still counts as one.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [{"id": 1, "promt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [{"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form"}]
}
````

## Fix safety
Where only letter case, hyphens and underscores differ the fix is safe, otherwise what was meant is
a guess.

## References
- https://agentskills.io/skill-creation/evaluating-skills
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.rule import Finding, Fix, Severity, rule
from skillgauge.rules.evals._keys import odd_keys
from skillgauge.rules.evals._shared import in_cases, rename


@rule("V004", Severity.WARNING, target="evals", fix="mixed", reveals=True)
def eval_key_misspelt(file: EvalFile) -> Iterator[Finding]:
    """Report each such key once, at its first place; the fix renames it everywhere."""
    for odd in odd_keys(file):
        if not odd.meant:
            continue
        edits = tuple(rename(file, entry, odd.meant) for entry in odd.entries)
        how = f"the key is “{odd.meant}”." if odd.exact else f"is it meant to be “{odd.meant}”?"
        yield Finding(
            odd.entries[0].key_span,
            f"No tool reads “{odd.key}”{in_cases(len(odd.entries))}; {how}",
            Fix(f"Change the key to “{odd.meant}”", edits, safe=odd.exact),
        )
