"""Where a document names files outside of links: in code spans, in prose, in shell commands."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator
from typing import Final, Literal, NamedTuple

from skillgauge.document.markdown import Markdown
from skillgauge.document.paths import has_ending
from skillgauge.document.shell import (
    SCRIPT,
    Command,
    Invocation,
    invocation,
    read_commands,
    scan_commands,
)
from skillgauge.text import Span

SHELLS: Final = frozenset(
    {"bash", "sh", "shell", "zsh", "fish", "console", "terminal", "shell-session", "shellsession"}
    | {"powershell", "pwsh", "ps1", "bat", "cmd", "batch"}
)
"""The languages of fences that hold commands."""

Place = Literal["code", "bare", "fence"]
"""A code span, prose, or a fence."""


class Mention(NamedTuple):
    """A path as written; `root` is what stands before it: `~/`, `{baseDir}/`, `@`, `/`, nothing."""

    span: Span
    text: str
    root: str
    place: Place
    invocation: Invocation | None = None


_RUN: Final = re.compile(r"[\w+-]*+[./][\w+./-]*", re.ASCII)
_SIGNS: Final = frozenset("_+./-")
"""Characters of a path besides ASCII letters and digits."""
_ROOT: Final = re.compile(
    r"(?:~|\$\{?\w+\}?|\{\{?[ ]?[\w -]{1,24}[ ]?\}?\}|<[\w -]{1,24}>)\Z", re.ASCII
)
_WORDS: Final = re.compile(r"\w[./]\w|\w/")
_NO_PATH_AFTER: Final = frozenset("\\:%$#&=?")
"""Characters before a run that make it part of something else: a URL, an escape, a variable."""
_GOES_ON: Final = frozenset("*{<[$…\\@~")
"""Characters behind a run that show a pattern, not a path."""


class Hints:
    """Where slashes and the `names` stand in a text: cheaper than to look at every word.

    They are looked for once, since a document has many pieces of code, most without a path.
    """

    def __init__(self, text: str, names: Collection[str] = ()) -> None:
        """Look for them in the whole text."""
        found: list[tuple[int, int]] = []
        for sign in ("/", *names):
            at = text.find(sign)
            while at >= 0:
                end = at + len(sign)
                found.append((at, end))
                at = text.find(sign, end)
        self.found = sorted(found)

    def within(self, span: Span) -> list[int]:
        """Return where those begin that lie in a range, in order."""
        found = self.found
        index = bisect_left(found, (span.start, 0))
        starts: list[int] = []
        while index < len(found) and found[index][0] < span.end:
            start, end = found[index]
            if end <= span.end:
                starts.append(start)
            index += 1
        return starts


def in_text(source: str, span: Span, place: Place, hints: Hints) -> Iterator[Mention]:
    """Yield whatever looks like a path in a range of a text, where there are hints of one."""
    at = span.start
    for hint in hints.within(span):
        if hint < at:
            continue
        start = hint
        while start > at and (source[start - 1] in _SIGNS or source[start - 1].isalnum()):
            if not source[start - 1].isascii():
                break
            start -= 1
        match = _RUN.match(source, start, span.end)
        if match is None:
            continue
        at = match.end()
        found = _mention(source, span, match, place)
        if found is not None:
            yield found


def _mention(source: str, span: Span, match: re.Match[str], place: Place) -> Mention | None:
    start, end = match.span()
    text = match[0].rstrip(".+-")
    goes_on = end < span.end and source[end] in _GOES_ON
    if goes_on and (len(text) < end - start or not has_ending(text)):
        return None
    if not _WORDS.search(text) or text.startswith("//"):
        return None
    before = source[start - 1] if start > span.start else " "
    root = ""
    if text[0] == "/":
        found = _ROOT.search(source, max(start - 40, span.start), start)
        root = (found[0] if found else "") + "/"
        if not found and (before in _NO_PATH_AFTER or before in "}>"):
            return None
        start, text = start + 1, text[1:]
    elif before == "@":
        if start - 2 >= span.start and (source[start - 2].isalnum() or source[start - 2] in "._"):
            return None
        root = "@"
    elif before == "$":
        name, _, text = text.partition("/")
        root, start = f"${name}/", start + len(name) + 1
    elif before in _NO_PATH_AFTER and before != "=":
        return None
    return Mention(Span(start, start + len(text)), text, root, place) if text else None


def mentions(
    markdown: Markdown, names: Collection[str], wanted: Callable[[Mention], bool]
) -> Iterator[Mention]:
    """Yield the paths that a document names in code spans, prose and shell fences, unordered.

    `names` are the files that may be named without a folder. Only what is `wanted` is looked at
    closely. Text inside links is left out: the link says where it leads. Of a fence without a
    language only the scripts that are run are taken.
    """
    links = _Cover([link.span for link in markdown.links])
    text, prose = markdown.text, markdown.prose
    for mention in in_text(prose, markdown.body, "bare", Hints(prose, names)):
        if wanted(mention) and not links.holds(mention.span.start):
            yield mention
    hints = Hints(text, names)
    for code in markdown.code_spans:
        if not hints.within(code.content):
            continue
        found = [item for item in in_text(text, code.content, "code", hints) if wanted(item)]
        if found and not links.holds(code.span.start):
            yield from _with_commands(text, code.content, found)
    for block in markdown.code_blocks:
        language = block.language
        if language in SHELLS or not language:
            found = [item for item in in_text(text, block.content, "fence", hints) if wanted(item)]
            if found:
                found = _with_commands(text, block.content, found)
                yield from (item for item in found if language or _is_command(text, item))


class _Cover:
    """Tells whether an offset lies in one of several ranges; nested ranges count as the outer."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans: list[Span] = []
        for span in sorted(spans):
            if not self.spans or span.start >= self.spans[-1].end:
                self.spans.append(span)
        self.starts = [span.start for span in self.spans]

    def holds(self, offset: int) -> bool:
        index = bisect_right(self.starts, offset) - 1
        return index >= 0 and offset < self.spans[index].end


