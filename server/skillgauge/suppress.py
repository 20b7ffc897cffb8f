"""Comments that silence rules: `<!-- skillgauge: ignore CODE -->`, `# skillgauge: ignore CODE`.

On a line with text the comment silences that line; alone on its line, the block or frontmatter
entry that follows. `ignore-file` silences the whole file. Codes, prefixes and names are taken, more
than one with commas.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix
from skillgauge.rules import by_key
from skillgauge.text import Span

_COMMENT: Final = re.compile(
    r"(?:<!--|\#)[ \t]*skillgauge:[ \t]*(?P<verb>ignore-file|ignore)\b[ \t:]*"
    r"(?P<codes>[^\r\n>]*?)[ \t]*(?:-->|(?=[\r\n])|\Z)"
)
_CODE: Final = re.compile(r"[\w-]+")


@dataclass(slots=True)
class _Suppression:
    """One code of one comment, and what it covers."""

    code: str
    at: Span
    comment: Span
    covers: Span
    used: bool = False

    def matches(self, finding: Finding) -> bool:
        by_code = self.code[0].isupper() and finding.code.startswith(self.code)
        if not (by_code or finding.rule == self.code):
            return False
        start = finding.span.start
        return self.covers.start <= start <= self.covers.end


@dataclass(slots=True)
class Suppressions:
    """All that a document suppresses."""

    items: list[_Suppression] = field(default_factory=list[_Suppression])

    @classmethod
    def read(cls, skill: Skill) -> Suppressions:
        """Find the comments of a document; those inside code are no comments."""
        found = cls()
        for match in _COMMENT.finditer(skill.source):
            if not _is_comment(skill, match):
                continue
            covers = Span(0, len(skill.source))
            if match["verb"] == "ignore":
                covers = _covered(skill, Span(*match.span()))
            for code in _CODE.finditer(match["codes"]):
                at = Span(*code.span()).shift(match.start("codes"))
                found.items.append(_Suppression(code[0], at, Span(*match.span()), covers))
        return found

    def covers(self, finding: Finding) -> bool:
        """Return whether a finding is suppressed, and remember what suppressed it."""
        hit = False
        for item in self.items:
            if item.matches(finding):
                item.used = hit = True
        return hit

    def unknown(self) -> Iterator[Finding]:
        """Yield the codes that no rule has."""
        for item in self.items:
            if not _known(item.code):
                yield Finding(
                    item.at, f"No rule is called “{item.code}”; this comment suppresses nothing."
                )

    def unused(self, enabled: Collection[str]) -> Iterator[Finding]:
        """Yield the codes of enabled rules that had nothing to suppress."""
        for item in self.items:
            codes = [rule.code for key, rule in by_key().items() if _is(item.code, key, rule.code)]
            if not item.used and any(code in enabled for code in codes):
                alone = sum(other.comment == item.comment for other in self.items) == 1
                fix = Fix("Remove the comment", (Edit(item.comment, ""),)) if alone else None
                yield Finding(
                    item.at,
                    f"Nothing here needs “{item.code}” suppressed; remove it.",
                    fix,
                    tags=("unnecessary",),
                )


def _is(selector: str, key: str, code: str) -> bool:
    return key == selector or (selector[0].isupper() and code.startswith(selector))


def _known(selector: str) -> bool:
    return any(_is(selector, key, rule.code) for key, rule in by_key().items())


def _is_comment(skill: Skill, match: re.Match[str]) -> bool:
    start = match.start()
    if start < skill.body.start:
        before = skill.text.line(skill.text.line_of(start))[: skill.text.position(start).column]
        return match[0].startswith("#") and (not before.strip() or before[-1:] in " \t")
    return match[0].startswith("<!--") and not skill.markdown.in_code(start)


def _covered(skill: Skill, comment: Span) -> Span:
    line = skill.text.line_of(comment.start)
    here = skill.text.line_span(line)
    rest = skill.source[here.start : comment.start] + skill.source[comment.end : here.end]
    if rest.strip(" \t>-*+#"):
        return here
    if comment.start < skill.body.start and skill.frontmatter:
        spans = [entry.span for entry in skill.frontmatter.entries]
        spans += [broken.span for broken in skill.frontmatter.broken]
        return min((span for span in spans if span.start >= comment.end), default=here)
    return _block_after(skill, comment.end, here)


def _only(skill: Skill, span: Span) -> bool:
    """Return whether a block is nothing but one of our comments: it silences what is below it."""
    return _COMMENT.fullmatch(skill.text.slice(span).strip()) is not None


def _blocks(skill: Skill) -> list[Span]:
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
    return [span for group in groups for span in group]


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


def _block_after(skill: Skill, offset: int, default: Span) -> Span:
    after = [span for span in _blocks(skill) if span.start >= offset]
    if not after:
        return default
    first = min(span.start for span in after)
    return max((span for span in after if span.start == first), key=lambda span: span.end)
