"""C1: steps in another order, one of them gone, or advice without an order."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final, TypeVar

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.operations.b2 import apply

_T = TypeVar("_T")

HOW: Final = "steps and the sections of the procedure are reordered, or lose their order"
_MARK: Final = re.compile(r"[ \t]*(\d+)([.)])[ \t]+")
_STEP: Final = re.compile(r"(?i)^(?:step|phase|stage|part)?\s*\d+|^(?:step|phase|stage)\b")


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the skill with its workflow broken."""
    skill = Skill(Text(source))
    edits = _sections(skill, chance)
    covered = [(start, end) for start, end, _ in edits]
    for found in skill.markdown.lists:
        inside = any(start <= found.span.start < end for start, end in covered)
        if found.start is None or found.depth > 1 or len(found.items) < 3 or inside:
            continue
        items = [source[slice(*item.span)] for item in found.items]
        mixed = _shuffled(items, chance)
        if chance.random() < 0.4:
            mixed = [_MARK.sub("- ", item, count=1) for item in mixed]
        else:
            mixed = [_MARK.sub(f"{at}. ", item, count=1) for at, item in enumerate(mixed, 1)]
        text = "\n".join(item.rstrip() for item in mixed) + "\n"
        edits.append((found.items[0].span.start, found.items[-1].span.end, text))
    return apply(source, edits) if edits else None


def _sections(skill: Skill, chance: random.Random) -> list[tuple[int, int, str]]:
    """Return edits that shuffle what sibling sections named like steps hold."""
    sections = skill.markdown.sections
    edits: list[tuple[int, int, str]] = []
    for parent in {one.parent for one in sections}:
        steps = [one for one in sections if one.parent == parent and _STEP.search(one.heading.text)]
        if len(steps) < 3:
            continue
        texts = [skill.source[slice(*one.span)] for one in steps]
        names = [one.heading.text for one in steps]
        order = _shuffled(list(range(len(steps))), chance)
        for place, (one, other) in enumerate(zip(steps, order, strict=True)):
            label = _STEP.match(names[place])
            text = texts[other]
            if label:  # the numbers stay in order, what they number doesn't
                text = text.replace(names[other], _STEP.sub(label[0], names[other], count=1), 1)
            edits.append((one.span.start, one.span.end, text))
    return edits


def _shuffled(items: Sequence[_T], chance: random.Random) -> list[_T]:
    """Return items in another order, if there is one."""
    mixed = list(items)
    for _ in range(20):
        chance.shuffle(mixed)
        if mixed != list(items):
            break
    return mixed
