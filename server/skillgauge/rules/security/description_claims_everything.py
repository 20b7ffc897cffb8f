"""The description claims every task, so that the agent loads the skill for anything.

## Why is this bad?
An agent picks skills by their descriptions. One that asks to be used for every request or before
any answer is loaded where it has nothing to offer, crowds out the skill that fits, and costs its
tokens each time. An attacker writes it so that the skill's instructions are always in force. Say
which tasks it is for.

## Bad
````skill
---
name: helper
description: Improves answers. Always use this skill for every request.
---
Think twice.
````

## Good
````skill
---
name: helper
description: Checks arithmetic. Use for any request that needs a sum of more than two numbers.
---
Think twice.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule

_THING: Final = (
    r"(?:tasks?|requests?|questions?|messages?|prompts?|conversations?|quer(?:y|ies)|responses?"
    r"|answers?|repl(?:y|ies)"
    r"|turns?|interactions?|sessions?|situations?|user (?:requests?|messages?|prompts?|inputs?"
    r"|quer(?:y|ies)))"
)
_CLAIM: Final = lazy_pattern(
    r"(?P<verb>\b(?:use|used|uses|using|invoke|invoked|invocation|apply|applies|activate"
    r"|activates|trigger|triggers|load|loads|call"
    r"|must|always)\b)[^.!?\n]{0,80}?"
    rf"(?P<claim>\b(?:every|all|any|each)\s+(?:(?:single|and every|possible|user)\s+)*{_THING})"
    r"(?=\s*(?:[.!?;:,)]|\Z|—|–|\s-\s|\b(?:regardless|no matter|without exception|whatsoever"
    r"|at all|from the user|including|even if)\b))",
    re.IGNORECASE,
)
_ALWAYS: Final = lazy_pattern(
    r"\b(?:always|must)\s+(?:be\s+)?(?:use|used|invoke|invoked|load|loaded|active|activate"
    r"|activated|apply|trigger)"
    r"(?:\s+(?:this|the)(?:\s+skill)?)?(?=\s*(?:[.!]|\Z|first\s*(?:[.!]|\Z)))"
    r"|\b(?:use|invoke|apply|trigger|activate)[ds]?\s+(?:this\s+)?(?:skill\s+)?(?:for|on|with"
    r"|by)\s+(?:everything|anything)(?=\s*(?:[.!,;]|\Z))",
    re.IGNORECASE,
)
_NEGATED: Final = lazy_pattern(
    r"\b(?:not|never|don['’]t|unless|skip|instead of|rather than)\b", re.IGNORECASE
)
_LISTED: Final = lazy_pattern(
    r"[^.!?\n]{0,60}?[,:]\s*(?:\w+\s+){0,4}(?:or|and)\s+\Z", re.IGNORECASE
)


@rule("S014", Severity.WARNING)
def description_claims_everything(skill: Skill) -> Iterator[Finding]:
    """Report the first claim to every task in the description."""
    value = skill.value("description")
    if value is None:
        return
    for pattern in (_CLAIM, _ALWAYS):
        for match in pattern.finditer(value.text):
            sentence = max(value.text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
            if _NEGATED.search(value.text[sentence : match.end()]):
                continue
            start, end = match.span("claim") if "claim" in match.groupdict() else match.span()
            yield Finding(
                skill.find_in_value(value, start, end),
                f"“{value.text[start:end]}” claims every task, so the skill is loaded where it does"
                " not help. Say which tasks it is for.",
            )
            return
