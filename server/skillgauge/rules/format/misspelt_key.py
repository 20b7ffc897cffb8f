"""A frontmatter key looks like a misspelling of one that the specification or a client has.

## Why is this bad?
A key with a typing error, a capital or an underscore in place of a hyphen is another key: nobody
reads it, and nothing says so. Keys of clients that the workspace does not target count only if they
are long enough not to be hit by chance, and no key in common use is taken for a slip. Where the
right key is there as well, whatever stands under the wrong one is lost all the same.

## Bad
````skill
---
name: release-notes
descripton: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Fix safety
Where only case, hyphens and underscores differ the fix is safe, otherwise what was meant is a
guess.

## References
- https://agentskills.io/specification#frontmatter
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._clients import ALL_READ
from skillgauge.rules.format._keys import OddKey, odd_keys


@rule(
    "F048",
    Severity.WARNING,
    spec=Severity.ERROR,
    fix="mixed",
    needs={"clients"},
    reveals=True,
)
def misspelt_key(skill: Skill) -> Iterator[Finding]:
    """Report each key that is meant to be another, with that one."""
    for odd in odd_keys(skill, "misspelt"):
        serious = odd.refusing or (odd.meant in ALL_READ and not odd.beside)
        yield Finding(
            odd.entry.key_span,
            _message(odd),
            None if odd.beside else _fix(skill, odd),
            level=Severity.ERROR if serious else None,
        )


def _message(odd: OddKey) -> str:
    begin = f"No client reads “{odd.key}”"
    if odd.beside:
        return f"{begin}, and “{odd.meant}” is there as well; leave out the one that is wrong."
    if odd.exact:
        return f"{begin}; the key is written “{odd.meant}”."
    return f"{begin}; is it meant to be “{odd.meant}”?"


def _fix(skill: Skill, odd: OddKey) -> Fix:
    raw = skill.text.slice(odd.entry.key_span)
    mark = raw[:1] if raw[:1] in ("'", '"') else ""
    edit = Edit(odd.entry.key_span, f"{mark}{odd.meant}{mark}")
    return Fix(f"Change the key to “{odd.meant}”", (edit,), safe=odd.exact)
