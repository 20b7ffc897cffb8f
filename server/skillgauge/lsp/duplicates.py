"""Findings that an editor shows by itself, for clients that ask us not to repeat them.

VS Code checks SKILL.md from version 1.110 on. The list has what says no more than VS Code does; a
finding that adds a reason of its own, such as what another client makes of it, stays. Fixes stay
too: they are offered at the same place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.document.skill import Skill

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.rule import Finding

REPEATED: Final = {
    "vscode": frozenset(
        {
            "name-missing",
            "name-characters",
            "name-differs-from-folder",
            "description-missing",
            "description-empty",
            "description-not-string",
        }
    ),
}
_BOOLEANS: Final = frozenset({"user-invocable", "disable-model-invocation"})
"""Keys whose values VS Code wants to be true or false."""


def without_duplicates(snapshot: Snapshot, host: str) -> Iterator[Finding]:
    """Yield a document's findings but for those that its editor has by itself."""
    repeated = REPEATED.get(host, frozenset[str]())
    document = snapshot.document
    for finding in snapshot.result.findings:
        if not isinstance(document, Skill) or not (
            finding.rule in repeated
            or (finding.rule == "client-value-invalid" and _is_boolean(document, finding))
        ):
            yield finding


def _is_boolean(skill: Skill, finding: Finding) -> bool:
    """Return whether a finding is about the value of a key that can only be true or false."""
    entries = skill.frontmatter.entries if skill.frontmatter else ()
    return any(
        entry.key in _BOOLEANS and entry.span.contains(finding.span.start) for entry in entries
    )
