"""Which skills of a workspace a router can't tell apart by their descriptions.

The lexical answer: two skills collide when they claim the same requests in so many words, or when
their descriptions share nearly all words that count, rare ones most, and neither has a word of its
own in name and first sentence that says which is which. A description that names the other skill
has settled the pair. Everything goes through `collisions`, so that a model can answer instead.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.document.claims import Claims, read_claims
from skillgauge.document.vocabulary import GENERIC_WORDS, stem, terms

if TYPE_CHECKING:
    from skillgauge.document.workspace import SkillSummary

MIN_SIMILARITY: Final = 0.53
"""The weighted cosine from which on two descriptions are the same to a reader of words."""
MIN_SHARED: Final = 5
"""Words that two descriptions must share at least."""
INDEXED: Final = 12
"""The rarest words of each description, by which partners are looked for."""
MIN_INDEXED: Final = 3
"""Of those, how many two descriptions must share to be compared in full."""
MAX_POSTINGS: Final = 60
"""A word that more skills have finds no partners: it says too little, and costs too much."""
MAX_SKILLS: Final = 5_000
SHOWN: Final = 6
GENERIC_WEIGHT: Final = 0.4
_GENERIC: Final = frozenset(map(stem, GENERIC_WORDS))


@dataclass(frozen=True, slots=True)
class Collision:
    """Another skill that is taken for this one, with what the two have in common."""

    other: SkillSummary
    words: tuple[str, ...]
    """What collides, the rarest first, as this skill writes it."""
    phrases: tuple[str, ...]
    """The example requests that both claim."""
    similarity: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a model says of descriptions: how alike those of two paths are.

    A pair that is missing is different; from `same` on, two are the same whatever their words.
    """

    pairs: Mapping[tuple[Path, Path], float]
    same: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """What counts of a description."""

    claims: Claims
    words: Mapping[str, str]
    """Stem → the word as written."""
    head: frozenset[str]
    """The stems of the first sentence."""
    mentions: frozenset[str]
    """What may be names of other skills, in lower case."""


@dataclass(frozen=True, slots=True)
class _Profile:
    summary: SkillSummary
    name: frozenset[str]
    reading: _Reading

    @property
    def words(self) -> Mapping[str, str]:
        return self.reading.words

    @property
    def phrases(self) -> frozenset[str]:
        return self.reading.claims.phrases


def collisions(
    skills: Sequence[SkillSummary], likeness: Likeness | None = None
) -> dict[Path, tuple[Collision, ...]]:
    """Return what each skill collides with, the most alike first; without any it is left out.

    A model's `likeness` finds those that say the same in other words, and frees those that share
    words by chance.
    """
    profiles = [_profile(skill) for skill in skills[:MAX_SKILLS] if skill.model_invocable]
    weights = _weights(profiles)
    norms = [math.sqrt(sum(weights[word] ** 2 for word in item.words)) or 1.0 for item in profiles]
    found: defaultdict[Path, list[Collision]] = defaultdict(list)
    judged = _judged(profiles, likeness) if likeness else {}
    for one, other in sorted(_candidates(profiles, weights) | judged.keys()):
        first, second = profiles[one], profiles[other]
        if _settled(first, second):
            continue
        phrases = tuple(sorted(first.phrases & second.phrases))
        shared = sorted(
            first.words.keys() & second.words.keys(), key=lambda word: (-weights[word], word)
        )
        similarity = sum(weights[word] ** 2 for word in shared) / (norms[one] * norms[other])
        alike = len(shared) >= MIN_SHARED and similarity >= MIN_SIMILARITY
        if likeness is not None:
            similarity = judged.get((one, other), 0.0)
            alike = similarity >= likeness.same or (alike and similarity > 0)
        if not (alike and not _told_apart(first, second)) and not _same_requests(phrases):
            continue
        for this, that in ((first, second), (second, first)):
            words = tuple(this.words[word] for word in shared[:SHOWN])
            found[this.summary.path].append(Collision(that.summary, words, phrases, similarity))
    return {
        path: tuple(sorted(items, key=lambda item: (-item.similarity, str(item.other.path))))
        for path, items in found.items()
    }


