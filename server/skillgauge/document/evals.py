"""Evaluation files: the dialects in the wild, read into cases with a range for every part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from skillgauge.document.json_reader import read_json
from skillgauge.document.yaml_reader import Reading, read_yaml
from skillgauge.text import Text

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill


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

    @cached_property
    def reading(self) -> Reading:
        """The values, and the first fault if the text does not parse."""
        if self.file_name.endswith((".yaml", ".yml")):
            return read_yaml(self.source)
        return read_json(self.source)
