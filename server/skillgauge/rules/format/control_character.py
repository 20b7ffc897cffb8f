r"""The text holds control characters, or text that was encoded twice.

## Why is this bad?
Control characters are invisible, have no meaning in Markdown and are forbidden in YAML, where they
cost the whole frontmatter. Many come from UTF-8 that a program read in another encoding and saved
again: a dash then reads as three odd characters, to people and agents alike.

## Bad
````skill escaped
---
name: architecture-notes
description: Draws the modules of a project. Use when the user asks for an overview.
---
# Architecture notes

\u{E2}\u{94}\u{82} client \u{E2}\u{94}\u{82}
````

## Good
````skill
---
name: architecture-notes
description: Draws the modules of a project. Use when the user asks for an overview.
---
# Architecture notes

│ client │
````

## Fix safety
Text that was encoded twice is decoded once more, which is safe where control characters or a whole
sequence of three leave no doubt. To remove a control character is unsafe: it may have a meaning.

## References
- https://yaml.org/spec/1.2.2/#51-character-set
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.markdown import mask
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._control import CONTROL, controls, double_encoded
from skillgauge.rules.format._yaml import consequence
from skillgauge.text import Span


@rule("F064", Severity.WARNING, fix="mixed", needs={"clients"}, reveals=True)
def control_character(skill: Skill) -> Iterator[Finding]:
    """Report runs that were encoded twice, and every other control character."""
    twice = list(double_encoded(skill.text))
    rest = mask(skill.source, [span for span, _ in twice]) if twice else skill.source
    found = [(span, meant) for span, meant in twice]
    found += [(span, "") for span in controls(skill.text, rest)]
    for span, meant in sorted(found):
        finding = _twice(skill, span, meant) if meant else _control(skill, span)
        if finding:
            yield finding


def _twice(skill: Skill, span: Span, meant: str) -> Finding | None:
    raw = skill.text.slice(span)
    sure = CONTROL.search(raw) is not None
    if not sure and skill.markdown.in_code(span.start):
        return None  # perhaps shown on purpose
    shown = meant if len(meant) <= 20 else f"{meant[:20]}…"
    return Finding(
        span,
        f"This was encoded twice and should read “{shown}”." + _rest(skill, span, sure),
        Fix(f"Write “{shown}”", (Edit(span, meant),), safe=sure or len(raw) > 2),
        level=Severity.ERROR if sure and _in_yaml(skill, span) else None,
    )


def _control(skill: Skill, span: Span) -> Finding:
    return Finding(
        span,
        f"This is the control character U+{ord(skill.source[span.start]):04X}; remove it."
        + _rest(skill, span, True),
        Fix("Remove the character", (Edit(span, ""),), safe=False),
        level=Severity.ERROR if _in_yaml(skill, span) else None,
    )


def _in_yaml(skill: Skill, span: Span) -> bool:
    block = skill.frontmatter
    return block is not None and block.inner.start <= span.start < block.inner.end


def _rest(skill: Skill, span: Span, control: bool) -> str:
    if not control or not _in_yaml(skill, span):
        return ""
    return " YAML does not allow it." + consequence(skill)
