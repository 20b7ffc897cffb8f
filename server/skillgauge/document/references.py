"""The files that a skill's text refers to, however it is written, each with its range and target.

Links, images and definitions; `{baseDir}/…` and `${CLAUDE_SKILL_DIR}/…`; `@file.md`; paths in code
spans, in prose and in the commands of shell fences. What is meant as an example is left out as far
as the text shows it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from skillgauge.document.folder import FileInfo, Folder, normalise
from skillgauge.document.markdown import Link, Markdown
from skillgauge.document.mentions import Mention, created, mentions
from skillgauge.document.paths import BUNDLED, has_ending, is_placeholder, is_url, split
from skillgauge.document.shell import Invocation
from skillgauge.text import Span

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill

MAX_NAMES: Final = 60
"""Files right in the folder beyond that are not looked for by name alone."""

Kind = Literal["link", "image", "code", "bare", "fence", "variable", "import"]


class Reference(NamedTuple):
    """One place of a document that refers to a file."""

    span: Span
    """The path as written, variable and anchor included."""
    path: str
    """The path alone, decoded; empty for a link to an anchor of the same document."""
    path_span: Span
    kind: Kind
    anchor: str | None = None
    anchor_span: Span | None = None
    target: str | None = None
    """The path from the skill's folder; None if it leaves the folder or its root is unknown."""
    exists: bool | None = None
    """Whether the target is there; None where that can't be known."""
    escapes: bool = False
    absolute: bool = False
    created: bool = False
    """Whether commands of the document make the target, so that it need not be there."""
    link: Link | None = None
    invocation: Invocation | None = None

    def touches(self, offset: int) -> bool:
        """Return whether a cursor stands in the reference, or in the link that it belongs to."""
        return self.span.contains(offset) or (
            self.link is not None and self.link.span.contains(offset)
        )


def references(skill: Skill) -> tuple[Reference, ...]:
    """Return the references of a skill in the order of its text."""
    return read_references(skill.markdown, skill.folder)


def read_references(
    markdown: Markdown, folder: Folder | None, base: str = ""
) -> tuple[Reference, ...]:
    """Return the references of a Markdown document of a skill's folder; `base` is its directory."""
    reader = _Reader(markdown, folder, base)
    return tuple(sorted(reader.read(), key=lambda reference: reference.span))


