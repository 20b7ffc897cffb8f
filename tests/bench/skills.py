"""Writes skill folders that look like real ones, the same ones for the same seed.

A folder holds a SKILL.md of 80 to 600 lines with the things that real ones are made of
(frontmatter, headings, steps, nested lists, fences, tables, links, inline code), and about nine
more files: scripts, references, an asset and an evaluation file. One folder in four has faults.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
SHORTEST, LONGEST = 80, 600


def _words(text: str, between: str | None = None) -> tuple[str, ...]:
    return tuple(text.split(between))


SUBJECTS = _words(
    "invoice ledger parcel roster survey sensor recipe budget catalog timetable contract "
    "inventory newsletter transcript blueprint permit warranty checklist"
)
ACTIONS = _words(
    "export merge convert inspect summarise reconcile publish validate archive translate "
    "compare annotate schedule index migrate"
)
OBJECTS = _words(
    "the totals of each month|rows without an owner|the header of the sheet|every open entry|"
    "dates in the local format|the column that holds the price|duplicate records|"
    "a list of missing fields|the address of the sender|the last backup|one page per customer|"
    "numbers with a comma|pictures wider than the page|the name of the branch",
    "|",
)
OPTIONS = ("--input", "--dry-run", *sorted(f"--{text.split()[-1]}" for text in OBJECTS))
REASONS = _words(
    "because the next step reads it|so that a second run changes nothing|before anything is sent|"
    "unless the user said otherwise|and stop when the count differs|in the order of the file|"
    "while the original stays as it is|and write the reason into the log",
    "|",
)
HEADINGS = _words(
    "Workflow|Input format|Output format|Choosing a mode|Working with large files|Naming|"
    "Checks before delivery|Common mistakes|Advanced use|Configuration|Examples in detail",
    "|",
)
# What is right, what stands there instead, and how often.
FAULTS = (
    ("See [the notes](", "See [the guide](references/absent.md) and [the notes](", 2),
    ("name: ", "name: Wrong_", 1),
    ("metadata:", "licence: MIT\nmetadata:", 1),
    ("python scripts/", "python scripts\\", 3),
)


@dataclass(slots=True)
class Writer:
    """Makes the text of one skill from one source of randomness."""

    random: random.Random
    name: str
    files: dict[str, str] = field(default_factory=dict)

    def linked(self) -> list[str]:
        """The files that the text may link to: an agent must not read the evaluations."""
        return [path for path in self.files if not path.startswith("evals/")]

    def sentence(self) -> str:
        """One sentence of instruction, at times with inline code or emphasis."""
        action, thing, reason = self._pick(ACTIONS), self._pick(OBJECTS), self._pick(REASONS)
        text = f"{action.capitalize()} {thing} {reason}."
        match self.random.randrange(6):
            case 0:
                return f"{text} Set `{self._pick(SUBJECTS)}_{self._pick(ACTIONS)}` to `true` first."
            case 1:
                return f"**Important:** {text}"
            case 2:
                return f"{text} The *{self._pick(SUBJECTS)}* keeps its order."
            case _:
                return text

    def document(self, lines: int) -> str:
        """A whole SKILL.md with exactly `lines` lines."""
        text = [*self._frontmatter(), *self._opening()]
        while len(text) < lines - 12:
            text += ["", f"## {self._pick(HEADINGS)} {len(text)}", "", *self._section()]
        del text[lines - 12 :]
        if sum(line.startswith("```") for line in text) % 2:
            text[-1] = "```"
        text += ["", "## Limitations", ""]
        text += [f"- {self.sentence()}" for _ in range(lines - len(text))]
        return "\n".join(text) + "\n"

    def reference(self, title: str, lines: int) -> str:
        """A Markdown file without frontmatter."""
        text = [f"# {title}", ""]
        while len(text) < lines:
            text += [f"## Part {len(text)}", "", *self._section(), ""]
        return "\n".join(text)

    def script(self, purpose: str) -> str:
        """A small Python program."""
        functions = [f"def {self._pick(ACTIONS)}_{number}(rows):" for number in range(4)]
        options = "".join(f"parser.add_argument('{option}')\n" for option in OPTIONS)
        check = '    if not rows:\n        raise ValueError("no rows")\n'
        body = "\n\n\n".join(
            f'{head}\n    """{self.sentence()}"""\n{check}    return [row for row in rows if row]'
            for head in functions
        )
        return (
            f'#!/usr/bin/env python3\n"""{purpose}."""\n\nimport argparse\n\n\n{body}\n\n\n'
            f"parser = argparse.ArgumentParser()\n{options}"
            "print(parser.parse_args().input)\n"
        )

    def _frontmatter(self) -> list[str]:
        what = (
            f"{self._pick(ACTIONS)}s {self._pick(SUBJECTS)} files and reports {self._pick(OBJECTS)}"
        )
        description = f"{what.capitalize()}. Use when a user asks for a {self._pick(SUBJECTS)}."
        if self.random.random() < 0.3:
            description += f" {self.sentence()} {self.sentence()}"
        lines = ["---", f"name: {self.name}", f"description: {json.dumps(description)}"]
        lines += ["license: Apache-2.0"] * (self.random.random() < 0.5)
        lines += ["metadata:", "  author: example", '  version: "1.2.0"', '  tags: "tables, files"']
        return [*lines, "---"]

    def _opening(self) -> list[str]:
        links = [f"- [{path}]({path}): {self.sentence()}" for path in self.linked()]
        title = self.name.replace("-", " ").capitalize()
        purpose = ["## Purpose", "", self.sentence(), "", "## Instructions", ""]
        steps = [f"{number}. {self.sentence()}" for number in range(1, 8)]
        return ["", f"# {title}", "", self.sentence(), "", *purpose, *steps, "", *links]

    def _section(self) -> list[str]:
        return self._pick((self._prose, self._steps, self._fence, self._table))()

    def _prose(self) -> list[str]:
        path = self._pick(self.linked() or ["../SKILL.md"])
        return [
            " ".join(self.sentence() for _ in range(3)),
            "",
            f"> {self.sentence()}",
            "",
            f"See [the notes]({path}) and <https://example.com/{self._pick(SUBJECTS)}>.",
        ]

    def _steps(self) -> list[str]:
        lines: list[str] = []
        for number in range(1, self.random.randint(4, 9)):
            lines.append(f"{number}. {self.sentence()}")
            lines += [f"   - {self.sentence()}" for _ in range(self.random.randrange(3))]
        return lines

    def _fence(self) -> list[str]:
        script = self._pick([path for path in self.files if path.endswith(".py")] or ["x.py"])
        command = f"python {script} --input {self._pick(SUBJECTS)}.csv"
        options = [
            f"  --{self._pick(OBJECTS).split()[-1]} \\" for _ in range(self.random.randint(2, 9))
        ]
        return [self.sentence(), "", "```bash", f"{command} \\", *options, "  --dry-run", "```"]

    def _table(self) -> list[str]:
        rows = [
            f"| `{self._pick(ACTIONS)}` | {self._pick(OBJECTS)} | {self._pick(REASONS)} |"
            for _ in range(self.random.randint(3, 10))
        ]
        return ["| Option | Meaning | When |", "| --- | --- | --- |", *rows]

    def _pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)


def write_skills(root: Path, count: int, seed: int = 1) -> list[Path]:
    """Write `count` skill folders below `root`; their paths."""
    return [write_skill(root, number, seed) for number in range(count)]


def write_skill(root: Path, number: int, seed: int = 1, lines: int | None = None) -> Path:
    """Write one skill folder; with `lines`, its SKILL.md has so many and all the faults."""
    source = random.Random(f"{seed}/{number}")
    name = f"{source.choice(SUBJECTS)}-{source.choice(ACTIONS)}-{number:03d}"
    writer = Writer(source, name)
    writer.files = dict(_siblings(writer))
    text = writer.document(lines or source.randint(SHORTEST, LONGEST))
    faults = FAULTS if lines else (source.choice(FAULTS),) * (source.random() < 0.25)
    for right, wrong, times in faults:
        text = text.replace(right, wrong, times)
    folder = root / name
    for path, content in {**writer.files, "SKILL.md": text}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8", newline="\n")
    return folder


def _siblings(writer: Writer) -> Iterator[tuple[str, str]]:
    for action in writer.random.sample(ACTIONS, 3):
        yield f"scripts/{action}.py", writer.script(f"{action.capitalize()} one file")
    for subject in writer.random.sample(SUBJECTS, 4):
        text = writer.reference(f"Notes on the {subject}", writer.random.randint(40, 200))
        yield f"references/{subject}-notes.md", text
    yield "assets/template.csv", "date,owner,total\n" * 20
    prompts = [
        {"id": number, "prompt": writer.sentence(), "expected_output": "a file with every row"}
        for number in range(1, 6)
    ]
    yield "evals/evals.json", json.dumps({"skill_name": writer.name, "evals": prompts}, indent=2)
