"""A paragraph has more than 150 words.

## Why is this bad?
In a long paragraph an instruction is easily missed. Steps, conditions and exceptions are followed
better as a list, a table or short paragraphs.

## Bad
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
Count the words of the text and compare them with the limit, and if there are more than allowed
look for what the reader knows already, which may be the greeting, the summary at the end, the
names of people who wrote the text, or the history of the matter, and take it out, but not where a
law asks for it, in which case ask the person who gave the task, unless it is the weekend, when
nobody answers, and then leave it in and say so in the reply, together with the number of words
before and after, the share that was taken out, and the places, so that someone can look at them
again, and also mention whether the limit was met, by how much, and what else could go if a still
shorter text were wanted, in the order in which it should go, since the first thing to go is what
can be found elsewhere and the last thing is what the whole text was written for in the first
place.
````

## Good
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
1. Count the words of the text.
2. If there are too many, leave out what the reader knows.
3. Count again.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_MOST: Final = 150
_SHORTEST: Final = 2 * _MOST  # characters: so many words have no fewer


@rule("E104", Severity.HINT)
def wall_of_text(skill: Skill) -> Iterator[Finding]:
    """Report the paragraph's first line."""
    text = skill.text
    for start, end in skill.markdown.paragraphs:
        if end - start < _SHORTEST:
            continue
        words = len(skill.source[start:end].split())
        if words > _MOST:
            stop = text.line_span(text.line_of(start)).end
            yield Finding(
                Span(start, min(stop, end)),
                f"This paragraph has {words} words; break it up into steps or a list.",
            )
