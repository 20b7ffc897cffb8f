"""OpenCode, the open-source agent for the terminal."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source, Substitution
from skillgauge.clients.sources import key_list

DOCS = Source("https://opencode.ai/v1/docs/skills/", "2026-11-30", note="version 1")
DOCS_2 = Source("https://opencode.ai/v2/docs/skills", "2026-11-30", note="version 2")

CLIENT = Client(
    id="opencode",
    title="OpenCode",
    behaviour=DOCS,
    folders=(".opencode", ".config/opencode", "opencode.json", "opencode.jsonc"),
    places=(
        Place(".opencode/skills", "project", DOCS),
        Place(".claude/skills", "project", DOCS),
        Place(".agents/skills", "project", DOCS),
        Place("~/.config/opencode/skills", "user", DOCS),
        Place("~/.claude/skills", "user", DOCS),
        Place("~/.agents/skills", "user", DOCS),
    ),
    reads_spec_keys=("name", "description"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    keys=(
        Key(
            "metadata.opencode/slash",
            "string",
            'With "true" the skill is also a slash command; version 2.',
            DOCS_2,
            values=("true", "false"),
        ),
        Key(
            "metadata.opencode/autoinvoke",
            "string",
            'With "false" the model does not choose the skill by itself; version 2.',
            Source(
                "public skills and installers that rely on it",
                "2026-11-30",
                firsthand=False,
            ),
            values=("true", "false"),
        ),
        Key(
            "disable-model-invocation",
            "boolean",
            "When true the model does not choose the skill by itself; the docs do not list it.",
            key_list("OC-SK-001"),
        ),
    ),
    unknown_keys="ignored",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    budget=Budget(name_max=Figure(64, DOCS), description_max=Figure(1_024, DOCS)),
    substitutions=(
        Substitution(
            "$ARGUMENTS",
            "All arguments; replaced only when the user starts the skill as a command.",
            DOCS,
        ),
        Substitution(
            "$N",
            "One argument, counted from 1; replaced only when the user starts the skill.",
            DOCS,
        ),
    ),
    remarks=(
        Quirk(
            "Version 1 asks for a name of lower-case letters, digits and single hyphens that "
            "equals the folder; version 2 shows names with blanks.",
            DOCS,
        ),
        Quirk(
            "When the model loads the skill itself, placeholders such as `$1` stay as they are.",
            DOCS,
        ),
        Quirk("Of two skills with one name the one loaded last counts.", DOCS),
        Quirk("Which skills an agent may use is set by patterns in `opencode.json`.", DOCS),
        Quirk("From the working folder up to the root of the repository, all are searched.", DOCS),
    ),
)
