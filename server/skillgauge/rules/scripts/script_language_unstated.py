"""`compatibility` lists what the skill needs, but not the runtime of a script that it runs.

## Why is this bad?
Whoever reads `compatibility` installs what stands there, and the script then fails with “command
not found”. The key is optional; once it names runtimes, readers take the list for complete.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
compatibility: Requires Python 3.11 or later.
---
Run `node scripts/fill.js form.pdf`.
````
````file scripts/fill.js
console.log("filled")
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
compatibility: Requires Node.js 20 or later.
---
Run `node scripts/fill.js form.pdf`.
````
````file scripts/fill.js
console.log("filled")
````

## References
- [Specification: compatibility](https://agentskills.io/specification#compatibility-field)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._scripts import runs

_JS: Final = r"node|npm|npx|bun|deno|javascript|typescript|\bjs\b|\bts\b"
_RUNTIMES: Final = {
    ".py": ("Python", re.compile(r"python|\bpip\b|\buv\b|conda|poetry", re.IGNORECASE)),
    ".js": ("Node.js", re.compile(_JS, re.IGNORECASE)),
    ".mjs": ("Node.js", re.compile(_JS, re.IGNORECASE)),
    ".cjs": ("Node.js", re.compile(_JS, re.IGNORECASE)),
    ".ts": ("a TypeScript runtime", re.compile(_JS, re.IGNORECASE)),
    ".rb": ("Ruby", re.compile("ruby", re.IGNORECASE)),
    ".php": ("PHP", re.compile("php", re.IGNORECASE)),
    ".pl": ("Perl", re.compile("perl", re.IGNORECASE)),
    ".ps1": ("PowerShell", re.compile("powershell|pwsh|windows", re.IGNORECASE)),
    ".R": ("R", re.compile(r"\bR\b")),
}
_NAMES_SOME: Final = re.compile(
    r"python|\bnode(?:\.?js)?\b|\bbun\b|\bdeno\b|\bruby\b|\bphp\b|\bperl\b|\bjava\b|\bgo\b|\brust\b",
    re.IGNORECASE,
)


@rule("T003", Severity.HINT, needs={"folder"})
def script_language_unstated(skill: Skill) -> Iterator[Finding]:
    """Report each runtime that a script which is run needs and `compatibility` leaves out."""
    value = skill.value("compatibility")
    if value is None or not _NAMES_SOME.search(value.text):
        return
    seen: set[str] = set()
    for reference in runs(skill):
        target = reference.target or ""
        runtime = _RUNTIMES.get("." + target.rpartition(".")[2])
        if runtime is None or runtime[0] in seen or runtime[1].search(value.text):
            continue
        seen.add(runtime[0])
        yield Finding(
            value.span,
            f"“{target}” needs {runtime[0]}, which this list of requirements leaves out; add it.",
        )
