"""One line of shell text → pipelines of commands, each word with its range. Never raises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from skillgauge.patterns import lazy_pattern
from skillgauge.rules.security._find import words
from skillgauge.text import Span

MAX_DEPTH: Final = 5

_ASSIGNMENT: Final = lazy_pattern(r"[A-Za-z_]\w*\+?=")
_OPERATOR: Final = lazy_pattern(r"\|\||&&|\|&|;;|[|;&\n]")
_REDIRECT: Final = lazy_pattern(r"\d*(?:<<<|<<-?|>>|>&|&>|>\||<>|[<>](?!\())")
_PLAIN: Final = lazy_pattern(r"[^\s|;&<>'\"`\\$()]+")
_WRAPPERS: Final = words(
    """
    sudo doas env time nice nohup exec command builtin stdbuf timeout xargs then do else if ! {
    """
)
_TAKES_VALUE: Final = words("-u -g -n -I -P -L -s")
_SHELLS: Final = words("sh bash zsh dash ksh ash fish su")
_POWERSHELLS: Final = words("powershell pwsh powershell.exe pwsh.exe")
_SHELL_OPTION: Final = lazy_pattern(r"-[a-z]*c\Z")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, quotes removed. `inner` holds what is substituted in it, with `$(` or `<(`."""

    text: str
    span: Span
    quoted: bool
    inner: tuple[tuple[str, tuple[Pipeline, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command. `words[0]` is the program; assignments and wrappers are taken off."""

    span: Span
    words: tuple[Word, ...]
    redirects: tuple[tuple[str, Word], ...]

    @property
    def program(self) -> str:
        """The program's own name, in lower case, without its folder."""
        return self.words[0].text.rsplit("/", 1)[-1].lower() if self.words else ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        """The words behind the program."""
        return self.words[1:]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by pipes."""

    commands: tuple[Command, ...]

    @property
    def span(self) -> Span:
        """From the first command to the last."""
        return Span(self.commands[0].span.start, self.commands[-1].span.end)


def parse(text: str, at: int = 0, depth: int = 0) -> tuple[Pipeline, ...]:
    """Return the pipelines of `text`, and those nested in its words, the outer ones first."""
    reader = _Reader(text, at, depth)
    reader.script("")
    return tuple(reader.found)


class _Reader:
    """Reads left to right; `found` is what it saw."""

    def __init__(self, text: str, at: int, depth: int) -> None:
        self.text, self.at, self.depth = text, at, depth
        self.pos = 0
        self.found: list[Pipeline] = []

    def script(self, closer: str) -> tuple[Pipeline, ...]:
        """Read commands up to `closer` or the end."""
        top: list[Pipeline] = []
        commands: list[Command] = []
        while True:
            command = self.command(closer)
            if command is not None:
                commands.append(command)
            rest = self.text[self.pos : self.pos + 2]
            operator = _OPERATOR.match(rest)
            if operator and operator[0] in ("|", "|&") and commands:
                self.pos += len(operator[0])
                continue
            if commands:
                top.append(Pipeline(tuple(commands)))
                commands = []
            if operator is None:
                break
            self.pos += len(operator[0])
        self.found[:0] = top
        if closer and self.text.startswith(closer, self.pos):
            self.pos += 1
        return tuple(top)

    def command(self, closer: str) -> Command | None:
        words: list[Word] = []
        redirects: list[tuple[str, Word]] = []
        start = -1
        while True:
            self.blanks()
            if self.pos >= len(self.text):
                break
            char = self.text[self.pos]
            if closer and char == closer:
                break
            redirect = _REDIRECT.match(self.text, self.pos)
            if redirect:
                start = self.pos if start < 0 else start
                self.pos = redirect.end()
                self.blanks()
                word = self.word(closer)
                if word is not None:
                    redirects.append((redirect[0].lstrip("0123456789"), word))
                continue
            if _OPERATOR.match(self.text, self.pos):
                break
            if char == "#":
                self.pos = len(self.text)
                break
            if char == "(" and not words:
                self.pos += 1
                if self.depth < MAX_DEPTH:
                    self.script(")")
                continue
            start = self.pos if start < 0 else start
            word = self.word(closer)
            if word is None:
                self.pos += 1  # a stray character, such as an unbalanced parenthesis
                continue
            words.append(word)
        words = _strip(words)
        if not words and not redirects:
            return None
        end = max(word.span.end for word in [*words, *(word for _, word in redirects)])
        begin = words[0].span.start if words else self.at + start
        command = Command(Span(begin, end), tuple(words), tuple(redirects))
        self.quoted_scripts(command)
        return command

    def quoted_scripts(self, command: Command) -> None:
        """Read the string that a shell is told to run."""
        if self.depth >= MAX_DEPTH:
            return
        words = command.words
        for index, word in enumerate(words[:-1]):
            name = word.text.rsplit("/", 1)[-1].lower()
            following = words[index + 1]
            if name in _SHELLS and index + 2 < len(words):
                if _SHELL_OPTION.match(following.text):
                    self.nested(words[index + 2])
            elif name in _POWERSHELLS:
                for option, value in zip(words[index + 1 :], words[index + 2 :], strict=False):
                    if option.text.lower() in ("-c", "-command"):
                        self.nested(value)
            elif name in ("eval", "ssh") and index == 0:
                self.nested(words[-1])

    def nested(self, word: Word) -> None:
        if word.quoted and " " in word.text:
            source = self.text[word.span.start - self.at : word.span.end - self.at]
            inside = source[1:-1] if source[:1] in "\"'" else source
            self.found.extend(parse(inside, word.span.start + 1, self.depth + 1))

    def blanks(self) -> None:
        while self.pos < len(self.text):
            if self.text[self.pos] in " \t\r":
                self.pos += 1
            elif self.text.startswith(("\\\n", "\\\r\n"), self.pos):
                self.pos = self.text.index("\n", self.pos) + 1
            else:
                return

    def word(self, closer: str) -> Word | None:
        """Read one word; None where none begins."""
        start = self.pos
        parts: list[str] = []
        inner: list[tuple[str, tuple[Pipeline, ...]]] = []
        quoted = False
        while self.pos < len(self.text):
            char = self.text[self.pos]
            if char.isspace() or char == closer or _OPERATOR.match(self.text, self.pos):
                break
            if char == "'":
                end = self.text.find("'", self.pos + 1)
                end = len(self.text) if end < 0 else end
                parts.append(self.text[self.pos + 1 : end])
                self.pos, quoted = end + 1, True
            elif char == '"':
                quoted = True
                self.double(parts, inner)
            elif char == "\\":
                escaped = self.text[self.pos + 1 : self.pos + 2].strip("\r\n")
                parts.append(escaped)
                self.pos += 1 + len(escaped)
                if not escaped:
                    break
            elif self.text.startswith(("$(", "<(", ">("), self.pos):
                self.substitution(parts, inner)
            elif char in "<>":
                break
            elif char in "()" and self.pos == start:
                if char == ")":
                    return None
                parts.append(char)
                self.pos += 1
            else:
                plain = _PLAIN.match(self.text, self.pos)
                end = plain.end() if plain else self.pos + 1
                parts.append(self.text[self.pos : end])
                self.pos = end
        self.pos = min(self.pos, len(self.text))
        if self.pos == start:
            return None
        span = Span(start, self.pos).shift(self.at)
        return Word("".join(parts), span, quoted, tuple(inner))

    def double(self, parts: list[str], inner: list[tuple[str, tuple[Pipeline, ...]]]) -> None:
        """Read a string in double quotes, with the substitutions in it."""
        self.pos += 1
        while self.pos < len(self.text):
            char = self.text[self.pos]
            if char == '"':
                self.pos += 1
                return
            if char == "\\":
                parts.append(self.text[self.pos + 1 : self.pos + 2])
                self.pos += 2
            elif self.text.startswith("$(", self.pos):
                self.substitution(parts, inner)
            else:
                parts.append(char)
                self.pos += 1

    def substitution(self, parts: list[str], inner: list[tuple[str, tuple[Pipeline, ...]]]) -> None:
        """Read `$( … )` or `<( … )`."""
        start = self.pos
        kind = self.text[start : start + 2]
        self.pos += 2
        if self.depth < MAX_DEPTH:
            self.depth += 1
            inner.append((kind, self.script(")")))
            self.depth -= 1
        else:
            end = self.text.find(")", self.pos)
            self.pos = len(self.text) if end < 0 else end + 1
        parts.append(self.text[start : self.pos])


def _strip(words: list[Word]) -> list[Word]:
    """Take assignments and wrappers such as `sudo -E` off the front."""
    index = 0
    while index < len(words):
        text = words[index].text
        if _ASSIGNMENT.match(text):
            index += 1
        elif text in _WRAPPERS:
            index += 1
            while index < len(words) and words[index].text.startswith("-"):
                index += 2 if words[index].text in _TAKES_VALUE else 1
            if text == "timeout" and index < len(words):
                index += 1
        else:
            break
    return words[index:] or words[-1:]
