r"""An invisible character stands inside the text, mostly left over from copying.

## Why is this bad?
A zero-width character splits a word in two for search, for file names and commands and for the
tokens that a model reads, and nobody sees why. It usually comes along when text is copied from a
web page or a chat.

Fine, and left alone: joiners inside emoji and in scripts that need them, the byte order mark at
the very start, direction marks beside Arabic or Hebrew, and a zero-width space beside a backtick
or asterisk, where it keeps Markdown from being read as such.

## Bad
````skill escaped
---
name: greet
description: Greets people. Use when someone says hello.
---
Run greet.\u{200B}py first.
````

## Good
````skill escaped
---
name: greet
description: Greets people. Use when someone says hello.
---
Say \u{633}\u{644}\u{627}\u{645}\u{200C}\u{647}\u{627} or wave \u{1F468}\u{200D}\u{1F4BB}.
````

## Fix safety
The fix removes the character. Nothing that can be seen changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.security._invisible import ZERO_SET, ZERO_WIDTH, has_rtl, line_around, name_of
from skillgauge.rules.security.zero_width_run import MIN_RUN
from skillgauge.text import Span

_STRAY: Final = lazy_pattern(f"[{ZERO_WIDTH}]+")
# Scripts in which a joiner, or a zero-width space between words, is part of the spelling.
_JOINING: Final = lazy_pattern(
    "[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u18af\u1900-\u1aaf"
    "\ua800-\ua8ff\ua980-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
_EMOJI: Final = lazy_pattern(
    "[\u00a9\u00ae\u203c-\u3299\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f#*0-9\u20e3]"
)
_MARKUP: Final = frozenset("`*_~[]()<>#|\\")
_MARKS: Final = "\u200e\u200f"


@rule("S004", Severity.HINT, fix="safe")
def stray_zero_width(skill: Skill) -> Iterator[Finding]:
    """Report each invisible character that has no business where it stands."""
    source = skill.source
    if not skill.text.beyond_ascii & ZERO_SET:
        return
    for match in _STRAY.finditer(source):
        span = Span(*match.span())
        if len(match[0]) >= MIN_RUN or not _is_stray(source, span):
            continue
        names = ", ".join(dict.fromkeys(name_of(char) for char in match[0]))
        yield Finding(
            span,
            f"An invisible character stands here ({names}); it splits the text for search and for"
            " the model. Remove it.",
            Fix("Remove the invisible character", (Edit(span, ""),)),
        )


def _is_stray(source: str, span: Span) -> bool:
    before, after = source[span.start - 1 : span.start], source[span.end : span.end + 1]
    run = source[span.start : span.end]
    if span.start == 0 and run == "\ufeff":
        return False
    if (before in _MARKUP and before) or (after in _MARKUP and after):
        return False
    if _JOINING.match(before or " ") or _JOINING.match(after or " "):
        return False
    if run == "\u200d" and _EMOJI.match(before or " ") and _EMOJI.match(after or " "):
        return False
    return not (run.strip(_MARKS) == "" and has_rtl(line_around(source, span.start)))
