"""A description → what it claims for its skill, what it leaves to others, and whom it names.

“Deploys a preview. Not for production: use deploy-release.” claims previews, not production, and
hands that over to another skill. Words that are only left to others must not count as claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skillgauge.document.vocabulary import words
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

MAX_TEXT: Final = 4_000
"""No client shows more of a description, by far."""

_SENTENCE: Final = lazy_pattern(r"[.!?](?=[\s)\]]|\Z)|[。！？]|[\r\n]+")
_NEGATIVE: Final = lazy_pattern(
    r"\b(?:do not|don['’]t|does not|doesn['’]t|must not|should not|never)\s+(?:ever\s+)?"
    r"(?:use|used|trigger|invoke|apply|load|activate|run|call|choose|pick|handle|cover)\b"
    r"|\bnot\s+(?:to be used|intended|meant|suitable|designed|needed|required)?\s*(?:for|when"
    r"|if|with)\b"
    r"|\bnot\s+(?:a|an)\s+(?:replacement|substitute)\b"
    r"|\bskip\s+(?:it\s+)?(?:if|when|for|this)\b|\bavoid\s+(?:for|when|using)\b"
    r"|\b(?:instead of|rather than|as opposed to|unlike|except (?:for|when)|out of scope)\b"
    r"|\bskip:|\b(?:not|do not|don['’]t)\b[^.\n]{0,20}:"
    r"|不要|不适用|不用于|請勿|请勿|ではなく|使わない",
)
_NEGATIVE_HINTS: Final = (
    "not ",
    "n't",
    "n’t",
    "never",
    "skip",
    "avoid",
    "instead of",
    "rather than",
    "opposed",
    "unlike",
    "except",
    "out of scope",
    "不",
    "请勿",
    "請勿",
    "ではなく",
    "使わない",
)
_HANDED_HINTS: Final = (
    "use ",
    "see ",
    "try ",
    "prefer",
    "invoke",
    "run ",
    "call ",
    "load ",
    "choose",
    "go to",
    "defer",
    "route",
    "belong",
    "handled",
    "covered",
    "→",
    "->",
    "=>",
    "[[",
)
_POSITIVE: Final = lazy_pattern(
    r"[;,—–(]\s*(?:but\s+)?(?:do\s+)?(?:use|used|trigger|invoke|apply)\s+"
    r"(?:(?:this|it|the skill)\s+)?(?:when|for|whenever|to|if|on)\b",
    re.IGNORECASE,
)
_NAME: Final = r"[`\"'“‘/@$\[]{0,3}(?P<name>[a-z0-9]+(?:[-_:/][a-z0-9]+)*)[`\"'”’\]]{0,3}"
_HANDED: Final = (
    # “use the x skill instead”, “see x”, “→ x”, “(use x)”, “[[x]]”: a name that ends its clause.
    lazy_pattern(
        r"(?:\b(?:use|see|try|prefer|invoke|run|call|load|choose|go to|defer to|route to"
        r"|belongs to|handled by|covered by)"
        r"|→|->|=>)\s*(?:the\s+|skill\s+)?" + _NAME + r"(?:\s+skill)?"
        r"(?=\s*(?:instead\b(?!\s+of)|for (?:that|those|this|it|these)\b|[.;,)）。]|\Z"
        r"|\s(?:or|and|/)\s))",
    ),
    lazy_pattern(
        r"\b(?:use|see|try|prefer|invoke)\s+(?:the\s+)?" + _NAME + r"\s+(?:skill|for)\b",
    ),
    lazy_pattern(r"\[\[" + _NAME + r"\]\]"),
)
_NO_NAMES: Final = words(
    "this that it them these those the a an any all when for to if on in only other another one"
)
_FOR: Final = lazy_pattern(r"(?:\A\s*|[;,(]\s*|\.\s+)(?:for|when|if|to)\s+[^;.]*\Z", re.IGNORECASE)
_QUOTED: Final = lazy_pattern(
    r"\"(?P<a>[^\"\n]{3,60})\"|“(?P<b>[^”\n]{3,60})”"
    r"|(?<![\w’'])'(?P<c>[^'\n]{3,60}?)[,.?!]?'(?!\w)|「(?P<d>[^」\n]{2,40})」"
)
_TRIGGERS: Final = lazy_pattern(
    r"\btriggers?(?: (?:on|phrases?|keywords?))?\s*[:—–-]\s*(?P<list>[^.\n]{3,600})", re.IGNORECASE
)
_PUNCTUATION: Final = lazy_pattern(r"[^\w\s/+#-]+")


@dataclass(frozen=True, slots=True)
class Handover:
    """A name to which a description hands something over; `span` is the name in the text."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Claims:
    """What a description says. Parts that are left to others stand in `left`."""

    claimed: tuple[str, ...]
    left: tuple[str, ...]
    handovers: tuple[Handover, ...]
    phrases: frozenset[str]
    """The example requests that it claims, in lower case: quoted ones and lists of triggers."""

    @property
    def head(self) -> str:
        """The first sentence, which says what the skill is."""
        return self.claimed[0] if self.claimed else ""


