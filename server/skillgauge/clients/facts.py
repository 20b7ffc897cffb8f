"""The shape of what is known about a client: every fact carries where and when it was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

KeyType = Literal["string", "boolean", "string-or-list", "map", "list", "enum"]
Scope = Literal["project", "user", "system", "plugin"]
UnknownKeys = Literal["ignored", "warning", "error", "unknown"]
Standing = Literal["read", "accepted", "ignored", "warning", "error", "unknown"]
NameMismatch = Literal["no", "warning", "skipped"]
ToolsForm = Literal["blanks", "commas", "list"]
# What becomes of a skill whose frontmatter is not YAML: it is left out, it loads without any
# metadata, or a simpler parser reads `key: value` lines after all.
BadYaml = Literal["skipped", "loaded without metadata", "read line by line"]


def words(text: str) -> tuple[str, ...]:
    """The words of a text: for long lists of plain names."""
    return tuple(text.split())


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from, and the day on which that source said so."""

    url: str
    """A public address, or the name of a document that has none."""
    checked: str
    """ISO date: the source's own where it has one, else the day on which it was read."""
    note: str = ""
    firsthand: bool = True
    """False when somebody else reports it and the client's own docs or code were not read."""


@dataclass(frozen=True, slots=True)
class Key:
    """One frontmatter key. A dot names a key inside a map: `metadata.openclaw`."""

    name: str
    type: KeyType
    meaning: str
    """One sentence, shown on hover."""
    source: Source
    values: tuple[str, ...] = ()
    """For an enum all values there are, otherwise suggestions."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of skill folders. `~` is the home folder, `<...>` stands for what varies."""

    path: str
    scope: Scope
    source: Source


@dataclass(frozen=True, slots=True)
class Figure:
    """A limit or a budget."""

    value: int
    source: Source


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a client; None where none is known."""

    name_max: Figure | None = None
    """Characters of a name; a longer one is refused."""
    description_max: Figure | None = None
    """Characters of a description; a longer one is refused or against the client's own rules."""
    description_cut: Figure | None = None
    """Characters of a description that reach the list of skills; the rest is cut off."""
    catalogue_percent: Figure | None = None
    """Percent of the context window that the whole list of skills may take."""
    catalogue_chars: Figure | None = None
    """Characters for the whole list where the size of the context window is not known."""
    kept_tokens: Figure | None = None
    """Tokens of one used skill that survive a compaction of the conversation."""
    kept_tokens_total: Figure | None = None
    """The same for all used skills together."""
    upload_bytes: Figure | None = None
    """Bytes of all files of a skill together."""
    scan_depth: Figure | None = None
    """Folder levels below a skills folder in which SKILL.md is found."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """A placeholder in the body that the client replaces before the model reads it."""

    name: str
    meaning: str
    source: Source


@dataclass(frozen=True, slots=True)
class Quirk:
    """A consequence worth knowing, in one sentence."""

    text: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """An agent that reads skills."""

    id: str
    title: str
    """The subject of sentences: "Codex ignores it"."""
    behaviour: Source
    """Where its keys of the specification and everything from `unknown_keys` to
    `allowed_tools_forms` come from."""
    folders: tuple[str, ...]
    """Files and folders whose presence in a workspace says that this client is used there."""
    places: tuple[Place, ...]
    reads_spec_keys: tuple[str, ...]
    """The keys of the specification that change what the client does."""
    accepts_spec_keys: tuple[str, ...] = ()
    """Those that it takes, as far as is known without any effect."""
    keys: tuple[Key, ...] = ()
    """Keys beyond the specification."""
    own_meanings: tuple[Key, ...] = ()
    """Keys of the specification that it understands in a way of its own."""
    unknown_keys: UnknownKeys = "unknown"
    needs_frontmatter: bool | None = None
    needs_name: bool | None = None
    needs_description: bool | None = None
    name_must_match_folder: NameMismatch | None = None
    bad_yaml: BadYaml | None = None
    allowed_tools_forms: tuple[ToolsForm, ...] = ()
    budget: Budget = field(default_factory=Budget)
    tools: tuple[str, ...] = ()
    former_tools: tuple[str, ...] = ()
    """Names of tools that were renamed or taken away."""
    tools_source: Source | None = None
    former_tools_source: Source | None = None
    substitutions: tuple[Substitution, ...] = ()
    remarks: tuple[Quirk, ...] = ()

    @property
    def quirks(self) -> tuple[str, ...]:
        """The remarks without their sources."""
        return tuple(remark.text for remark in self.remarks)

    def key(self, name: str) -> Key | None:
        """What the client itself says of that key, if it says anything."""
        return next((key for key in self.keys + self.own_meanings if key.name == name), None)
