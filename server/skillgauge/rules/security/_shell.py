"""Shell commands in a skill's code: parsed, so that a pipe is told from a quoted bar.

Only the lines on which a rule's needle stands are parsed, each on its own, with continued lines
joined. That is no whole shell, but enough to know which program gets what.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillgauge.document.markdown import CodeBlock, CodeSpan
from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rules.security._find import places, words
from skillgauge.rules.security._words import Pipeline, parse
from skillgauge.text import Span

SHELLS: Final = words(
    """
    sh bash shell zsh ksh dash fish console terminal shell-session shellsession sh-session
    bash-session shellscript powershell ps1 ps pwsh cmd bat batch dos text txt plaintext plain
    makefile make ! tape
    """
)
"""Info strings of code that is, or may be, shell; a block without one may be too."""

MAX_LINE: Final = 4_000
_CONTINUED: Final = lazy_pattern(r"[\\`^][ \t]*\Z")
_PROMPT: Final = lazy_pattern(
    r"[ \t>]*(?:(?:[$%❯➜]|PS(?:[ \t][^>\n]{0,60})?>|[A-Za-z]:\\[^>\n]{0,60}>|RUN)[ \t]+)?[@!-]?"
)
_CALLED: Final = lazy_pattern(
    r"(?:os\.(?:system|popen)|subprocess\.\w+|child_process\.\w+|exec(?:Sync)?|spawn(?:Sync)?"
    r"|system|popen|shell_exec|passthru|check_output|check_call)"
    r"\s*\(\s*[rbf]{0,2}(?P<quote>\"\"\"|'''|[\"'`])(?P<shell>[^\n]{1,1000}?)(?P=quote)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of shell code; `pipelines` has those inside substitutions and quotes too."""

    span: Span
    pipelines: tuple[Pipeline, ...]
    block: CodeBlock | None
    """The code block around it; None in a code span."""


def find_lines(
    skill: Skill, needles: tuple[str, ...], shape: re.Pattern[str] | None = None
) -> Iterator[Line]:
    """Yield each line of shell code in the body on which a word of `needles` begins, once.

    Plain words are found ten times as fast as a pattern. Parsing is dear too: lines around which
    `shape` does not match are passed over.
    """
    source = skill.source
    found = places(source, needles, skill.body.start)
    if not found:
        return
    markdown = skill.markdown
    blocks = [block.content.start for block in markdown.code_blocks]
    spans = [code.content.start for code in markdown.code_spans]
    behind = -1
    for at in found:
        if at < behind:
            continue
        if shape is not None and not shape.search(source, *_physical(source, at)):
            continue
        index = bisect_right(blocks, at) - 1
        if index >= 0 and at < markdown.code_blocks[index].content.end:
            line = _in_block(source, markdown.code_blocks[index], at)
        else:
            index = bisect_right(spans, at) - 1
            if index < 0 or at >= markdown.code_spans[index].content.end:
                continue
            line = _in_span(skill, markdown.code_spans[index])
        if line is not None:
            behind = line.span.end
            yield line


def _in_block(source: str, block: CodeBlock, at: int) -> Line | None:
    span = _logical(source, block.content, at)
    if block.language and block.language not in SHELLS:
        return _in_call(source, block, span, at)
    prompt = _PROMPT.match(source, span.start, span.end)
    start = prompt.end() if prompt else span.start
    return Line(span, parse(source[start : min(span.end, start + MAX_LINE)], start), block)


def _in_call(source: str, block: CodeBlock, line: Span, at: int) -> Line | None:
    """Read the string that code in another language hands to a shell."""
    for call in _CALLED.finditer(source, line.start, line.end):
        span = Span(*call.span("shell"))
        if span.contains(at):
            return Line(span, parse(call["shell"], span.start), block)
    return None


def _in_span(skill: Skill, code: CodeSpan) -> Line:
    source = skill.source[code.content.start : min(code.content.end, code.content.start + MAX_LINE)]
    if any(table.span.contains(code.span.start) for table in skill.markdown.tables):
        source = source.replace("\\|", " |")  # the bar is escaped for the table's sake
    prompt = _PROMPT.match(source)
    start = prompt.end() if prompt else 0
    return Line(code.content, parse(source[start:], code.content.start + start), None)


def _physical(source: str, at: int) -> tuple[int, int]:
    """Return the line around `at` and two more: enough for a pipe that goes on below."""
    start = end = at
    for _ in range(2):
        start = source.rfind("\n", 0, max(start - 1, 0)) + 1
    for _ in range(3):
        end = _line_end(source, end + 1, len(source))
    return start, min(end, at + MAX_LINE)


def _logical(source: str, within: Span, at: int) -> Span:
    """Return the line around `at` with the lines that it continues and that continue it."""
    start = source.rfind("\n", within.start, at) + 1 or within.start
    while start > within.start:
        before = source.rfind("\n", within.start, start - 1) + 1 or within.start
        if not _CONTINUED.search(source[before : start - 1].rstrip("\r")):
            break
        start = before
    end = _line_end(source, at, within.end)
    while end < within.end and _CONTINUED.search(source[start:end].rstrip("\r")):
        end = _line_end(source, end + 1, within.end)
    return Span(start, end)


def _line_end(source: str, at: int, limit: int) -> int:
    end = source.find("\n", at, limit)
    return limit if end < 0 else end
