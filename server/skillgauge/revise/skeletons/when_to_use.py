"""A2: the description's missing “when”, from sections that say it, eval prompts and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.revise.candidate import Draft
from skillgauge.revise.facts import Facts
from skillgauge.revise.place import with_breaks
from skillgauge.revise.skeletons._verbs import gerund, is_order, without_number
from skillgauge.rule import Edit
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill

METRIC: Final = "A2"
WHEN: Final = re.compile(
    r"\b(?:when to (?:use|apply|invoke|activate)|use this (?:skill )?(?:when|for)|use cases?"
    r"|when to trigger|triggers?|when this (?:skill )?applies|activation)\b",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"\b(?:not|don't|don’t|avoid|never|skip)\b", re.IGNORECASE)
_TOLD: Final = re.compile(
    r"\bwhen(?:ever)?\b|\btriggers?\b|\bproactively\b"
    r"|\buse (?:this (?:skill )?)?(?:for|if|after|before)\b",
    re.IGNORECASE,
)
"""What says “when” already, in one way or another."""
_PLAIN: Final = re.compile(r"[*_`]|\[([^\]]*)\]\([^)]*\)")
_PATTERN: Final = re.compile(r"`[^`]*[*_][^`]*`")
_SUBJECT: Final = re.compile(r"^(?:the )?users?\b|^you\b|^someone\b", re.IGNORECASE)
_LEAD: Final = re.compile(r"^(?:use (?:this skill |it )?)?(?:when(?:ever)? |if )", re.IGNORECASE)
_MOMENT: Final = re.compile(r"^(?:after|before|while|during) [a-z]+ing\b", re.IGNORECASE)
_LEADS: Final = {"subject": "when", "doing": "when", "order": "when the task is to"}
MAX_PHRASE: Final = 110
MAX_PROMPT: Final = 90
ROOM: Final = 1024
"""What the specification allows a description."""


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield sentences to end the description with."""
    skill = facts.skill
    told, first = _of_section(skill)
    for title, sentence in (
        ("Say when to use it, from the section on that", told),
        ("Say when to use it first of all, from the section on that", first),
        ("Say when to use it, from the eval prompts", _of_prompts(facts)),
        ("Say when to use it, from the headings", _of_headings(skill)),
    ):
        edit = _append(skill, sentence) if sentence else None
        if edit is not None:
            yield Draft(title, (edit,))


def _of_section(skill: Skill) -> tuple[str, str]:
    """Return what the first bullets below “When to use” say as a sentence, and the first alone."""
    for section in skill.markdown.find_sections(WHEN):
        if _NOT.search(section.heading.text):
            continue
        items = [
            _plain(skill.source[item.span.start : item.span.end])
            for found in skill.markdown.lists
            if section.span.start <= found.span.start < section.span.end and found.depth == 0
            for item in found.items
        ]
        phrases = [found for text in items if (found := _clause(text))][:3]
        if phrases:
            return _use(phrases), _use(phrases[:1])
    return "", ""


def _use(phrases: list[tuple[str, str]]) -> str:
    """Return the sentence; phrases of a kind are told together behind one “when”."""
    parts = [text for kind, text in phrases if kind == "moment"]
    for kind, lead in _LEADS.items():
        if same := [text for other, text in phrases if other == kind]:
            parts.append(f"{lead} {_joined(same, 'or')}")
    return f"Use {', or '.join(parts)}."


def _clause(text: str) -> tuple[str, str] | None:
    """Return the kind of a phrase, and the phrase; None for what does not fit or is long."""
    text = re.split(r" [—–-] | \(", _LEAD.sub("", text), maxsplit=1)[0].rstrip(".;:, ")
    if not text or len(text) > MAX_PHRASE or _NOT.search(text) or ": " in text:
        return None
    if _MOMENT.match(text):
        return "moment", _lower(text)
    if _SUBJECT.match(text):
        return "subject", re.sub(r"^users?\b", "the user", _lower(text), count=1)
    if gerund(text):
        return "doing", _lower(text)
    return ("order", _lower(text)) if is_order(text) else None


def _of_prompts(facts: Facts) -> str:
    """Return the shortest prompts as quotations: they are what a user really says."""
    told = [found for text in facts.prompts if (found := _sentence(text))]
    chosen = sorted(dict.fromkeys(told), key=len)[:2]
    quoted = [f"“{text}”" for text in chosen]
    return f"Use when the user asks for something like {_joined(quoted, 'or')}." if quoted else ""


def _sentence(prompt: str) -> str:
    first = re.split(r"(?<=[.?!])\s|\n", prompt.strip(), maxsplit=1)[0].strip().rstrip(".")
    good = (
        first.isprintable()
        and 12 <= len(first) <= MAX_PROMPT
        and not re.search(r"[“”\"<>`{}]|: | #", first)
    )
    return first if good else ""


def _of_headings(skill: Skill) -> str:
    """Return the sections that name tasks as what the user may ask for; steps are none."""
    tasks: list[str] = []
    doing: list[str] = []
    for heading in skill.markdown.headings:
        text = _plain(heading.text).rstrip(":.")
        fits = heading.level in (2, 3) and 10 <= len(text) <= 50 and _is_task(text)
        if not fits or text != without_number(text):
            continue
        if gerund(text):
            doing.append(_lower(text))
        elif is_order(text):
            tasks.append(_lower(text))
    if len(tasks) >= 2:
        return f"Use when the user asks to {_joined(tasks[:3], 'or')}."
    if len(doing) >= 2:
        return f"Use when {_joined(doing[:3], 'or')}."
    return ""


def _is_task(text: str) -> bool:
    """Return whether a heading is a sentence: titles In Capitals are too often names of things."""
    return " " in text and text.split(" ", 1)[1].islower() and ": " not in text


def _append(skill: Skill, sentence: str) -> Edit | None:
    """Return the edit that ends the description with a sentence, if its YAML can take it."""
    value, told = skill.value("description"), skill.description
    if value is None or not told or _TOLD.search(told) or len(told) + len(sentence) > ROOM - 2:
        return None
    raw = skill.source[value.span.start : value.span.end]
    end = len(raw.rstrip())
    if raw[:1] in ("'", '"') and raw[end - 1 : end] == raw[:1]:
        end -= 1
        if raw[0] == "'":
            sentence = sentence.replace("'", "''")
    stop = "" if told.rstrip()[-1:] in ".!?。" else "."
    at = value.span.start + end
    edit = Edit(Span(at, at), with_breaks(skill, f"{stop} {sentence}"))
    return edit if _takes(skill, edit, told) else None


def _takes(skill: Skill, edit: Edit, told: str) -> bool:
    """Return whether the description reads as meant afterwards, whatever the YAML's style."""
    from dataclasses import replace

    text = skill.source[: edit.span.start] + edit.text + skill.source[edit.span.end :]
    read = replace(skill, text=Text(text)).description
    wanted = told.rstrip() + edit.text.replace("''", "'")
    return read is not None and read.rstrip() == wanted


def _plain(text: str) -> str:
    """Return a line without its marker and marks: its first line alone.

    Of one with a pattern in code, nothing: `*` is a mark there that has to stay.
    """
    line = re.sub(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", "", text.split("\n", 1)[0])
    if _PATTERN.search(line):
        return ""
    return " ".join(_PLAIN.sub(lambda found: found[1] or "", line).split())


def _lower(text: str) -> str:
    """Return a text with a small first letter, but for names such as “PDF”."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _joined(parts: list[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
