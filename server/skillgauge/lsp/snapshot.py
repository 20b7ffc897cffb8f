"""One version of one document with what was known around it: frozen, shared, computed once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.discover import find_skill
from skillgauge.document.evals import EvalFile
from skillgauge.document.files import MAX_BYTES, is_binary, read_file, too_large
from skillgauge.document.skill import Skill
from skillgauge.engine import Document, Result, check
from skillgauge.lsp.uris import Kind
from skillgauge.rules import all_rules
from skillgauge.suppress import MARK
from skillgauge.text import Text

if TYPE_CHECKING:
    from skillgauge.config import Config
    from skillgauge.document.workspace import Workspace
    from skillgauge.lsp.kept_folder import KeptFolder
    from skillgauge.rule import Finding
    from skillgauge.structure import Structure

_OF_TEXT_ALONE: Final = ("frontmatter", "body", "markdown")
"""What a `Skill` keeps of its text, whatever lies around it."""
_FINDINGS: Final = ("result", "structure", "digest")


@dataclass(frozen=True)
class Around:
    """What was known around a document at one moment."""

    config: Config
    clients: tuple[str, ...]
    """Ids of the clients that the workspace targets."""
    folder: KeptFolder | None
    """The skill's folder, also for an evaluation file; the file's own for any other file."""
    workspace: Workspace | None

    def differs(self, other: Around) -> bool:
        """Return whether another moment may have other findings, apart from those on neighbours."""
        return (
            self.folder is not other.folder
            or self.clients != other.clients
            or self.config != other.config
        )


@dataclass(frozen=True)
class Snapshot:
    """One version of one document.

    Handlers take it and never look back at the session, so that an answer is about one text.
    """

    uri: str
    version: int | None
    text: Text
    kind: Kind
    path: Path | None
    around: Around
    problem: str = ""
    """Why rules can't judge the text."""

    @property
    def config(self) -> Config:
        """The configuration in force."""
        return self.around.config

    @property
    def clients(self) -> tuple[str, ...]:
        """Ids of the clients that the workspace targets."""
        return self.around.clients

    @property
    def folder(self) -> KeptFolder | None:
        """The listing of the skill's folder."""
        return self.around.folder

    @property
    def workspace(self) -> Workspace | None:
        """The skills around, None until they are known."""
        return self.around.workspace

    @cached_property
    def document(self) -> Document | None:
        """The parsed document, None for files that rules don't judge."""
        if self.kind is Kind.SKILL:
            return self.skill
        if self.kind is Kind.EVALS:
            text = Text("") if self.problem else self.text
            return EvalFile(text, self.path, self._skill_beside(), self.problem)
        return None

    @cached_property
    def skill(self) -> Skill:
        """The document read as a skill: also right for any other Markdown file's navigation."""
        text = Text("") if self.problem else self.text
        return Skill(text, self.path, self.folder, self.workspace, self.clients, self.problem)

    def _skill_beside(self) -> Skill | None:
        found = find_skill(str(self.folder.root)) if self.folder else None
        if found is None:
            return None
        text, problem = read_file(Path(found))
        return Skill(text, Path(found), self.folder, self.workspace, self.clients, problem)

    @cached_property
    def result(self) -> Result:
        """The findings, without the structural score: nobody waits for that while typing."""
        if self.document is None:
            return Result((), None)
        settings = self.config.settings(self.path)
        before = self.before
        if before is None or MARK in self.text.content:
            return check(self.document, settings, structure=False)
        comparing = [rule for rule in all_rules() if "workspace" in rule.needs]
        codes = {rule.code for rule in comparing}
        now = check(self.document, settings, rules=comparing, structure=False)
        kept = [item for item in before.findings if item.code not in codes]
        found = sorted([*kept, *now.findings], key=lambda item: (item.span, item.code))
        return replace(before, findings=tuple(found))

    @cached_property
    def structure(self) -> Structure | None:
        """The structural score, None for what has none."""
        if self.kind is not Kind.SKILL:
            return None
        deducting = [rule for rule in all_rules() if rule.deduction is not None]
        return check(self.skill, self.config.settings(self.path), rules=deducting).structure

    @cached_property
    def before(self) -> Result | None:
        """An earlier result, out of date only in what it says of neighbours."""
        return None

    def mends(self, finding: Finding) -> bool:
        """Return whether a finding's fix does what it says, found out once; see `fix.mends`."""
        known = self._verdicts.get(finding)
        if known is None:
            from skillgauge.fix import mends

            settings, before = self.config.settings(self.path), self.result.findings
            known = self.document is not None and mends(self.document, finding, before, settings)
            self._verdicts[finding] = known
        return known

    @cached_property
    def _verdicts(self) -> dict[Finding, bool]:
        return {}

    @cached_property
    def digest(self) -> str:
        """A hash of what a client is shown, so that equal reports are told as unchanged."""
        shown = hashlib.blake2b(digest_size=16)
        for item in self.result.findings:
            places = (self.text.position(item.span.start), self.text.position(item.span.end))
            parts = (places, item.code, item.severity, item.message, item.tags, item.related)
            shown.update(repr((parts, item.fix and item.fix.safe)).encode("utf-8", "replace"))
        return shown.hexdigest()

    def following(self, old: Snapshot) -> Snapshot:
        """Return this with what an older snapshot of the same text knows; the old one if equal.

        What is worked out lies in the instance's own dictionary, where it can be handed over.
        """
        if old.text != self.text or old.problem != self.problem or old.kind != self.kind:
            return self
        known, own = vars(old), vars(self)
        if not self.around.differs(old.around):
            if self.around.workspace is old.around.workspace:
                if self.version == old.version:
                    return old
                own.update({key: known[key] for key in _FINDINGS if key in known})
            elif "result" in known:
                own["before"] = known["result"]
        if "skill" in known:
            parts = vars(old.skill)
            vars(self.skill).update({key: parts[key] for key in _OF_TEXT_ALONE if key in parts})
        return self

    def slim(self) -> None:
        """Forget what can be worked out again, once the findings are known."""
        _ = self.digest
        for key in ("skill", "document"):
            vars(self).pop(key, None)


def problem_of(text: str) -> str:
    """Return why a text that an editor holds can't be judged: the limits are those of files."""
    size = len(text)
    if size <= MAX_BYTES < 4 * size:
        size = len(text.encode("utf-8", "surrogatepass"))
    if problem := too_large(size):
        return problem
    if is_binary(text[:8192].encode("utf-8", "surrogatepass")):
        return "it is a binary file"
    return ""
