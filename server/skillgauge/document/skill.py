"""A skill: its SKILL.md, read, and the folder around it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from skillgauge.document.aces_view import AcesView
from skillgauge.document.files import read_file
from skillgauge.document.folder import DiskFolder, Folder
from skillgauge.document.frontmatter import Frontmatter, find_frontmatter
from skillgauge.document.markdown import Markdown
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.nodes import Scalar
from skillgauge.document.references import Reference, references
from skillgauge.document.scalar_offsets import source_span
from skillgauge.text import Span, Text

if TYPE_CHECKING:
    from skillgauge.document.workspace import Workspace


@dataclass(frozen=True)
class Skill:
    """A skill's document with its folder; parts are read when first asked for.

    `path` is None for a text that lives in no file; `folder` is None when the files around are not
    known, and then no rule says that one is missing.
    """

    text: Text
    path: Path | None = None
    folder: Folder | None = None
    workspace: Workspace | None = None
    """The other skills that an agent sees beside this one; None when only one file is looked at."""
    clients: tuple[str, ...] = ()
    """Ids of the clients that the workspace targets; empty when none is known."""
    problem: str = ""
    """Why the file could not be read as text; then `text` is empty and no rule but one runs."""

    @property
    def source(self) -> str:
        """The document's characters."""
        return self.text.content

    @cached_property
    def frontmatter(self) -> Frontmatter | None:
        """The YAML block, None when the file has none."""
        return find_frontmatter(self.source)

    @cached_property
    def body(self) -> Span:
        """The range behind the frontmatter (the whole text without one)."""
        found = self.frontmatter
        if found is None:
            return Span(1 if self.source.startswith("\ufeff") else 0, len(self.source))
        return Span(found.span.end, len(self.source))

    @cached_property
    def markdown(self) -> Markdown:
        """The body's blocks and inlines."""
        return read_markdown(self.source, self.body.start)

    @cached_property
    def aces(self) -> AcesView:
        """The document as the ACES checks see it.

        It gets a copy: were it to hold this skill, which keeps it, both would stay in memory until
        somebody looks for cycles, and that takes more time than most rules.
        """
        _ = self.frontmatter  # so that the copy has it
        return AcesView(copy(self))

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The files that the text refers to, in its order."""
        return references(self)

    @property
    def file_name(self) -> str:
        """The file's own name, `SKILL.md` for a text without a file."""
        return self.path.name if self.path else "SKILL.md"

    @property
    def folder_name(self) -> str | None:
        """The name of the folder, None when unknown."""
        return self.folder.name if self.folder else None

    @property
    def name(self) -> str | None:
        """The text of the `name` key."""
        return self.frontmatter.string("name") if self.frontmatter else None

    @property
    def description(self) -> str | None:
        """The text of the `description` key, quotes and folding resolved."""
        return self.frontmatter.string("description") if self.frontmatter else None

    def value(self, key: str) -> Scalar | None:
        """Return the frontmatter's scalar under `key`, with its range."""
        value = self.frontmatter.value(key) if self.frontmatter else None
        return value if isinstance(value, Scalar) else None

    def key_span(self, key: str) -> Span | None:
        """Return the range of a frontmatter key."""
        entry = self.frontmatter.entry(key) if self.frontmatter else None
        return entry.key_span if entry else None

    @property
    def head(self) -> Span:
        """Where to point when a thing is missing: the `---` line, or the first line of the text."""
        return self.frontmatter.opening if self.frontmatter else self.text.line_span(0)

    def find_in_value(self, value: Scalar, start: int, end: int) -> Span:
        """Return where characters `start` to `end` of a value's text stand in the source.

        Quotes, escapes and folded lines are seen through; where that fails, the whole value.
        """
        return source_span(self.source, value, start, end)


def load_skill(
    path: Path, workspace: Workspace | None = None, clients: tuple[str, ...] = ()
) -> Skill:
    """Read a skill from its SKILL.md; what can't be read has its `problem` set. Never raises."""
    text, problem = read_file(path)
    return Skill(text, path, DiskFolder(path.parent), workspace, clients, problem)