def _with_commands(source: str, span: Span, found: list[Mention]) -> Iterator[Mention]:
    """Yield mentions of a piece of code, those of a script that is run with their command."""
    runs: dict[int, Invocation] = {}
    place = found[0].place
    if place == "fence" or any(
        mark in source[span.start : span.end].strip() for mark in (" ", "./")
    ):
        last = found[-1].span.end
        for command in scan_commands(source, span):
            if command.words and command.words[0].span.start > last:
                break  # what follows runs none of them
            run = invocation(command)
            if run and (run.interpreter or _runs_itself(run, place)):
                runs[run.script.span.end] = run
    for mention in found:
        run = runs.get(mention.span.end) or runs.get(mention.span.end + 1)
        yield mention._replace(invocation=run) if run else mention


def _is_command(source: str, mention: Mention) -> bool:
    """Return whether a script in a fence without a language is run: it may be a drawing as well."""
    run = mention.invocation
    if run is None or run.interpreter:
        return run is not None
    line = max(source.rfind("\n", 0, mention.span.start), source.rfind("\r", 0, mention.span.start))
    return source[line + 1 : run.script.span.start].strip() in ("", "$")


def _runs_itself(run: Invocation, place: Place) -> bool:
    """Return whether a path alone is meant as a command and not as the name of a file."""
    text = run.script.text
    if place == "fence":
        return bool(SCRIPT.search(text)) or "." not in text.rpartition("/")[2]
    return bool(SCRIPT.search(text)) and (text.startswith("./") or bool(run.arguments))


_MAKES: Final = re.compile(r"\b(?:mkdir|touch|tee|install|cp|mv|ln)\b|>")
_TO_LAST: Final = frozenset({"install", "cp", "mv", "ln"})


def created(markdown: Markdown) -> frozenset[str]:
    """Return the paths that the commands of a document create, as written."""
    found: set[str] = set()
    text = markdown.text
    spans = [
        block.content
        for block in markdown.code_blocks
        if block.language in SHELLS or not block.language
    ]
    spans += [code.content for code in markdown.code_spans if " " in code.text.strip()]
    for span in spans:
        if _MAKES.search(text, span.start, span.end):
            for command in read_commands(text, span):
                found.update(_made(command))
    return frozenset(path.removeprefix("./").rstrip("/") for path in found)


def _made(command: Command) -> Iterator[str]:
    yield from command.written
    words = [word.text for word in command.words if word.text not in ("$", "sudo")]
    if len(words) < 2:
        return
    if words[0] in _TO_LAST:
        yield words[-1]
    elif words[0] in ("mkdir", "touch", "tee"):
        yield from (word for word in words[1:] if not word.startswith("-"))
