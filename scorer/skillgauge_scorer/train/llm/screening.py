"""Checks by code what a language model has written: one property may change, nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.llm.prompts import Asks
from skillgauge_scorer.train.surface import SURFACE, TELLTALE, words
from skillgauge_scorer.train.written import with_description

LENGTH: Final = 0.2
"""How much longer or shorter a text may become, as a share of its words."""
_FENCED: Final = re.compile(r"\A\s*```(?:markdown|md)?[ \t]*\n(?P<text>.*)\n```\s*\Z", re.DOTALL)
_MARKS: Final = re.compile(r"\A\s*<<<\s*\n(?P<text>.*?)\n?>>>\s*\Z", re.DOTALL)
_WORD: Final = re.compile(r"[a-z]{4,}")
_KEPT: Final = 0.25
"""The least share of a text's longer words that stay, so that it is still about the same."""
_SAME_BODY: Final = 0.9
"""The share of lines in common from which a body of another job is the same body."""
_LEFT: Final = {"A2": 0.34, "B2": 0.6, "D1": 0.5}
"""The share of the telltale marks that may be left when a property is broken."""
_BARE: Final = 0.5
"""The share of them that may be left when the same is said without them."""
_HARDLY: Final = 2.0
"""Where there are so few marks, nothing more can be asked for."""


def put_in(source: str, metric: str, answer: str) -> str:
    """Return the skill with an answer in its place."""
    text = answer.strip()
    for wrapping in (_MARKS, _FENCED):
        if (found := wrapping.match(text)) is not None:
            text = found["text"].strip()
    if metric == "A2":
        return with_description(source, text.removeprefix("description:").strip().strip("\"'"))
    inner = Skill(Text(text))
    if inner.frontmatter is not None:
        text = text[inner.body.start :].strip()
    return source[: Skill(Text(source)).body.start] + text + "\n"


def fault(metric: str, asks: Asks, source: str, made: str) -> str:
    """Return why a rewritten skill can't be taken, "" if it can."""
    before, after = Skill(Text(source)), Skill(Text(made))
    old, new = _scope(metric, before), _scope(metric, after)
    if not new.strip():
        return "nothing was written"
    if not 1 - LENGTH <= words(new) / max(1, words(old)) <= 1 + LENGTH:
        return "the length changed"
    if why := _beside(metric, before, after):
        return why
    if old.split() == new.split():
        return "nothing changed"
    if metric == "B1":
        shared = _shared(old.splitlines(), new.splitlines())
        return "the body is the same" if shared >= _SAME_BODY else ""
    if _shared(_WORD.findall(old.lower()), _WORD.findall(new.lower())) < _topic(metric):
        return "the topic changed"
    return _ASKED[asks](metric, _marks(metric, old), _marks(metric, new))


def _scope(metric: str, skill: Skill) -> str:
    return skill.description or "" if metric == "A2" else skill.source[skill.body.start :]


def _beside(metric: str, before: Skill, after: Skill) -> str:
    """Return what changed that had to stay."""
    if metric != "A2":
        same = before.source[: before.body.start] == after.source[: after.body.start]
        return "" if same else "the frontmatter changed"
    if before.source[before.body.start :] != after.source[after.body.start :]:
        return "the body changed"
    return "" if _other_keys(before) == _other_keys(after) else "another key changed"


def _other_keys(skill: Skill) -> list[tuple[str, str]]:
    """Return the frontmatter's entries but the description, as they stand in the source."""
    assert skill.frontmatter is not None
    return [
        (entry.key, skill.source[slice(*entry.span)])
        for entry in skill.frontmatter.entries
        if entry.key != "description"
    ]


def _topic(metric: str) -> float:
    return _KEPT / 2 if metric == "A2" else _KEPT


def _shared(left: list[str], right: list[str]) -> float:
    """Return which share of what is on the left is on the right, too."""
    own = {item.strip() for item in left if item.strip()}
    return len(own & {item.strip() for item in right}) / max(1, len(own))


def _marks(metric: str, text: str) -> float:
    """Return how many telltale marks a text has."""
    counts: dict[str, float] = {name: SURFACE[name](text) for name in TELLTALE[metric]}
    per_word = {"failure words", "sequence words", "input/output words", "code spans", "digits"}
    return sum(
        value * words(text) if name in per_word else value
        for name, value in counts.items()
        if not (name in ("code spans", "digits") and "code and digits" in counts)
    )


def _broken(metric: str, before: float, after: float) -> str:
    left = _LEFT.get(metric)
    if left is None or before <= _HARDLY or after <= left * before:
        return ""
    return "its marks are still there"


def _without(metric: str, before: float, after: float) -> str:
    enough = after <= max(_HARDLY, _BARE * before)
    return "" if enough else "its marks are still there"


def _words(metric: str, before: float, after: float) -> str:
    return "" if after >= before else "its marks are gone"


_ASKED: Final[Mapping[Asks, Callable[[str, float, float], str]]] = {
    "break": _broken,
    "substance": _without,
    "words": _words,
}
