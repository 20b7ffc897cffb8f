"""A link or path is absolute: it names a place on one machine.

## Why is this bad?
The agent runs on other machines, under other users and in containers, where this path does not
exist. It also tells readers your user name. Home folders of services and stand-ins such as
`/home/user` or `/Users/<name>` are left alone.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Take the empty form from `/Users/lena/forms/w9.pdf`.
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Take the empty form from `assets/w9.pdf`.
````
````file assets/w9.pdf
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.mentions import SHELLS
from skillgauge.document.paths import has_ending, is_placeholder
from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_MACHINE: Final = lazy_pattern(
    r"(?<![\w.~$}>*-])(?:/(?:Users|home)/|[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}|/mnt/[a-z]/Users/)"
    r"(?P<name>[A-Za-z][\w.-]*)[\\/][\w./\\-]*"
)
_ANYBODY: Final = lazy_pattern(
    r"(?:\w*user\w*|you|your[\w-]*|me|my[\w-]*|name|someone|somebody|anyone|owner|admin\w*|root|x+|foo|bar"
    r"|baz|test\w*|demo|dev\w*|example|john\w*|jane\w*|alice|bob|jdoe|doe|public|shared|default|appuser"
    r"|ubuntu|debian|centos|fedora|alpine|ec2|ec2-user|opc|azure|azureuser|vagrant|pi|nvidia|jetson"
    r"|runner|jenkins|gitlab\w*|git|node|ruby|python|jovyan|coder|vscode|codespace|gitpod|sandbox|claude"
    r"|agent|assistant|oai|app|web|www|www-data|deploy\w*|linuxbrew|steam|docker|container|workspace"
    r"|work|project|projects|data|john\.doe|jane\.doe|acme|corp|company|guest|student|builder|nonroot)\Z",
    re.IGNORECASE,
)
_EXAMPLE: Final = lazy_pattern(
    r"\be\.g\.|\bfor (?:example|instance)\b|\bexamples?\b|\bsuch as\b|\blike\b|→|->|=>|例如|比如",
    re.IGNORECASE,
)


@rule("L005", Severity.WARNING)
def link_absolute(skill: Skill) -> Iterator[Finding]:
    """Report absolute links, and paths of a person's home folder in prose, code and commands."""
    for reference in skill.references:
        path = reference.path
        if not reference.absolute or is_placeholder(path) or _anybody(path):
            continue
        if has_ending(path) or path.lower().startswith("file:"):
            yield Finding(
                reference.path_span,
                f"“{path}” is an absolute path; link to a file of the skill's folder.",
            )
    if "/Users/" in skill.source or "/home/" in skill.source or "Users\\" in skill.source:
        yield from _machine_paths(skill)


def _anybody(path: str) -> bool:
    match = _MACHINE.search(path)
    return match is not None and _ANYBODY.match(match["name"]) is not None


def _machine_paths(skill: Skill) -> Iterator[Finding]:
    markdown = skill.markdown
    places = [(markdown.prose, skill.body)]
    places += [(skill.source, code.content) for code in markdown.code_spans]
    places += [
        (skill.source, block.content) for block in markdown.code_blocks if block.language in SHELLS
    ]
    for text, span in places:
        for match in _MACHINE.finditer(text, span.start, span.end):
            if _ANYBODY.match(match["name"]) or _is_shown(skill, Span(*match.span())):
                continue
            shown = match[0].rstrip(".\\/")
            yield Finding(
                Span(match.start(), match.start() + len(shown)),
                f"“{shown}” exists on one machine only; use a path in the skill's folder, or let"
                " the agent ask for it.",
            )


def _is_shown(skill: Skill, span: Span) -> bool:
    """Return whether a path stands as an example, in quotation marks or with a stand-in in it."""
    source = skill.source
    line = skill.text.line_span(skill.text.line_of(span.start))
    before = source[line.start : span.start]
    after = source[span.end : span.end + 1]
    quoted = before.count('"') % 2 == 1 and '"' in source[span.end : line.end]
    return quoted or after in ("<", "{", "$", "*") or bool(_EXAMPLE.search(before))
