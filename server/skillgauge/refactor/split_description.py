"""Splits a description into `description` and `when_to_use`, which Claude Code reads as one."""

from __future__ import annotations

import re

from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.refactor import Refactoring
from skillgauge.rule import Edit
from skillgauge.text import Span

_WHEN = re.compile(r"(?:^|(?<=[.!?] ))(?=(?:Use|Invoke|Trigger|Activate|Apply)\b|When\b|Not for\b)")


def offer(skill: Skill, span: Span) -> Refactoring | None:
    """Offer the split where the sentence that says when to use the skill begins."""
    front = skill.frontmatter
    entry = front.entry("description") if front else None
    value = skill.value("description")
    if front is None or entry is None or value is None or not entry.span.contains(span.start):
        return None
    if front.has("when_to_use") or (skill.clients and "claude-code" not in skill.clients):
        return None
    text = " ".join(value.text.split())
    match = next((item for item in _WHEN.finditer(text) if item.start() > 0), None)
    if match is None:
        return None
    what, when = text[: match.start()].rstrip(), text[match.start() :]
    newline = "\r\n" if "\r\n" in skill.source else "\n"
    new = f"{quote(what)}{newline}when_to_use: {quote(when)}"
    edits = (Edit(value.span, new),)
    return Refactoring("Split into description and when_to_use", "refactor.rewrite", edits)
