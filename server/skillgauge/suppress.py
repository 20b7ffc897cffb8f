"""Comments that silence rules: `<!-- skillgauge: ignore CODE -->`, `# skillgauge: ignore CODE`.

On a line with text the comment silences that line; alone on its line, the block or frontmatter
entry that follows. `ignore-file` silences the whole file. Codes, prefixes and names are taken, more
than one with commas; what follows them is the author's reason.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding
from skillgauge.text import Span

MARK: Final = "skillgauge:"
"""What every such comment holds: a text without it has none."""

MAX_CODES: Final = 500
"""Codes in the comments of one document; those beyond are not read."""

_COMMENT: Final = re.compile(
    r"(?P<open><!--|\#)[ \t]*skillgauge:[ \t]*(?P<verb>ignore-file|ignore)\b[ \t:]*"
    r"(?P<rest>[^\r\n>]*)>?"
)
_CODES: Final = re.compile(r"[A-Za-z][\w-]*(?:[ \t]*,[ \t]*[A-Za-z][\w-]*)*")
_CODE: Final = re.compile(r"[\w-]+")


@dataclass(slots=True)
class Suppression:
    """One code of one comment, and what it covers. `code` is "" for a comment that names none."""

    code: str
    at: Span
    comment: Span
    covers: Span
    used: bool = False

    def selects(self, code: str, name: str) -> bool:
        """Return whether a rule is meant: by its name, its code or the beginning of that."""
        return name == self.code or (self.code[:1].isupper() and code.startswith(self.code))

    def matches(self, finding: Finding) -> bool:
        """Return whether a finding is suppressed."""
        start = finding.span.start
        inside = self.covers.start <= start <= self.covers.end
        return inside and self.selects(finding.code, finding.rule)


@dataclass(slots=True)
class Suppressions:
    """All that a document suppresses, and by which rules it was judged."""

    skill: Skill
    known: Mapping[str, str]
    """The names of all rules, each with its code."""
    enabled: Collection[str]
    """The codes of the rules that ran."""
    items: list[Suppression] = field(default_factory=list[Suppression])

    @classmethod
    def read(cls, skill: Skill, known: Mapping[str, str], enabled: Collection[str]) -> Suppressions:
        """Find the comments of a document; those inside code are no comments."""
        found = cls(skill, known, enabled)
        blocks: list[Span] | None = None
        for match in _COMMENT.finditer(skill.source):
            if len(found.items) >= MAX_CODES:
                break
            comment = Span(*match.span())
            if match["open"] == "#":
                comment = Span(comment.start, skill.text.line_span(_line(skill, comment)).end)
            elif not match[0].endswith("-->"):
                continue
            if not _is_comment(skill, match):
                continue
            covers = Span(0, len(skill.source))
            if match["verb"] == "ignore":
                blocks = _blocks(skill) if blocks is None else blocks
                covers = _covered(skill, comment, blocks)
            codes = _CODES.match(match["rest"].removesuffix("--"))
            for code in _CODE.finditer(codes[0] if codes else ""):
                at = Span(*code.span()).shift(match.start("rest"))
                found.items.append(Suppression(code[0], at, comment, covers))
            if codes is None:
                found.items.append(Suppression("", comment, comment, covers))
        return found

    def covers(self, finding: Finding) -> bool:
        """Return whether a finding is suppressed, and remember what suppressed it."""
        hit = False
        for item in self.items:
            if item.matches(finding):
                item.used = hit = True
        return hit

    def codes(self, item: Suppression) -> list[str]:
        """Return the codes of the rules that a suppression means; none if it means nothing."""
        return [code for name, code in self.known.items() if item.selects(code, name)]


def _line(skill: Skill, span: Span) -> int:
    return skill.text.line_of(span.start)


def _is_comment(skill: Skill, match: re.Match[str]) -> bool:
    start = match.start()
    if start < skill.body.start:
        before = skill.text.line(skill.text.line_of(start))[: skill.text.position(start).column]
        return match[0].startswith("#") and (not before.strip() or before[-1:] in " \t")
    return match[0].startswith("<!--") and not skill.markdown.in_code(start)


def _covered(skill: Skill, comment: Span, blocks: list[Span]) -> Span:
    here = skill.text.line_span(_line(skill, comment))
    rest = skill.source[here.start : comment.start] + skill.source[comment.end : here.end]
    if rest.strip(" \t>-*+#"):
        return here
    if comment.start < skill.body.start and skill.frontmatter:
        spans = [entry.span for entry in skill.frontmatter.entries]
        spans += [broken.span for broken in skill.frontmatter.broken]
        return min((span for span in spans if span.start >= comment.end), default=here)
    after = bisect_left(blocks, Span(comment.end, 0))
    if after == len(blocks):
        return here
    # Of the blocks that begin there, the one with the others in it: the longest is the last.
    behind = bisect_left(blocks, Span(blocks[after].start + 1, 0), lo=after)
    return blocks[behind - 1]


def _only(skill: Skill, span: Span) -> bool:
    """Return whether a block is nothing but one of our comments: it silences what is below it."""
    return _COMMENT.fullmatch(skill.text.slice(span).strip()) is not None


def _blocks(skill: Skill) -> list[Span]:
    """Return the blocks of the body, sorted."""
    found = skill.markdown
    groups = (
        [item.span for item in found.headings],
        [item.span for item in found.code_blocks],
        [item.span for item in found.tables],
        [item.span for item in found.lists],
        [item.span for item in found.html if not item.inline and not _only(skill, item.span)],
        found.paragraphs,
        found.quotes,
    )
    return sorted(span for group in groups for span in group)


def suppression(skill: Skill, finding: Finding) -> Edit:
    """Return the edit that silences a finding where it stands: a comment above its block or entry.

    A finding about the file as a whole gets an `ignore-file` comment.
    """
    code, at = finding.code, finding.span.start
    front = skill.frontmatter
    newline = _newline(skill.source)
    if front and front.inner.start <= at < front.inner.end:
        spans = [item.span for item in (*front.entries, *front.broken)]
        start = max((span.start for span in spans if span.start <= at), default=at)
        line = skill.text.line_span(skill.text.line_of(start)).start
        return Edit(Span(line, line), f"# skillgauge: ignore {code}{newline}")
    around = [span for span in _blocks(skill) if span.start <= at <= span.end]
    if around and at >= skill.body.start:
        start = min(span.start for span in around)
        line = skill.text.line_span(skill.text.line_of(start)).start
        return Edit(Span(line, line), f"<!-- skillgauge: ignore {code} -->{newline}")
    comment = f"<!-- skillgauge: ignore-file {code} -->{newline}"
    if front and front.closed:
        return Edit(Span(front.span.end, front.span.end), comment)
    end = len(skill.source)
    gap = "" if skill.source.endswith(("\n", "\r")) else newline
    return Edit(Span(end, end), gap + comment)


def _newline(source: str) -> str:
    match = re.search(r"\r\n|\n|\r", source)
    return match[0] if match else "\n"
