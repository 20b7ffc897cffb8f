"""What the text around a passage makes of it: an instruction, or a warning and an example.

Skills about security show what they warn of. A passage counts as cautioned against when its own
sentence, list item or table row, the comment above it in the code, the paragraph that leads into
it, or a heading over it says so.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

_BAD_WORDS: Final = (
    r"dangerous(?:ly)?|unsafe|insecure|malicious|malware|attack(?:s|ers?|ing)?|exploit(?:s"
    r"|ation|ed)?"
    r"|forbid(?:s|den)?|prohibit(?:s|ed|ions?)?|blocked|blocks|blocklist|denylist|den(?:y|ied|ies)"
    r"|reject(?:s|ed)?|refus(?:e|es|ed)|disallow(?:s|ed)?|suspicious|red flags?|flag(?:s|ged)? as"
    r"|anti-?patterns?|vulnerab\w+|injection|injected|jailbreaks?|exfiltrat\w+|threats?|risky"
    r"|destructive|irreversible|intercepts?|instead of|rather than|bad example|do not do|hostile"
    r"|untrusted|adversar\w+|poison\w*|phish\w*|steal(?:s|ing)?|hijack\w*|smuggl\w+|compromised?"
    r"|payloads?|backdoors?|pitfalls?|gotchas?|common mistakes?|what not to|warn(?:s|ings?)?"
    r"|危险|禁止|切勿|不要|攻击|恶意|绝不"
)
_NEGATED: Final = (
    r"(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|can ?not|can['’]t"
    r"|will not|won['’]t|may not|avoid|no)\b"
)
_MARKS: Final = r"❌|🚫|⛔|🔴|✗|✘|☠|\bBAD\b|\bWRONG\b|\bNEVER\b|\bDON['’]?T\b|\bINSECURE\b"
_CAUTION: Final = lazy_pattern(rf"\b(?:{_BAD_WORDS})\b", re.IGNORECASE)
_MARKED: Final = lazy_pattern(_MARKS)
_LOOKING: Final = lazy_pattern(
    r"\b(?:detect(?:s|ed|ion|ing)?|scan(?:s|ning)? for|look(?:s|ing)? for|grep for|search for"
    r"|watch(?:ed|ing)? (?:for|patterns?)|check(?:s|ing)? for|patterns? (?:to|that)|signatures?"
    r"|indicators?|catch(?:es)?|examples? of)\b",
    re.IGNORECASE,
)
_DEFENCE: Final = lazy_pattern(
    r"\b(?:detect|scan|audit|defen[cs]e|prevent|guard|shield|protect|review|red[- ]team)",
    re.IGNORECASE,
)
# A negation counts only for what it governs: “if you don't have uv, run …” forbids nothing.
_FORBIDS: Final = lazy_pattern(
    rf"\b{_NEGATED}(?:\W+(?:ever|just|simply|directly|blindly|automatically|under any \w+"
    r"|\w+ly))?\W*(?:\b(?:run|use|us|execut|pip|instal|download|fetch|allow|do|call|invok|issu|typ"
    r"|paste|curl|delet|remov|suggest|recommend|generat|writ|includ|accept|trust|follow|obey|send"
    r"|upload|post|shar|transmit|expos|leak|put|pass|let|ignor|disregard|override|bypass|hid"
    r"|conceal"
    r"|forward|force|push)\w*|\Z)",
    re.IGNORECASE,
)
_SENTENCE: Final = lazy_pattern(
    r"[.!?。！？](?=[\s*_\"”')]|\Z)|\n[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*\n|\n[ \t>]*(?=[-*+#|]"
    r"|\d+[.)][ \t])"
)
_COMMENT: Final = lazy_pattern(r"[ \t>]*(?:#|//|--|::|REM\b|<!--|/?\*|;)")
_TRAILING: Final = lazy_pattern(r"(?:[ \t]#|//)[^\n]*\Z")
_ITEM: Final = lazy_pattern(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]")
_LEAD: Final = 300


def cautioned(skill: Skill, span: Span) -> bool:
    """Return whether the text around warns against what stands at `span`, or shows it as bad."""
    return any(_warns(text) for text in _around(skill, span)) or _under_warning(skill, span.start)


def forbidden(before: str) -> bool:
    """Return whether a sentence, read up to a passage, forbids what comes."""
    return bool(_FORBIDS.search(before))


def sentence_around(skill: Skill, span: Span) -> Span:
    """Return the sentence (or list item, or table row) in which `span` stands."""
    source = skill.source
    low, high = max(span.start - 600, skill.body.start), min(span.end + 400, len(source))
    start = low
    for stop in _SENTENCE.finditer(source, low, span.start):
        start = stop.end()
    after = _SENTENCE.search(source, span.end, high)
    return Span(start, after.end() if after else high)


def _warns(text: str) -> bool:
    return bool(
        _CAUTION.search(text)
        or _MARKED.search(text)
        or _FORBIDS.search(text)
        or _LOOKING.search(text)
    )


def _around(skill: Skill, span: Span) -> Iterable[str]:
    markdown, source = skill.markdown, skill.source
    blocks = markdown.code_blocks
    index = bisect_right([block.span.start for block in blocks], span.start) - 1
    if index >= 0 and span.start < blocks[index].span.end:
        block = blocks[index]
        yield from _comments(source, block.content, span)
        yield _lead(skill, block.span.start)
        return
    for table in markdown.tables:
        if table.span.contains(span.start):
            yield _line(source, span.start)
            yield source[table.rows[0][0].start : table.rows[0][-1].end] if table.rows[0] else ""
            return
    around = sentence_around(skill, span)
    yield source[around.start : span.start]
    yield source[span.end : around.end]
    line = source.rfind("\n", 0, span.start) + 1
    if _ITEM.match(source, line):
        first = next((item.span for item in markdown.lists if item.span.contains(span.start)), None)
        if first is not None:
            yield _lead(skill, first.start)


def _comments(source: str, content: Span, span: Span) -> Iterable[str]:
    """Yield the comment behind the code on its line, and those right above it."""
    end = source.find("\n", span.end, content.end)
    trailing = _TRAILING.search(source[span.end : content.end if end < 0 else end])
    if trailing:
        yield trailing[0]
    at = source.rfind("\n", content.start, span.start) + 1 or content.start
    yield source[at : span.start]
    while at > content.start:
        before = source.rfind("\n", content.start, at - 1) + 1 or content.start
        text = source[before : at - 1]
        if not text.strip():
            return
        if _COMMENT.match(text):
            yield text
        at = before


def _lead(skill: Skill, at: int) -> str:
    """Return the last paragraph before a block, if nothing but blanks stands between."""
    text = skill.source[max(at - _LEAD, skill.body.start) : at].rstrip()
    paragraph = re.split(r"\n[ \t>]*\n", text)[-1]
    return "" if "```" in paragraph or "~~~" in paragraph else paragraph


def _line(source: str, at: int) -> str:
    end = source.find("\n", at)
    return source[source.rfind("\n", 0, at) + 1 : len(source) if end < 0 else end]


def _under_warning(skill: Skill, at: int) -> bool:
    """Return whether a heading above says that what follows is bad.

    A title is what the author calls the skill: it counts only where it names a defence.
    """
    sections = skill.markdown.sections
    section = skill.markdown.section_at(at)
    while section is not None:
        text = section.heading.text
        warns = _CAUTION.search(text) or _MARKED.search(text) or _FORBIDS.search(text)
        if warns and (section.heading.level > 1 or _DEFENCE.search(text)):
            return True
        section = sections[section.parent] if section.parent is not None else None
    return False
