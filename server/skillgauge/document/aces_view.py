"""A skill as SkillEvaluator's quality checks see it, for the rules that must agree with them.

They read the whole file, frontmatter and code included, as one text whose lines end in LF, and have
their own idea of what is frontmatter. Offsets here are those of that text; `span` turns them back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from skillgauge.document.frontmatter import MAX_FRONTMATTER, Frontmatter
from skillgauge.document.legacy_yaml import DOUBTFUL, load_legacy, plain_texts, text_of
from skillgauge.document.nodes import Scalar
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill

Kind = Literal["script-based", "lib-based", "resource-based", "hybrid", "guide-only"]

RESOURCES: Final = ("assets", "templates", "design-system", "resources")
"""What makes a skill a resource-based one, file or directory."""

_OPENING: Final = lazy_pattern(r"---\s*\n")
_NO_LIBRARY: Final = frozenset(
    {"scripts", "references", "assets", "templates", "design-system", "resources", "docs"}
    | {"tests", "examples", "eval", "evals", ".evals", "results", ".results"}
    | {"versions", ".versions", "__pycache__", ".git", ".venv", "node_modules"}
)
_TAG: Final = lazy_pattern(r"</?[A-Za-z][A-Za-z0-9_-]*(?:(?:\s[^<>]*)?/?>|\s[^<>]*\Z)")


def terms(*words: str) -> re.Pattern[str]:
    """Return a pattern for whole words: no ASCII letter, digit or `_` may touch them."""
    listed = "|".join(map(re.escape, words))
    return lazy_pattern(rf"(?<![A-Za-z0-9_])(?:{listed})(?![A-Za-z0-9_])", re.IGNORECASE)


def find_tag(text: str) -> re.Match[str] | None:
    """Return the first thing shaped like an XML tag, closed or left open at the end."""
    return _TAG.search(text)


@dataclass(frozen=True)
class AcesView:
    """What the ACES checks look at; parts are made when first asked for."""

    skill: Skill

    @cached_property
    def text(self) -> str:
        """The whole file, with LF for every line break."""
        source = self.skill.source
        return re.sub(r"\r\n?", "\n", source) if "\r" in source else source

    @cached_property
    def lower(self) -> str:
        """The text with its ASCII letters in lower case; offsets are the same."""
        if self.text.isascii():
            return self.text.lower()
        small = self.text.encode("utf-8", "surrogatepass").lower()  # quicker by far
        return small.decode("utf-8", "surrogatepass")

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are not blank, each stripped."""
        return [line for line in map(str.strip, self.text.split("\n")) if line]

    @cached_property
    def _dropped(self) -> list[int]:
        pairs = re.finditer("\r\n", self.skill.source)
        return [match.start() - index for index, match in enumerate(pairs)]

    def span(self, start: int, end: int) -> Span:
        """Return the range in the document of a range of `text`."""
        if len(self.text) == len(self.skill.source):
            return Span(start, end)
        dropped = self._dropped
        return Span(start + bisect_left(dropped, start), end + bisect_left(dropped, end))

    @cached_property
    def fields(self) -> dict[Any, Any]:
        """The frontmatter's values; empty without frontmatter, or when that is no YAML mapping."""
        opening = _OPENING.match(self.text)
        stop = self.text.find("\n---", opening.end()) if opening else -1
        if opening is None or stop < 0 or stop - opening.end() > MAX_FRONTMATTER:
            return {}
        known = self._reading(opening.end(), stop)
        values = plain_texts(known.root) if known else None
        if values is None:
            values = load_legacy(self.text[opening.end() : stop], shallow=known is not None)
        return values if isinstance(values, dict) else {}  # pyright: ignore[reportUnknownVariableType]

    def _reading(self, start: int, stop: int) -> Frontmatter | None:
        """Return the document's own reading if that is of the very same block and without fault."""
        known = self.skill.frontmatter
        if known is None or known.fault or known.root is None:
            return None
        same = known.inner == (self.span(start, stop).start, self.span(stop, stop + 1).end)
        return known if same and not DOUBTFUL.search(self.text, start, stop) else None

    def string(self, key: str) -> str:
        """Return `str` of a value, stripped; empty for an absent key, “None” for an empty value."""
        return text_of(self.fields[key]).strip() if key in self.fields else ""

    @cached_property
    def name(self) -> str:
        """The `name` key as text."""
        return self.string("name")

    @cached_property
    def description(self) -> str:
        """The `description` key as text."""
        return self.string("description")

    @cached_property
    def metadata(self) -> dict[Any, Any]:
        """The `metadata` key if that is a mapping."""
        value = self.fields.get("metadata")
        return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]

    def value_span(self, key: str, text: str = "") -> Span:
        """Return where a value stands, or where `text` stands in it if that can be said."""
        node = self.skill.frontmatter.value(key) if self.skill.frontmatter else None
        if node is None:
            return self.skill.head
        if text and isinstance(node, Scalar) and (at := node.text.find(text)) >= 0:
            return self.skill.find_in_value(node, at, at + len(text))
        if node.span.start == node.span.end:  # an empty value: show its key
            return self.skill.key_span(key) or node.span
        return node.span

    @cached_property
    def kind(self) -> Kind:
        """The type that the files in the folder make of the skill."""
        scripts = bool(self.direct("scripts", ".py") or self.direct("scripts", ".sh"))
        if scripts and (self.library or self.resources):
            return "hybrid"
        if scripts:
            return "script-based"
        if self.library:
            return "lib-based"
        return "resource-based" if self.resources else "guide-only"

    def direct(self, directory: str, suffix: str = "") -> list[str]:
        """Return the paths of the files and directories right in a directory, sorted."""
        folder = self.skill.folder
        if folder is None or directory not in folder.directories:
            return []
        depth = directory.count("/") + 1
        return sorted(
            path
            for group in (folder.files, folder.directories)
            for path in group
            if path.startswith(f"{directory}/")
            and path.count("/") == depth
            and path.endswith(suffix)
        )

    @cached_property
    def resources(self) -> list[str]:
        """The names of RESOURCES that the folder has."""
        folder = self.skill.folder
        if folder is None:
            return []
        return [name for name in RESOURCES if name in folder.directories or name in folder.files]

    @cached_property
    def library(self) -> str | None:
        """The name of the first Python package right in the folder."""
        folder = self.skill.folder
        if folder is None:
            return None
        packages = (
            name
            for name in sorted(folder.directories)
            if "/" not in name
            and not name.startswith(".")
            and name not in _NO_LIBRARY
            and f"{name}/__init__.py" in folder.files
        )
        return next(packages, None)

    @cached_property
    def instructions(self) -> tuple[Span, str] | None:
        """The heading's range and the text of the section with the steps.

        The first of “## Instructions” and “## Usage” that is in the text anywhere is looked for as
        a line of its own; the section ends before the next line that begins with `## `.
        """
        wanted = next((name for name in ("## Instructions", "## Usage") if name in self.text), None)
        if wanted is None:
            return None
        at = self.text.find(f"\n{wanted}\n")
        if at < 0:
            return None
        start = at + len(wanted) + 2
        stop = self.text.find("\n## ", start)
        return self.span(at + 1, start - 1), self.text[start : stop if stop >= 0 else None]