@lru_cache(maxsize=8_192)
def read_claims(text: str) -> Claims:
    """Read a description, its first MAX_TEXT characters; kept for the next one who asks."""
    text = text[:MAX_TEXT]
    quiet = _QUOTED.sub(lambda match: "x" * len(match[0]), text)  # no sentence ends in a quotation
    claimed: list[str] = []
    left: list[str] = []
    handovers: list[Handover] = []
    phrases: set[str] = set()
    for sentence in _sentences(quiet):
        part, at = text[sentence.start : sentence.end], 0
        for start, end in sorted(_cuts(part, quiet[sentence.start : sentence.end])):
            claimed.append(part[at:start])
            left.append(part[max(start, at) : end])
            at = max(at, end)
        claimed.append(part[at:])
        handovers.extend(_handovers(part, sentence.start))
    kept = tuple(part for part in (item.strip() for item in claimed) if part)
    for part in kept:
        phrases.update(_phrases(part))
    gone = tuple(item for item in left if item.strip())
    return Claims(kept, gone, tuple(handovers), frozenset(phrases))


def _sentences(text: str) -> Iterator[Span]:
    at = 0
    for stop in _SENTENCE.finditer(text):
        if stop.end() > at:
            yield Span(at, stop.end())
            at = stop.end()
    if at < len(text):
        yield Span(at, len(text))


def _cuts(sentence: str, quiet: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence that are left to others."""
    low = _lowered(quiet)
    if any(hint in low for hint in _NEGATIVE_HINTS):
        for match in _NEGATIVE.finditer(low):
            yield match.start(), _negative_end(quiet, match.end())
    for match in _named(sentence):
        if match[0][0] in "→-=":
            opened = max(quiet.rfind(mark, 0, match.start()) for mark in ",;(.:")
            yield opened + 1, match.end()
        else:
            before = _FOR.search(quiet, max(match.start() - 300, 0), match.start())
            yield (before.start() if before else match.start()), match.end()


def _handovers(sentence: str, offset: int) -> Iterator[Handover]:
    for match in _named(sentence):
        start, end = match.span("name")
        yield Handover(sentence[start:end], Span(start, end).shift(offset))


def _named(sentence: str) -> Iterator[re.Match[str]]:
    """Yield where a sentence sends its reader to another skill, each name once."""
    low = _lowered(sentence)
    if not any(hint in low for hint in _HANDED_HINTS):
        return
    seen: set[int] = set()
    for pattern in _HANDED:
        for match in pattern.finditer(low):
            if match.start("name") not in seen and match["name"] not in _NO_NAMES:
                seen.add(match.start("name"))
                yield match


def _lowered(text: str) -> str:
    """Return a text in lower case, as it is if that moved a character: faster to search."""
    low = text.lower()
    return low if len(low) == len(text) else text


def _negative_end(sentence: str, at: int) -> int:
    """Return where a negative clause ends: its bracket, a new “use when”, the sentence's end."""
    end = len(sentence)
    again = _POSITIVE.search(sentence, at)
    if again:
        end = again.start()
    depth = 0
    for place in range(at, end):
        if sentence[place] in "(（":
            depth += 1
        elif sentence[place] in ")）":
            depth -= 1
            if depth < 0:
                return place
    return end


def _phrases(part: str) -> Iterator[str]:
    for match in _QUOTED.finditer(part):
        yield normal(next(group for group in match.groups() if group))
    for match in _TRIGGERS.finditer(part):
        for item in re.split(r"[,;|、，]", match["list"]):
            phrase = normal(item)
            if 1 < len(phrase.split()) <= 6:
                yield phrase


def normal(phrase: str) -> str:
    """Return a phrase in lower case, without punctuation."""
    return " ".join(_PUNCTUATION.sub(" ", phrase.lower()).split())
