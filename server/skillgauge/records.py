"""What is left of a check once the document is gone: plain values to print, send and keep.

Reports work on these alone. They come from a check in this process, from another process or from
the cache, and reading them loads neither the rules nor the parsers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from skillgauge.document.files import check_size
from skillgauge.text import Text

if TYPE_CHECKING:
    from skillgauge.discover import Kind
    from skillgauge.engine import Document, Result
    from skillgauge.rule import Finding

RANKS: Final = {"hint": 1, "info": 2, "warning": 3, "error": 4}
"""The severities; the larger, the worse."""

PAGES: Final = "https://github.com/skillgauge/skillgauge/blob/main/docs/rules/"

Plain = dict[str, Any]
"""A result as JSON has it."""


class EditNote(NamedTuple):
    """Text to put in place of the code points from `start` to `end`."""

    start: int
    end: int
    text: str


class FixNote(NamedTuple):
    """A mend, see `rule.Fix`."""

    title: str
    safe: bool
    edits: tuple[EditNote, ...]
    rename: str | None


class RelatedNote(NamedTuple):
    """Another place; `path` empty for the same document. Lines and columns from 1."""

    message: str
    path: str
    line: int
    column: int


class Item(NamedTuple):
    """A finding. Offsets, lines and columns count code points; lines and columns from 1."""

    code: str
    rule: str
    severity: str
    message: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    fix: FixNote | None = None
    related: tuple[RelatedNote, ...] = ()

    @property
    def url(self) -> str:
        """The address of the rule's page."""
        return f"{PAGES}{self.rule}.md"

    @property
    def rank(self) -> int:
        """The severity as a number."""
        return RANKS[self.severity]

    @property
    def fix_kind(self) -> str | None:
        """“safe”, “unsafe”, or None without a fix."""
        return None if self.fix is None else "safe" if self.fix.safe else "unsafe"


@dataclass(slots=True)
class FileReport:
    """A checked file with all that reports ask about it."""

    path: str
    """Absolute."""
    shown: str
    """As the user sees it: relative to the working folder, with forward slashes."""
    kind: Kind
    items: list[Item]
    structure: Plain | None
    """`score`, `grade` and `dimensions`, as the JSON report shows them."""
    data: bytes
    """The file's bytes as they were checked."""
    suppressed: int = 0
    known: int = 0
    """Findings left out as they are in the baseline."""
    _text: Text | None = None

    @property
    def text(self) -> Text:
        """The file's characters; empty for a file that can't be read."""
        if self._text is None:
            self._text = check_size(self.data)[0]
        return self._text


def to_plain(document: Document, result: Result) -> Plain:
    """Return a result as plain values."""
    return {
        "findings": [_finding(document, finding) for finding in result.findings],
        "structure": _structure(result),
        "suppressed": result.suppressed,
    }


def _finding(document: Document, finding: Finding) -> list[Any]:
    start, end = (document.text.position(offset) for offset in finding.span)
    fix = finding.fix
    return [
        *(finding.code, finding.rule, finding.severity.label, finding.message),
        *finding.span,
        *(start.line + 1, start.column + 1, end.line + 1, end.column + 1),
        fix and [fix.title, fix.safe, [[*edit.span, edit.text] for edit in fix.edits], fix.rename],
        [_related(document, item) for item in finding.related],
    ]


def _related(document: Document, item: Any) -> list[Any]:
    place = document.text.position(item.span.start) if item.span else item.start
    path = str(item.path) if item.path else ""
    return [item.message, path, place.line + 1, place.column + 1]


def _structure(result: Result) -> Plain | None:
    found = result.structure
    if found is None:
        return None
    dimensions = {
        name: {
            "score": value.score,
            "deductions": [
                {
                    "code": item.code,
                    "rule": item.rule,
                    "points": item.points,
                    "message": item.message,
                }
                for item in value.deductions
            ],
        }
        for name, value in found.dimensions.items()
    }
    return {"score": found.score, "grade": found.grade, "dimensions": dimensions}


def items_of(plain: Plain) -> list[Item]:
    """Return the findings of a plain result. Raises ValueError and the like if it is damaged."""
    return [_item(values) for values in plain["findings"]]


def _item(values: list[Any]) -> Item:
    fix, related = values[10:]
    note = None
    if fix:
        title, safe, edits, rename = fix
        note = FixNote(title, safe, tuple(EditNote(*edit) for edit in edits), rename)
    return Item._make([*values[:10], note, tuple(RelatedNote(*item) for item in related)])


def worst(items: Iterable[Item]) -> int:
    """Return the rank of the worst finding, 0 without any."""
    return max((item.rank for item in items), default=0)


@dataclass(slots=True)
class Run:
    """Everything that a report may show."""

    files: list[FileReport]
    failing: Callable[[FileReport, Item], bool]
    """Whether a finding makes the command end with status 1."""
    color: bool = False
    width: int = 100
    quiet: bool = False
    statistics: bool = False
    gone: tuple[str, ...] = ()
    """Entries of the baseline that nothing matches any more, as text."""

    @property
    def items(self) -> list[Item]:
        """All findings."""
        return [item for file in self.files for item in file.items]

    @property
    def failed(self) -> bool:
        """Whether any finding makes the command end with status 1."""
        return any(self.failing(file, item) for file in self.files for item in file.items)