def _judged(profiles: list[_Profile], likeness: Likeness) -> dict[tuple[int, int], float]:
    """Return what the model says of pairs, by their places."""
    places = {item.summary.path: at for at, item in enumerate(profiles)}
    found: dict[tuple[int, int], float] = {}
    for (one, other), value in likeness.pairs.items():
        if one in places and other in places:
            first, second = sorted((places[one], places[other]))
            found[first, second] = value
    return found


def _profile(skill: SkillSummary) -> _Profile:
    text = f"{skill.description}\n{skill.when_to_use}" if skill.when_to_use else skill.description
    name = frozenset(stem(word) for word in terms(_PARTING.sub(" ", skill.name)))
    return _Profile(skill, name, _read(text))


@lru_cache(maxsize=8_192)
def _read(text: str) -> _Reading:
    """Read a description; kept, so that one edit in a workspace doesn't read all others again."""
    claims = read_claims(text)
    words: dict[str, str] = {}
    for part in claims.claimed:
        for word in terms(part):
            words.setdefault(stem(word), word)
    head = frozenset(stem(word) for word in terms(claims.head))
    mentions = frozenset(handover.name.lower() for handover in claims.handovers)
    return _Reading(claims, words, head, mentions | _names_in(text))


_PARTING: Final = re.compile(r"[^\w]+|_")
_NAME_LIKE: Final = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+|[`/@$\[]+([a-z0-9]+)\b")


def _names_in(text: str) -> set[str]:
    return {match[1] or match[0] for match in _NAME_LIKE.finditer(text.lower())}


def _weights(profiles: list[_Profile]) -> dict[str, float]:
    counts = Counter(word for item in profiles for word in item.words)
    total = len(profiles)
    return {
        word: math.log((total + 1) / (count + 0.5) + 1)
        * (GENERIC_WEIGHT if word in _GENERIC else 1)
        for word, count in counts.items()
    }


def _candidates(profiles: list[_Profile], weights: dict[str, float]) -> set[tuple[int, int]]:
    """Return the pairs worth a look: those that share a request or some of their rarest words."""
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    by_phrase: defaultdict[str, list[int]] = defaultdict(list)
    for index, item in enumerate(profiles):
        rarest = sorted(item.words, key=lambda word: (-weights[word], word))[:INDEXED]
        for word in rarest:
            by_word[word].append(index)
        for phrase in item.phrases:
            by_phrase[phrase].append(index)
    counts: Counter[tuple[int, int]] = Counter()
    for places in by_word.values():
        if len(places) <= MAX_POSTINGS:
            counts.update(_pairs(places))
    found = {pair for pair, count in counts.items() if count >= MIN_INDEXED}
    for places in by_phrase.values():
        if len(places) <= MAX_POSTINGS:
            found.update(_pairs(places))
    return found


def _pairs(places: list[int]) -> Iterable[tuple[int, int]]:
    return ((one, other) for index, one in enumerate(places) for other in places[index + 1 :])


def _settled(first: _Profile, second: _Profile) -> bool:
    """Return whether one names the other, or both have one name (which is another fault)."""
    one, other = _names(first), _names(second)
    return bool(one & other) or _mentions(first, other) or _mentions(second, one)


def _names(item: _Profile) -> set[str]:
    return {item.summary.name.lower(), item.summary.path.parent.name.lower()}


def _mentions(item: _Profile, names: set[str]) -> bool:
    """Return whether a description names a skill, in full or without the prefix of its family."""
    return any(
        name == mention or (name.endswith(f"-{mention}") and "-" in mention)
        for name in names
        for mention in item.reading.mentions
    )


def _told_apart(first: _Profile, second: _Profile) -> bool:
    """Return whether a word in the name and first sentence of one is foreign to the other."""
    return _own_word(first, second) or _own_word(second, first)


def _own_word(item: _Profile, other: _Profile) -> bool:
    for word in item.name - other.name:
        said = next((term for term in item.reading.head if _same(term, word)), None)
        if said is not None and not any(_same(term, word) for term in other.words):
            return True
    return False


def _same(term: str, word: str) -> bool:
    """Return whether two stems are forms of one word: “arch” and “architectur”."""
    if term == word:
        return True
    short, long = sorted((term, word), key=len)
    return len(short) >= 4 and long.startswith(short)


def _same_requests(phrases: tuple[str, ...]) -> bool:
    """Return whether shared example requests are enough: two of them, or one of some length."""
    longest = max((len(phrase.split()) for phrase in phrases), default=0)
    return len(phrases) > 1 or longest >= 3
