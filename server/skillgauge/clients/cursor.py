"""Cursor, the editor and its command line."""

from __future__ import annotations

from skillgauge.clients.facts import Client, Key, Place, Quirk, Source
from skillgauge.clients.sources import REPORTS, key_list

DOCS = Source("https://cursor.com/docs/context/skills", "2026-11-30")
FIELDS = Source(
    "https://syllago.dev/using-syllago/providers/cursor/skills/",
    "2026-11-30",
    firsthand=False,
)
PLACES = Source(
    "https://cursor.com/docs/skills",
    "2026-11-30",
    note="as others quote it",
    firsthand=False,
)
KEY_LIST = key_list("CR-SK-001")

CLIENT = Client(
    id="cursor",
    title="Cursor",
    behaviour=FIELDS,
    folders=(".cursor", ".cursor-plugin", ".cursorrules"),
    places=(
        Place(".cursor/skills", "project", PLACES),
        Place(".agents/skills", "project", PLACES),
        Place(".claude/skills", "project", PLACES),
        Place(".codex/skills", "project", PLACES),
        Place("~/.cursor/skills", "user", PLACES),
        Place("~/.agents/skills", "user", PLACES),
    ),
    reads_spec_keys=("name", "description"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    keys=(
        Key(
            "disable-model-invocation",
            "boolean",
            "When true the skill is a slash command only and is not offered to the agent.",
            FIELDS,
        ),
        Key(
            "paths",
            "string-or-list",
            "Glob patterns of the files for which the skill is meant.",
            KEY_LIST,
        ),
        Key("globs", "string-or-list", "The older name of `paths`.", KEY_LIST),
        Key("icon", "string", "An icon for the user interface.", KEY_LIST),
    ),
    needs_name=True,
    needs_description=True,
    remarks=(
        Quirk("Skills are found at start; `/` in the chat starts one by name.", DOCS),
        Quirk(
            "Some versions read the description as `>` or `|` when it was a block over several "
            "lines.",
            REPORTS,
        ),
        Quirk(
            "`~/.cursor/skills-cursor` is reserved for Cursor's own skills.",
            Source(
                "https://agentskills.market/skills/tannishmango-skills-skill-authoring",
                "2026-11-30",
                firsthand=False,
            ),
        ),
    ),
)
