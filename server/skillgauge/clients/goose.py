"""goose, the open-source agent for desktop and terminal."""

from __future__ import annotations

from skillgauge.clients.facts import Client, Place, Quirk, Source

DOCS = Source(
    "https://github.com/aaif-goose/goose/blob/c634acd22e045a59bb093b1be5da522ee1df7c9d/"
    "documentation/docs/guides/context-engineering/using-skills.md",
    "2026-11-30",
    note="commit c634acd",
)

CLIENT = Client(
    id="goose",
    title="goose",
    behaviour=DOCS,
    folders=(".goose", ".goosehints", ".config/goose"),
    places=(
        Place(".agents/skills", "project", DOCS),
        Place(".goose/skills", "project", DOCS),
        Place(".claude/skills", "project", DOCS),
        Place("~/.agents/skills", "user", DOCS),
        Place("~/.claude/skills", "user", DOCS),
    ),
    reads_spec_keys=("name", "description"),
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    remarks=(
        Quirk("Skills need its built-in Summon extension, version 1.25 or later.", DOCS),
        Quirk("All folders but `.agents/skills` are read for compatibility only.", DOCS),
    ),
)
