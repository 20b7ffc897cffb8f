"""Builds skills for tests, from text or from the fenced blocks of a rule's page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skillgauge.document.evals import EvalFile
from skillgauge.document.folder import FileInfo, MemoryFolder
from skillgauge.document.skill import Skill
from skillgauge.document.workspace import Workspace, summarise
from skillgauge.engine import Document
from skillgauge.text import Text

ROOT = Path("/workspace")
_FENCE = re.compile(
    r"^(?P<fence>`{4,}|~{4,})(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\u\{([0-9A-Fa-f]+)\}")
_TIMES = re.compile(r"\{\{(\d+) times: ([^{}]*)\}\}")


def skill(
    text: str,
    files: Mapping[str, str | None] | None = None,
    *,
    folder: str | None = None,
    neighbours: Mapping[str, str] | None = None,
    clients: tuple[str, ...] = (),
    file_name: str = "SKILL.md",
    executable: frozenset[str] | None = None,
    problem: str = "",
    infos: Iterable[FileInfo] = (),
) -> Skill:
    """Make a skill of a text.

    The folder is called as the skill's `name` unless `folder` says otherwise. `neighbours` maps
    folder names to the SKILL.md texts of other skills of the same workspace.
    """
    found = re.search(r"^name:[ \t]*[\"']?([^\s\"']+)", text, re.MULTILINE)
    name = folder or (found[1] if found else "demo")
    path = ROOT / name / file_name
    memory = MemoryFolder(name, {file_name: text, **(files or {})}, executable, infos=infos)
    made = Skill(Text(text), path, memory, None, clients, problem)
    others = [
        summarise(Skill(Text(other), ROOT / key / "SKILL.md", MemoryFolder(key, {})))
        for key, other in (neighbours or {}).items()
    ]
    workspace = Workspace(ROOT, (summarise(made), *others))
    return Skill(Text(text), path, memory, workspace, clients, problem)


@dataclass
class Example:
    """One example: the blocks that stood together under a heading."""

    title: str
    blocks: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, Any])
    """Kind → (argument, code) of each fenced block: skill, evals, file, neighbour, fixed, …"""

    def document(self, kind: str, text: str | None = None) -> Document:
        """Build the document under test; `text` replaces the block's own."""
        files = dict(_file(*block) for block in self.blocks.get("file", []))
        options = dict(part for part, _ in self._options())
        name = options.get("folder")
        neighbours = dict(_neighbours(self.blocks.get("neighbour", [])))
        clients = tuple(filter(None, options.get("clients", "").split(",")))
        executable = (
            frozenset(options["executable"].split(",")) if "executable" in options else None
        )
        if kind == "skill":
            source = self.blocks["skill"][0][1] if text is None else text
            if "times" in options:  # the last line so many times: a long text in a short page
                lines = source.splitlines(keepends=True)
                source = "".join(lines[:-1] + lines[-1:] * int(options["times"]))
            return skill(
                source,
                files,
                folder=name,
                neighbours=neighbours,
                clients=clients,
                file_name=options.get("name", "SKILL.md"),
                executable=executable,
                problem=options.get("problem", "").replace("_", " "),
                infos=list(_infos(options)),
            )
        own = text if text is not None else self.blocks["evals"][0][1]
        file_name = options.get("name", "evals.json")
        problem = options.get("problem", "").replace("_", " ")
        beside = self.blocks.get("skill", [("", "---\nname: demo\ndescription: Demo.\n---\n")])
        owner = skill(
            beside[0][1],
            {**files, f"evals/{file_name}": own},
            folder=name,
            neighbours=neighbours,
            infos=list(_infos(options)),
        )
        path = (owner.path or ROOT / "demo" / "SKILL.md").parent / "evals" / file_name
        return EvalFile(Text(own), path, None if "alone" in options else owner, problem)

    def _options(self) -> Iterator[tuple[tuple[str, str], None]]:
        for kind in ("skill", "evals"):
            for argument, _ in self.blocks.get(kind, [])[:1]:
                for word in argument.split():
                    key, _, value = word.partition("=")
                    yield (key, value or "1"), None


def _file(argument: str, code: str) -> tuple[str, str]:
    """Return path and text of a file; with `lines=N` its last line is repeated up to N lines."""
    path, _, option = argument.partition(" lines=")
    if option:
        last = code.splitlines(keepends=True)[-1]
        code += last * (int(option) - code.count("\n"))
    return path, code


def _neighbours(blocks: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield folder and text of each neighbour; with `times=N` there are N, numbered from 1."""
    for argument, code in blocks:
        folder, *options = argument.split()
        times = next((int(word[6:]) for word in options if word.startswith("times=")), 0)
        for name in [f"{folder}-{number + 1}" for number in range(times)] or [folder]:
            yield name, code


def _infos(options: Mapping[str, str]) -> Iterator[FileInfo]:
    """Yield what options say of files: `size=PATH:BYTES`, `outside=PATH` for a link out."""
    if "size" in options:
        path, _, size = options["size"].rpartition(":")
        yield FileInfo(path, int(size))
    if "outside" in options:
        yield FileInfo(options["outside"], 0, symlink=True, outside=True)


def examples(page: str, level: int = 2) -> list[Example]:
    """Read the examples of a page: each heading of `level` with the fenced blocks below it."""
    found: list[Example] = []
    fences = list(_FENCE.finditer(page))
    headings = [
        match
        for match in re.finditer(rf"^{'#' * level} (.+)$", page, re.MULTILINE)
        if not any(fence.start() < match.start() < fence.end() for fence in fences)
    ]
    stops = [*(match.start() for match in headings[1:]), len(page)]
    for heading, stop in zip(headings, stops, strict=False):
        example = Example(heading[1].strip())
        for fence in fences:
            if heading.start() < fence.start() < stop:
                kind, _, argument = fence["info"].strip().partition(" ")
                code = fence["code"]
                if "escaped" in argument.split():
                    code = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), code)
                    code = _TIMES.sub(lambda match: match[2] * int(match[1]), code)
                example.blocks.setdefault(kind, []).append((argument.strip(), code))
        found.append(example)
    return found