class _Reader:
    """Knows the document and the folder that paths are resolved in."""

    def __init__(self, markdown: Markdown, folder: Folder | None, base: str) -> None:
        self.markdown, self.folder, self.base = markdown, folder, base
        self.files: Mapping[str, FileInfo] = folder.files if folder else {}
        self.directories = folder.directories if folder else frozenset[str]()
        self.own = f"/{folder.name}/" if folder and folder.name else "\0"
        tops = {path for path in self.directories if "/" not in path}
        self.tops = BUNDLED | tops

    def read(self) -> Iterator[Reference]:
        aimed: set[Span] = set()
        for link in self.markdown.links:
            if link.kind in ("inline", "reference") and link.target not in aimed:
                if link.kind == "reference":
                    aimed.add(link.target)
                found = self.link(link)
                if found:
                    yield found
        yield from self.html()
        names = [path for path in self.files if self.has_own_name(path)]
        for mention in mentions(self.markdown, names[:MAX_NAMES], self.wanted):
            found = self.mention(mention)
            if found:
                yield found

    @cached_property
    def made(self) -> frozenset[str]:
        return created(self.markdown)

    @staticmethod
    def has_own_name(path: str) -> bool:
        """Return whether a file is named in a text without a folder before it."""
        return "/" not in path and "." in path[1:] and path.lower() != "skill.md"

    def exists(self, target: str) -> bool | None:
        if self.folder is None:
            return None
        if target in self.files or target in self.directories or target == "":
            return True
        return False if self.folder.complete else None

    def link(self, link: Link) -> Reference | None:
        destination = link.destination.strip()
        if link.target.start == link.target.end or not destination or is_url(destination):
            return None
        kind: Kind = "image" if link.image else "link"
        return self.destination(destination, link.target, kind, link)

    def destination(
        self, destination: str, span: Span, kind: Kind, link: Link | None = None
    ) -> Reference | None:
        """Return the reference that a link's destination makes."""
        written = split(destination)
        raw = self.markdown.text[span.start : span.end]
        hash_at = raw.find("#")
        path_end = span.start + (hash_at if hash_at >= 0 else len(raw))
        query_at = raw.find("?", 0, path_end - span.start)
        if query_at >= 0:
            path_end = span.start + query_at
        anchor_span = Span(span.start + hash_at + 1, span.end) if hash_at >= 0 else None
        base = Reference(
            span,
            written.path,
            Span(min(span.start + written.skip, path_end), path_end),
            "variable" if written.root in ("skill", "likely", "unknown") else kind,
            written.anchor,
            anchor_span,
            link=link,
        )
        if written.root == "unknown":
            return base
        if written.root == "absolute":
            return base._replace(absolute=True)
        if not written.path:
            own = written.anchor is not None and written.root == ""
            return base._replace(target="", exists=True) if own else None
        found = self.resolved(base, self.base if written.root == "" else "")
        return None if found and written.root == "likely" and not found.exists else found

    def resolved(self, reference: Reference, base: str) -> Reference | None:
        """Add target and existence to a relative reference; None for one that is an example."""
        path = reference.path.replace("\\", "/")
        joined = posixpath.join(base, path) if base else path
        target = normalise(joined)
        if target is None:
            if is_placeholder(path.lstrip("./")):
                return None
            return reference._replace(escapes=True)
        exists = self.exists(target)
        if not exists and base and (inner := normalise(path)) and self.exists(inner):
            target, exists = inner, True
        if not exists and is_placeholder(path):
            return None
        created = not exists and self.makes(target)
        return reference._replace(target=target, exists=exists, created=created)

    def makes(self, target: str) -> bool:
        parts = target.split("/")
        return any("/".join(parts[:count]) in self.made for count in range(1, len(parts) + 1))

    def html(self) -> Iterator[Reference]:
        for html in self.markdown.html:
            for match in _ATTRIBUTE.finditer(self.markdown.text, html.span.start, html.span.end):
                destination = match["value"].strip()
                if destination and not is_url(destination):
                    kind: Kind = "image" if match["name"].lower() == "src" else "link"
                    found = self.destination(destination, Span(*match.span("value")), kind)
                    if found:
                        yield found

    def wanted(self, mention: Mention) -> bool:
        """Return whether a path may be a file of the skill at all."""
        path = mention.text.removeprefix("./")
        if path in self.files or path.partition("/")[0] in self.tops:
            return True
        return bool(mention.root) or self.own in mention.text or (bool(self.base) and "/" in path)

    def mention(self, mention: Mention) -> Reference | None:
        span, path, kind = mention.span, mention.text, mention.place
        place = Span(span.start - len(mention.root), span.end)
        whole = f"/{mention.root}{path}"
        inside = whole.rfind(self.own) + len(self.own)
        if inside >= len(self.own) and "skills/" in whole[:inside]:  # .claude/skills/NAME/…
            return self.judged(mention, whole[inside:], place, kind, "")
        if mention.root == "@":
            known = path.split("/")[0] in self.tops or path.startswith("./")
            if not (_IMPORT.search(path) and (known or self.exists(path))):
                return None
            return self.judged(mention, path, place, "import", self.base)
        if mention.root:
            root = split(mention.root + path).root
            if root == "unknown":
                return Reference(place, path, span, "variable", invocation=mention.invocation)
            if root not in ("skill", "likely"):
                return None
            found = self.judged(mention, path, place, "variable", "")
            return None if found and root == "likely" and not found.exists else found
        return self.judged(mention, path, place, kind, self.base)

    def judged(
        self, mention: Mention, path: str, place: Span, kind: Kind, base: str
    ) -> Reference | None:
        """Resolve a mention; one of a file that isn't there counts below a known folder only."""
        if not path or (path.startswith("../") and not base):
            return None
        where = Span(mention.span.end - len(path), mention.span.end)
        made = Reference(place, path, where, kind, invocation=mention.invocation)
        found = self.resolved(made, base)
        if found is None or found.escapes or not found.target:
            return None
        if found.exists:
            return found if found.target in self.files or path.endswith("/") else None
        top, slash, _ = path.removeprefix("./").partition("/")
        if kind != "import" and (not slash or (top not in self.tops and kind != "variable")):
            return None
        if mention.place == "fence" and mention.invocation is None:
            return None
        return found if has_ending(found.target) else None


_ATTRIBUTE: Final = re.compile(
    r"\b(?P<name>src|href)\s*=\s*(?P<mark>[\"'])(?P<value>[^\"'<>\r\n]*)(?P=mark)", re.IGNORECASE
)
_IMPORT: Final = re.compile(r"\.(?:md|mdx|txt|json|ya?ml|toml|py|sh|js|ts)\Z")
