"""The words of a description that say something."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:[+#]+)?")
# Words that any description may have, and that say nothing of what this one is about.
_LISTED: Final = """
    a an the and or of to in on for with from by at is are be this that it its as into your you
    our my user users use uses used using when if any all can will would should do does doing make
    makes skill skills help helps helper helping assist assists assistant support supports provide
    provides allow allows enable enables tool tools utility utilities util utils file files document
    documents data stuff things thing task tasks various work works working general useful handy
    simple easy powerful great good best common different many some more other others etc content
    information info process processing processes handle handles handling manage manages managing
    management deal deals dealing everything anything something related agent agents claude ai
    helpful misc miscellaneous new
"""
_EMPTY: Final = frozenset(_LISTED.split())
_ENDINGS: Final = (
    *("ization", "ations", "ation", "ments", "ment", "ings", "ing", "ies", "ers", "er", "ors"),
    *("or", "es", "ed", "s", "e", "y"),
)


def telling_words(text: str) -> list[str]:
    """Return the words of a text, in lower case, without those that say nothing."""
    return [word for word in _WORD.findall(text.lower()) if word not in _EMPTY]


def stem(word: str) -> str:
    """Return a word without its ending, so that “reviewer” and “reviews” are alike."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
