"""Evaluation files: the dialects in the wild, read into cases with a range for every part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.document.eval_case import EvalCase, make_case
from skillgauge.document.eval_keys import CONTAINERS, ROLES, SKILL_KEYS, Dialect
from skillgauge.document.json_faults import diagnose_json
from skillgauge.document.json_reader import read_json, read_json_lines
from skillgauge.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from skillgauge.document.tolerant import TextFault, TolerantReading, read_on
from skillgauge.document.yaml_lines import diagnose_yaml
from skillgauge.document.yaml_reader import Reading, read_yaml
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill

CONFIG_NAMES: Final = ("config.yml", "config.yaml")
_CONFIG_KEY: Final = re.compile(r"(?<![^\r\n])(?:harbor|skill_workspace|grading)[ \t]*:")
MAX_CASES: Final = 2_000
"""Cases behind that many are not looked at; the largest real file has 169."""


@dataclass(frozen=True)
class EvalFile:
    """An evaluation file; `skill` is the skill it belongs to, None when that is not known."""

    text: Text
    path: Path | None = None
    skill: Skill | None = None
    problem: str = ""
    """Why the file could not be read as text."""

    @property
    def source(self) -> str:
        """The document's characters."""
        return self.text.content

    @property
    def file_name(self) -> str:
        """The file's own name, `evals.json` for a text without a file."""
        return self.path.name if self.path else "evals.json"

    @property
    def is_yaml(self) -> bool:
        """Whether the file is YAML by its name."""
        return self.file_name.lower().endswith((".yaml", ".yml"))

    @property
    def is_lines(self) -> bool:
        """Whether the file is JSON Lines by its name."""
        return self.file_name.lower().endswith(".jsonl")

    @property
    def is_ours(self) -> bool:
        """Whether the file is of a known tool: others call files `evals/config.yml`, too."""
        return self.dialect != "config" or _CONFIG_KEY.search(self.source) is not None

    @property
    def own_name(self) -> str | None:
        """The name of the skill that the file lies beside, None if unknown."""
        return (self.skill.name or self.skill.folder_name) if self.skill else None

    @cached_property
    def _read(self) -> TolerantReading:
        if self.is_yaml:
            return read_on(self.source, read_yaml, diagnose_yaml)
        return read_on(self.source, read_json_lines if self.is_lines else read_json, diagnose_json)

    @property
    def reading(self) -> Reading:
        """The values, and the first fault if the text does not parse.

        Behind a fault reading goes on where that is possible; values there are nearly as written.
        """
        return self._read.reading

    @property
    def faults(self) -> tuple[TextFault, ...]:
        """All places that keep the text from being parsed."""
        return self._read.faults

    @property
    def complete(self) -> bool:
        """Whether everything was read, so that what is not found is not there."""
        return self._read.complete

    @property
    def head(self) -> Mapping | None:
        """The object around the list of cases, or the single case; None for a bare list."""
        root = self.reading.root
        return root if isinstance(root, Mapping) else None

    @cached_property
    def container_entry(self) -> Entry | None:
        """The key under which the cases stand, None for a bare list or a single case."""
        found = [self.head.last(key) for key in CONTAINERS] if self.head else []
        lists = [entry for entry in found if entry and isinstance(entry.value, Sequence)]
        return lists[0] if lists else None

    @cached_property
    def container(self) -> Sequence | None:
        """The list of cases, None for a single case or where none is found."""
        if self.dialect == "config":
            return None
        if isinstance(self.reading.root, Sequence):
            return self.reading.root
        value = self.container_entry.value if self.container_entry else None
        return value if isinstance(value, Sequence) else None

    @cached_property
    def dialect(self) -> Dialect:
        """The format, by what the file holds."""
        if self.file_name in CONFIG_NAMES:
            return "config"
        root = self.reading.root
        if isinstance(root, Sequence):
            cases = [item for item in root.items if isinstance(item, Mapping)]
            triggers = bool(cases) and all(_is_trigger(case) for case in cases)
            return "trigger" if triggers else "flat"
        if not isinstance(root, Mapping):
            return "unknown"
        entry = self.container_entry
        if entry is None:
            return "single" if any(root.entry(key) for key in ROLES["prompt"]) else "unknown"
        if entry.key == "cases":
            return "benchflow"
        cases = [item for item in items_of(entry.value) if isinstance(item, Mapping)]
        keys = {item.key for case in cases for item in case.entries}
        creator = "expectations" in keys and "assertions" not in keys
        return "skill-creator" if creator else "agentskills"

    @cached_property
    def cases(self) -> tuple[EvalCase, ...]:
        """The cases in their order."""
        nodes: tuple[Node, ...] = ()
        if self.container is not None:
            nodes = self.container.items[:MAX_CASES]
        elif self.dialect == "single" and self.head is not None:
            nodes = (self.head,)
        last = len(nodes) - 1
        return tuple(
            make_case(index, node, partial=index == last and not self.complete)
            for index, node in enumerate(nodes)
        )

    @cached_property
    def skill_name(self) -> Scalar | None:
        """The name of the skill that the file says it tests."""
        found = [self.head.last(key) for key in SKILL_KEYS] if self.head else []
        values = [entry.value for entry in found if entry]
        return next((value for value in values if isinstance(value, Scalar)), None)

    @property
    def top(self) -> Span:
        """Where to point when a thing is missing in the file: the key of the list, or line one."""
        if self.container_entry is not None:
            return self.container_entry.key_span
        return self.text.line_span(0)


def items_of(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, none of anything else."""
    return node.items if isinstance(node, Sequence) else ()


def _is_trigger(case: Mapping) -> bool:
    return "query" in (keys := {entry.key for entry in case.entries}) and "should_trigger" in keys
