"""Whether a text is English, so that a rule about English words may judge it."""

from __future__ import annotations

import re
from typing import Final

from skillgauge.patterns import lazy_pattern

_ENGLISH: Final = lazy_pattern(
    r"\b(?:the|an?|of|and|or|to|in|on|for|with|from|by|is|are|when|this|that|use|using|into|it|as"
    r"|any|via)\b",
    re.IGNORECASE,
)
_OTHER: Final = lazy_pattern(
    r"\b(?:der|die|das|und|für|mit|eine?n?|ist|nicht|wenn|les?|des|du|et|pour|avec|une|est|dans|el"
    r"|los|las|para|con|una|por|que|não|com|uma|os|il|per|gli|di|een|het|voor|met|och|att|som|på"
    r"|jest|nie|lub|dla|ve|için)\b",
    re.IGNORECASE,
)
_FOREIGN: Final = lazy_pattern(
    "[\u0370-\u1fff\u2c00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)


def is_english(text: str) -> bool:
    """Return whether a text of a few words or more is most likely English."""
    if len(_FOREIGN.findall(text)) * 10 > len(text):
        return False
    english = len(_ENGLISH.findall(text))
    return english > 2 * len(_OTHER.findall(text)) and english * 12 >= len(text.split())
