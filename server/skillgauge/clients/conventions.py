"""Frontmatter keys that authors write by habit although the specification does not have them.

Hardly any client reads them (`known_key` says which), so a rule that wants to say something says
where the information would count. Each was found in public skills; `version`, `tags` and `author`
are the most frequent.
"""

from __future__ import annotations

from dataclasses import dataclass

from skillgauge.clients.facts import Source
from skillgauge.clients.sources import SURVEY


@dataclass(frozen=True, slots=True)
class Convention:
    """A key in common use."""

    name: str
    meaning: str
    """What authors mean by it."""
    under_metadata: bool
    """True where it is a remark about the skill, which `metadata` would hold without loss."""
    instead: str = ""
    """The key of the specification or of a client that says the same, if there is one."""
    advice: str = ""
    """One sentence on what to do, where moving it is not the answer."""
    source: Source = SURVEY


def _about(name: str, meaning: str) -> Convention:
    return Convention(name, meaning, under_metadata=True)


def _misplaced(name: str, meaning: str, instead: str, advice: str) -> Convention:
    return Convention(name, meaning, under_metadata=False, instead=instead, advice=advice)


COMMON_KEYS = (
    # Remarks about the skill.
    _about("version", "The version of the skill."),
    _about("tags", "Words by which a catalogue finds the skill."),
    _about("author", "Who wrote the skill."),
    _about("origin", "The collection or project from which the skill comes."),
    _about("homepage", "The address of a page about the skill."),
    _about("category", "The heading under which a catalogue puts the skill."),
    _about("slug", "The skill's name in a registry."),
    _about("summary", "A short description for a catalogue."),
    _about("displayName", "A name for people to read."),
    _about("display_name", "A name for people to read."),
    _about("title", "A name for people to read."),
    _about("source", "Where the skill or its content comes from."),
    _about("source_language", "The language from which the skill was translated."),
    _about("source_book", "The book on which the skill is based."),
    _about("source_chapter", "The chapter on which the skill is based."),
    _about("edition", "The edition of that book."),
    _about("risk", "How dangerous a collection thinks the skill is."),
    _about("date_added", "When the skill was added to a collection."),
    _about("type", "The kind of skill, in the words of a collection."),
    _about("owner", "Who looks after the skill."),
    _about("service", "The service with which the skill works."),
    _about("reviewed", "Whether or when somebody reviewed the skill."),
    _about("repo", "The repository of the skill."),
    _about("repository", "The repository of the skill."),
    _about("keywords", "Words by which a catalogue finds the skill."),
    _about("library", "The library with which the skill works."),
    _about("attribution", "Whose work the skill builds on."),
    _about("data_classification", "How confidential the data is that the skill handles."),
    _about("related_skills", "Other skills that go with this one."),
    _about("related-skills", "Other skills that go with this one."),
    _about("bundle", "The bundle to which the skill belongs."),
    _about("package", "The package to which the skill belongs."),
    _about("color", "A colour for a catalogue."),
    _about("pricing_tier", "What a marketplace asks for the skill."),
    _about("pricing_model", "What a marketplace asks for the skill."),
    _about("suggested_price", "What a marketplace asks for the skill."),
    Convention(
        "dependencies",
        "What must be installed for the skill to work.",
        under_metadata=True,
        instead="compatibility",
        advice="Say in `compatibility` what the skill needs, so that agents and people see it.",
    ),
    Convention(
        "requires",
        "What must be there for the skill to work.",
        under_metadata=True,
        instead="compatibility",
        advice="Say in `compatibility` what the skill needs, so that agents and people see it.",
    ),
    Convention(
        "depends-on",
        "Other skills that this one needs.",
        under_metadata=True,
        instead="compatibility",
        advice="Say in the body which other skill to use, and when.",
    ),
    # Meant to change what an agent does, and written where no agent looks.
    _misplaced(
        "tools",
        "Tools that the skill uses.",
        "allowed-tools",
        "Use `allowed-tools` to let the skill use tools without asking.",
    ),
    _misplaced(
        "permissions",
        "What the skill is allowed to do.",
        "allowed-tools",
        "Use `allowed-tools` to let the skill use tools without asking.",
    ),
    _misplaced(
        "triggers",
        "Phrases at which the skill is to start.",
        "description",
        "Put the phrases into `description`: agents choose a skill by that alone.",
    ),
    _misplaced(
        "examples",
        "Requests at which the skill is to start, or examples of its use.",
        "description",
        "Put requests into `description` and examples into the body.",
    ),
    _misplaced(
        "argument",
        "The arguments of the skill.",
        "argument-hint",
        "Some clients show `argument-hint`.",
    ),
    _misplaced(
        "user_invocable",
        "Whether the user can start the skill by a command.",
        "user-invocable",
        "The key that clients read has a hyphen: `user-invocable`.",
    ),
    _misplaced(
        "invocable",
        "Whether the user can start the skill by a command.",
        "user-invocable",
        "The key that clients read is `user-invocable`.",
    ),
    _misplaced(
        "auto_invoke",
        "Whether the agent may start the skill by itself.",
        "disable-model-invocation",
        "The key that clients read is `disable-model-invocation`, with the opposite value.",
    ),
    _misplaced(
        "models",
        "The models for which the skill was written.",
        "compatibility",
        "Name the models in `compatibility` if the skill depends on them.",
    ),
    _misplaced(
        "agents",
        "The agents for which the skill was written, or which it uses.",
        "compatibility",
        "Name the agents in `compatibility` if the skill depends on them.",
    ),
    _misplaced("inputs", "What the skill takes.", "", "Describe in the body what the skill takes."),
    _misplaced(
        "outputs", "What the skill produces.", "", "Describe in the body what the skill produces."
    ),
    _misplaced("install", "How to install what is needed.", "", "Put the steps into the body."),
    _misplaced(
        "command",
        "The command by which the skill is started.",
        "name",
        "The command follows from the name of the folder.",
    ),
)

_BY_NAME = {convention.name: convention for convention in COMMON_KEYS}


def common_key(name: str) -> Convention | None:
    """What authors mean by a key in common use, or None for any other key."""
    return _BY_NAME.get(name)
