"""An assertion is about thoughts or taste, which a look at the result can't settle.

## Why is this bad?
A judge sees the messages, the commands and the files of a run. What the agent understood, or
whether the output is good, it has to guess: the same run passes today and fails tomorrow. Say what
can be seen instead: a file, a number, a sentence, a command that was run or not.

## Bad
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
   "assertions": ["The agent understands tax forms", "The output is good"]}
]
````

## Good
````evals
[
  {"id": 1, "prompt": "Fill in the W-9", "expected_output": "A filled form",
   "assertions": ["Line 1 holds the name of the user", "No field is empty"]}
]
````

## References
- https://agentskills.io/skill-creation/evaluating-skills#writing-assertions
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_SUBJECT: Final = (
    r"(?:(?:the|an?|this)\s+)?(?:(?:agent|model|assistant|skill|claude|codex|response|answer|it)\s+)?"
    r"(?:(?:should|must|clearly|fully|correctly|really|deeply|properly)\s+)*"
)
_THOUGHT: Final = lazy_pattern(
    rf"{_SUBJECT}(?P<word>understands?|knows?|reali[sz]es?|feels?(?!\s+free)|thinks?(?!\s+aloud)"
    r"|believes?|is\s+aware)\b",
    re.IGNORECASE,
)
_TASTE: Final = (
    r"good|great|nice|excellent|(?:of\s+)?(?:high|good)[- ]quality|well[- ]written|professional"
    r"|polished|elegant|beautiful|compelling|engaging|helpful|useful|user[- ]friendly"
)
_VERDICT: Final = lazy_pattern(
    r"\b(?:is|are|looks?|seems?|feels?|reads?|sounds?)\s+(?:(?:very|really|generally|overall)\s+)?"
    rf"(?P<word>{_TASTE})\s*(?:and\s+(?:{_TASTE})\s*)?[.!]?\s*\Z",
    re.IGNORECASE,
)
_ADJECTIVE: Final = lazy_pattern(
    r"\b(?P<word>high[- ]quality|good[- ]quality|well[- ]written|compelling|engaging|elegant"
    r"|polished|beautiful|user[- ]friendly)\s+\w+",
    re.IGNORECASE,
)
MAX_WORDS: Final = 7
"""A longer sentence with a word of taste mostly says as well what makes it so."""


@rule("V013", Severity.HINT, target="evals")
def assertion_unobservable(file: EvalFile) -> Iterator[Finding]:
    """Report each such assertion, at the word."""
    for case in file.cases:
        for item in case.assertions:
            text = item.text.strip()
            if match := _THOUGHT.match(text):
                yield Finding(
                    _place(file, item.span, item.text, match["word"]),
                    f"What is said with “{match['word']}” goes on inside the agent and can't be"
                    " seen; say what it writes or does.",
                )
            elif match := _taste(text):
                yield Finding(
                    _place(file, item.span, item.text, match["word"]),
                    f"“{match['word']}” is a matter of taste, on which each run of a judge may"
                    " differ; say what makes it so.",
                )


def _taste(text: str) -> re.Match[str] | None:
    return _VERDICT.search(text) or (
        _ADJECTIVE.search(text) if len(text.split()) <= MAX_WORDS else None
    )


def _place(file: EvalFile, span: Span, text: str, word: str) -> Span:
    """Return where the word stands; the whole assertion where escapes hide it."""
    at = file.source.find(word, span.start, span.end)
    return Span(at, at + len(word)) if at >= 0 else span
