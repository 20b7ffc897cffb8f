"""The words of a description: which count for nothing, which for little, and what their stem is."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skillgauge.patterns import lazy_pattern


def words(text: str) -> frozenset[str]:
    """Return the words of a text: for long lists."""
    return frozenset(text.split())


FUNCTION_WORDS: Final = words(
    """
    a about above across after again against all also although an and another any anything are
    as ask asked asking asks at based be because been before being below between both but by can
    could did do does doing don't during each either else elsewhere etc even ever every
    everything explicitly for from further get gets got had has have having help helps her here
    him his how however i if in include includes including instead into is it its itself just
    let like may me mention mentioned mentions might more most much must my need needed needs
    neither never next no nor not of off often on once one only onto or other our out over own
    per phrase phrases please proactively provide provides same say saying says see she should
    skill skills so some someone something such than that the their them then there these they
    this those through to together too trigger triggers two under until up upon us use used
    useful user users uses using very via want wanted wants was way we were what whatever when
    whenever where whether which while who whole why will with within without would yet you your
    """
)
"""Words of grammar, and those that every description has: “use when the user asks”."""

GENERIC_WORDS: Final = words(
    """
    agent agents ai analysis analyze app application applications apps best build building check
    checks code comprehensive content context cover covers create creates creating current
    custom data design development document documentation documents error errors existing expert
    feature features file files find first framework full generate generates generating
    generation guidance guide handle handles handling implement implementation implementing
    improve integration issue issues make manage management managing mode model models multiple
    new optimization optimize output patterns performance plan planning platform practices
    process processing production project projects quality reference report reports request
    requests result results review run running runs service set setting setup start state step
    steps strategy structure structured support supports system systems task tasks test testing
    tests text time tool tools type types update work workflow workflows working write writing
    """
)
"""Words that a fortieth and more of all public descriptions have; they say little."""

_TERM: Final = lazy_pattern(
    r"[a-z0-9][a-z0-9+#._-]*[a-z0-9+#]|[a-z0-9]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_ENDINGS: Final = (
    "izations",
    "ization",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ers",
    "ors",
    "ion",
    "ions",
    "er",
    "or",
    "ed",
    "es",
    "s",
    "e",
)


def terms(text: str) -> list[str]:
    """Return the words of a text that count, in lower case; Chinese and its like by two signs."""
    found: list[str] = []
    for word in _TERM.findall(text.lower()):
        if word > "\u3000":
            found.extend(word[at : at + 2] for at in range(max(len(word) - 1, 1)))
        elif word not in FUNCTION_WORDS and len(word) > 1:
            found.append(word)
    return found


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return what the forms of a word have in common: “deploys”, “deployment” → “deploy”."""
    if len(word) < 5 or not word.endswith(_ENDINGS):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
