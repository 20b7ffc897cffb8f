"""Whether the arms were what they should be: the baseline saw nothing of the skill, the other did.

What a model was sent is in the record of its requests, so that is what is looked through: the
beginning of the skill's description, and the sentences of its body. A request holds what the model
said before, too, and any model may write a usual command or the rule of a table by itself: code and
lines of few words are therefore nobody's. Neither is what the case or its files say, for that is in
both arms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from skillgauge.lift.cases import Case
from skillgauge.lift.source import SkillSource
from skillgauge.text import split_lines

LONG: Final = 40
"""Shorter lines may be anybody's."""
WORDS: Final = 6
"""So are lines of fewer words."""
HEAD: Final = 100
"""Characters of a description: harnesses cut long ones in their lists."""
MAX_MARKS: Final = 400
MAX_FILE: Final = 2**20
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def marks(source: SkillSource, case: Case) -> tuple[str, ...]:
    """Return what can only come from the skill: its description and the sentences of its body."""
    skill = source.skill
    body = skill.source[skill.body.start : skill.body.end]
    described = next(iter(split_lines((skill.description or "").strip())), "").strip()
    known = " ".join((case.prompt, case.expected_output, *case.assertions, *_files(source, case)))
    found = dict.fromkeys(filter(_is_own, (described[:HEAD], *_prose(split_lines(body)))))
    return tuple(line for line in found if line not in known)[:MAX_MARKS]


def _is_own(line: str) -> bool:
    return len(line) >= LONG and len(_WORD.findall(line)) >= WORDS


def _prose(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are not in a block of code."""
    fence = ""
    for line in map(str.strip, lines):
        if fence:
            fence = "" if line.startswith(fence) else fence
        elif line.startswith(("```", "~~~")):
            fence = line[:3]
        else:
            yield line


def _files(source: SkillSource, case: Case) -> Iterator[str]:
    """Yield the beginnings of a case's files: what they share with the skill, any arm may see."""
    for path in case.files:
        try:
            with (source.folder / path).open("rb") as file:
                yield file.read(MAX_FILE).decode("utf-8", "replace")
        except OSError:
            continue


def leak(requests: Iterable[str], wanted: tuple[str, ...]) -> str:
    """Return the first mark that a request holds, "" if none does."""
    shapes = {mark: _spellings(mark) for mark in wanted}
    for text in requests:
        for mark, spellings in shapes.items():
            if any(spelling in text for spelling in spellings):
                return mark
    return ""


def is_named(requests: Iterable[str], name: str, prompt: str = "") -> bool:
    """Return whether any request names a skill as a word of its own, apart from the task itself."""
    pattern = re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_-])")
    told = prompt.strip() if pattern.search(prompt) else ""
    return any(pattern.search(text.replace(told, "") if told else text) for text in requests)


def _spellings(mark: str) -> tuple[str, ...]:
    """Return a mark as it may stand in JSON, with either way of writing what isn't ASCII."""
    return tuple(
        dict.fromkeys((mark, json.dumps(mark)[1:-1], json.dumps(mark, ensure_ascii=False)[1:-1]))
    )
