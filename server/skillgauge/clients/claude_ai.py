"""Skills uploaded to claude.ai, created by the Skills API, or packed by `package_skill.py`."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Quirk, Source
from skillgauge.clients.sources import REPORTS

DOCS = Source(
    "https://code.claude.com/docs/en/skills",
    "2026-08-22",
    note="its section on frontmatter outside Claude Code",
)
API = Source(
    "https://platform.claude.com/docs/en/build-with-claude/skills-guide",
    "2026-11-30",
    note="read in a public copy of the page",
)

CLIENT = Client(
    id="claude-ai",
    title="Upload to claude.ai",
    behaviour=DOCS,
    folders=(),
    places=(),
    reads_spec_keys=(
        "name",
        "description",
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
    ),
    unknown_keys="error",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    budget=Budget(
        name_max=Figure(64, API),
        description_max=Figure(1_024, API),
        upload_bytes=Figure(30 * 1024 * 1024, API),
    ),
    remarks=(
        Quirk("Any key that the specification does not have is a hard error.", DOCS),
        Quirk("The name may contain neither `anthropic` nor `claude`.", API),
        Quirk("Name and description may hold no XML tags, such as `<file>`.", API),
        Quirk("SKILL.md must be at the top, and all files under one folder.", API),
        Quirk(
            "Commands that Claude Code runs while it loads a skill do nothing here.",
            DOCS,
        ),
        Quirk("The web form has been seen to stop descriptions at 200 characters.", REPORTS),
    ),
)
