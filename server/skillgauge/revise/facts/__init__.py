"""What a skill's text and folder know: the material that skeletons are built from.

Everything here is read, nothing is run and nothing is guessed: a fact stands in a script, in an
example of the text, in an evaluation case, or in the listing of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.shell import Command, read_commands
from skillgauge.document.vocabulary import words
from skillgauge.revise.facts.files import FileUse
from skillgauge.revise.facts.source import MAX_SOURCE, Source, read_source
from skillgauge.text import Text

if TYPE_CHECKING:
    from skillgauge.document.markdown import CodeBlock
    from skillgauge.document.skill import Skill

MAX_SCRIPTS: Final = 20
MAX_COMMAND: Final = 90
"""Characters of a command that is quoted."""
EVALS: Final = ("evals/evals.json", "evals.json", "evals/evals.yaml", "evals/evals.yml")
SHELLS: Final = frozenset({"bash", "sh", "shell", "zsh", "console", "shell-session", "terminal"})
PYTHONS: Final = frozenset({"python", "py", "python3"})
_NOT_RUN: Final = re.compile(r"test|fixture|template|example|vendor|__init__", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"\$\{?([A-Z][A-Z0-9_]{3,})\b")
_SET: Final = re.compile(r"(?<![\w$])(?:export[ \t]+)?([A-Z][A-Z0-9_]{3,})=(?=\S)")
_READ: Final = re.compile(r"(?<![\w$])(?:for[ \t]+|read[ \t]+(?:-r[ \t]+)?)([A-Z][A-Z0-9_]{3,})\b")
_SYSTEM: Final = frozenset({"HOME", "PATH", "USER", "SHELL", "TMPDIR", "ARGUMENTS", "RANDOM"})
_TOOL: Final = re.compile(r"[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*\Z")
_BUILT_IN: Final = words(
    """
    alias awk basename bash break case cat cd chmod chown clear command continue cp cut date
    declare diff dirname do done echo elif else env esac eval exec exit export false fi find
    for function grep head if in kill let ln local ls mkdir mv printf pwd read return rm sed
    set sh shift sleep sort source sudo tail tee test then time touch tr trap true type
    ulimit uniq unset until wait wc which while xargs zsh
    """
)
_PYTHON: Final = re.compile(r"(?:python|pip)[\d.]*\Z")
_OUTPUT: Final = frozenset({"-o", "--output", "--out", "--outfile", "--output-file", "-output"})
_FILE: Final = re.compile(r"(?![./~-]*\Z)[\w./~-]*[\w-]\.[A-Za-z][A-Za-z0-9]{1,5}\Z")
_NO_FILE: Final = re.compile(r"\.(?:com|org|net|io|dev|ai|sh|py|js|ts|rb|md)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Facts:
    """The facts of one version of a skill; each kind is gathered when it is first asked for."""

    skill: Skill

    @cached_property
    def scripts(self) -> tuple[Source, ...]:
        """The Python scripts that the text names or that lie below `scripts/`."""
        return tuple(self.reading())

    def reading(self) -> Iterator[Source]:
        """Yield the scripts one by one: reading a large one takes a moment."""
        if "scripts" in vars(self):
            return
        found: list[Source] = []
        for source in self._scripts():
            found.append(source)
            yield source
        vars(self)["scripts"] = tuple(found)

    def _scripts(self) -> Iterator[Source]:
        folder = self.skill.folder
        if folder is None:
            return
        named = {item.target for item in self.skill.references if item.exists}
        left = MAX_SCRIPTS
        for path, info in folder.files.items():
            wanted = path in named or path.startswith("scripts/")
            if not path.endswith(".py") or not wanted or _NOT_RUN.search(path) or not left:
                continue
            text = folder.read(path) if info.size <= MAX_SOURCE else None
            if text and (found := read_source(text, path)) is not None:
                left -= 1
                yield found

    @cached_property
    def examples(self) -> tuple[Source, ...]:
        """The Python code of the text, block by block, as far as it parses."""
        found = (read_source(self._code(block)) for block in self._blocks(PYTHONS))
        return tuple(item for item in found if item is not None)

    @cached_property
    def commands(self) -> tuple[tuple[CodeBlock, Command], ...]:
        """The shell commands of the text, each with its block."""
        return tuple(
            (block, command)
            for block in self._blocks(SHELLS)
            for command in read_commands(self.skill.source, block.content)
            if command.words
        )

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The programs that the text's commands run and that have to be there."""
        found: dict[str, None] = {}
        for _, command in self.commands:
            word = command.words[0].text
            if _TOOL.match(word) and word not in _BUILT_IN and not _PYTHON.match(word):
                found[word] = None
        return tuple(found)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that commands and sources read and do not set."""
        shell = "\n".join(self._code(block) for block in self._blocks(SHELLS))
        given = {*_SET.findall(shell), *_READ.findall(shell), *_SYSTEM}
        names = [name for name in _VARIABLE.findall(shell) if name not in given]
        for source in (*self.scripts, *self.examples):
            names += [name for name in source.environment if name not in _SYSTEM]
        return tuple(name for name in dict.fromkeys(names) if not name.startswith("CLAUDE_"))

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The Python modules that have to be installed."""
        found = [name for item in (*self.scripts, *self.examples) for name in item.modules]
        own = {path.rpartition("/")[2].removesuffix(".py") for path in self._paths}
        return tuple(name for name in dict.fromkeys(found) if name not in own)

    @cached_property
    def files(self) -> tuple[FileUse, ...]:
        """The files that examples and commands read and write, each once a way."""
        found: dict[tuple[str, bool], FileUse] = {}
        for source in self.examples:
            for use in source.files:
                found.setdefault((use.path, use.written), use)
        for _, command in self.commands:
            for use in _files_of(command):
                found.setdefault((use.path, use.written), use)
        return tuple(found.values())

    @cached_property
    def prompts(self) -> tuple[str, ...]:
        """What evaluation cases ask for where the skill is wanted."""
        folder = self.skill.folder
        for path in EVALS:
            text = folder.read(path) if folder is not None and path in folder.files else None
            if text:
                own = self.skill.name or self.skill.folder_name
                cases = EvalFile(Text(text), None, self.skill).cases
                wanted = [case for case in cases if case.prompt and not case.is_negative(own)]
                return tuple(case.prompt.text for case in wanted if case.prompt)
        return ()

    def written(self, command: Command) -> str:
        """Return a command as it stands in the text; empty for a long one."""
        start, end = command.words[0].span.start, command.words[-1].span.end
        text = self.skill.source[start:end]
        return text if len(text) <= MAX_COMMAND and not {"\n", "\r", "`"} & set(text) else ""

    def example_of(self, tool: str) -> str:
        """Return the first short command of the text that runs a program."""
        found = (self.written(item) for _, item in self.commands if item.words[0].text == tool)
        return next(filter(None, found), "")

    def mentions(self, text: str) -> bool:
        """Return whether the document has a text already."""
        return text in self.skill.source

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        return tuple(self.skill.folder.files) if self.skill.folder is not None else ()

    def _blocks(self, languages: frozenset[str]) -> Iterator[CodeBlock]:
        for block in self.skill.markdown.code_blocks:
            if block.fenced and block.closed and block.language in languages:
                yield block

    def _code(self, block: CodeBlock) -> str:
        from textwrap import dedent

        return dedent(self.skill.source[block.content.start : block.content.end])


def _files_of(command: Command) -> Iterator[FileUse]:
    """Yield the files of a command: what it is redirected to, its outputs, and what it is given."""
    tool = command.words[0].text
    for path in command.written:
        if _FILE.match(path):
            yield FileUse(path, tool, written=True)
    if tool in _BUILT_IN or not _TOOL.match(tool):
        return
    before = ""
    for word in command.words[1:]:
        if _FILE.match(word.text) and not _NO_FILE.search(word.text) and "//" not in word.text:
            yield FileUse(word.text, tool, written=before in _OUTPUT)
        before = word.text
