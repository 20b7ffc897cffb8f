"""Shell text → commands with a range for every word; nothing is expanded and nothing is run.

It reads what documents show as commands, so placeholders such as `<file>` are words, and a `$`
prompt at the start of a line is dropped. Bodies of here-documents and comments are no commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from skillgauge.text import Span


class Word(NamedTuple):
    """A word with its quotes removed; `span` is the word as written, quotes included."""

    span: Span
    text: str


class Command(NamedTuple):
    """One simple command; `written` are the files that its output is redirected to."""

    words: tuple[Word, ...]
    written: tuple[str, ...]


class Invocation(NamedTuple):
    """A script that a command runs; `interpreter` is empty for one that is run by its own name."""

    interpreter: str
    script: Word
    arguments: tuple[Word, ...]


MAX_WORDS: Final = 20_000
"""Words beyond that in one text are not looked at."""

_TOKEN: Final = re.compile(
    r"""
    (?P<blank>[ \t]+|\\\r?\n)
  | (?P<line>\r\n|\n|\r)
  | (?P<heredoc><<-?[ \t]*(?P<quote>['"]?)(?P<end>\w+)(?P=quote))
  | (?P<placeholder><[A-Za-z_][^<>\r\n]{0,60}>)
  | (?P<redirect>\d?(?:&>>?|>>|>&[\d-]?|>\||<<<|>|<))
  | (?P<stop>&&|\|\||;;|[;|&()`])
  | (?P<quoted>['"])
  | (?P<plain>(?:[^\s'"\\;|&()`<>]|\\[^\r\n])+)
    """,
    re.VERBOSE,
)
_ESCAPED: Final = re.compile(r"\\(.)")
_LINE_END: Final = re.compile(r"[\r\n]")
_ASSIGNMENT: Final = re.compile(r"\w+=")
_INTERPRETER: Final = re.compile(
    r"(?:.*/)?(?P<name>python(?:\d(?:\.\d+)?)?|py|bash|sh|zsh|dash|ksh|fish|source|\.|node|bun|bunx"
    r"|deno|tsx|ts-node|npx|pnpm|ruby|perl|php|lua|pwsh|powershell|Rscript|osascript|uv|uvx|poetry"
    r"|pipenv|conda|pdm|hatch)(?:\.exe)?\Z"
)
_PREFIXES: Final = frozenset(
    {
        "sudo",
        "time",
        "env",
        "exec",
        "command",
        "nohup",
        "then",
        "do",
        "else",
        "if",
        "while",
        "until",
    }
    | {"!", "$", "{"}
)
_SUBCOMMANDS: Final = frozenset({"run", "exec", "dlx", "x", "tool"})
SCRIPT: Final = re.compile(
    r"\.(?:py|pyw|sh|bash|zsh|fish|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1|r|R|applescript)\Z"
)
"""How the name of a script ends."""


class _Reader:
    """Collects words into commands."""

    def __init__(self, text: str, span: Span) -> None:
        self.text, self.at, self.end = text, span.start, span.end
        self.words: list[Word] = []
        self.written: list[str] = []
        self.parts: list[str] = []
        self.start = -1  # where the open word began
        self.redirected = False
        self.heredocs: list[str] = []
        self.unclosed: set[str] = set()  # quotation marks that occur no more

    def read(self) -> Iterator[Command]:
        for _ in range(MAX_WORDS):
            match = _TOKEN.match(self.text, self.at, self.end)
            if match is None:
                if self.at >= self.end:
                    break
                self.add(self.text[self.at], self.at, self.at + 1)
                continue
            kind = match.lastgroup or ""
            if kind == "end":
                kind = "heredoc"
            if kind == "plain":
                if self.start < 0 and match[0].startswith("#"):
                    self.comment()
                    continue
                word = match[0]
                self.add(_ESCAPED.sub(r"\1", word) if "\\" in word else word, *match.span())
            elif kind == "placeholder":
                self.add(match[0], *match.span())
            elif kind == "quoted":
                self.quoted(match[0])
            else:
                self.at = match.end()
                self.close_word(match.start())
                if kind == "heredoc":
                    self.heredocs.append(match["end"])
                elif kind == "redirect":
                    self.redirected = match[0].endswith((">", ">|"))
                elif kind in ("line", "stop"):
                    yield from self.close()
                    if kind == "line":
                        self.skip_heredocs()
        self.close_word(self.at)
        yield from self.close()

    def add(self, text: str, start: int, end: int) -> None:
        if self.start < 0:
            self.start = start
        self.parts.append(text)
        self.at = end

    def comment(self) -> None:
        line_end = _LINE_END.search(self.text, self.at, self.end)
        self.at = line_end.start() if line_end else self.end

    def quoted(self, mark: str) -> None:
        start = self.at
        stop = -1
        if mark not in self.unclosed:
            stop = self.text.find(mark, start + 1, self.end)
            if stop < 0:
                self.unclosed.add(mark)
        if stop < 0:
            self.add("", start, start + 1)
        else:
            self.add(self.text[start + 1 : stop], start, stop + 1)

    def close_word(self, end: int) -> None:
        if self.start < 0:
            return
        word = Word(Span(self.start, end), "".join(self.parts))
        if self.redirected:
            self.written.append(word.text)
        else:
            self.words.append(word)
        self.start, self.parts, self.redirected = -1, [], False

    def close(self) -> Iterator[Command]:
        if self.words or self.written:
            yield Command(tuple(self.words), tuple(self.written))
        self.words, self.written, self.redirected = [], [], False

    def skip_heredocs(self) -> None:
        for end in self.heredocs:
            pattern = re.compile(rf"^[ \t]*{re.escape(end)}[ \t]*\r?$", re.MULTILINE)
            found = pattern.search(self.text, self.at, self.end)
            self.at = found.end() if found else self.end
        self.heredocs = []


def read_commands(text: str, span: Span) -> tuple[Command, ...]:
    """Return the commands in a range of a text. Never raises."""
    return tuple(scan_commands(text, span))


def scan_commands(text: str, span: Span) -> Iterator[Command]:
    """Yield the commands in a range of a text, reading no further than is asked for."""
    return _Reader(text, span).read()


def invocation(command: Command) -> Invocation | None:
    """Return the script that a command runs, None if it runs none that has a path or an ending."""
    words = command.words
    index = 0
    while index < len(words) and (
        words[index].text in _PREFIXES or _ASSIGNMENT.match(words[index].text)
    ):
        index += 1
    if index == len(words):
        return None
    first = _INTERPRETER.match(words[index].text)
    if first is None:
        if "/" not in words[index].text:
            return None
        return Invocation("", words[index], words[index + 1 :])
    interpreter = first["name"]
    flagged = False
    for place in range(index + 1, min(index + 12, len(words))):
        text = words[place].text
        if text in ("-c", "-e", "-m", "--eval", "-"):
            return None
        inner = _INTERPRETER.match(text)
        if inner:
            interpreter = inner["name"]
        elif SCRIPT.search(text) and not text.startswith("-"):
            return Invocation(interpreter, words[place], words[place + 1 :])
        elif not (text.startswith("-") or flagged or text in _SUBCOMMANDS):
            return None  # the runner runs a tool, whose argument a script may be
        flagged = text.startswith("-")
    return None
