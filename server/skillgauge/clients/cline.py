"""Cline, in VS Code and in the terminal."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source
from skillgauge.clients.sources import key_list

DOCS = Source("https://docs.cline.bot/customization/skills", "2026-08-22")
LOADER = Source(
    "https://github.com/cline/cline/blob/21cb8d2525/"
    "apps/vscode/src/core/context/instructions/user-instructions/skills.ts",
    "2026-08-22",
    note="commit 21cb8d2",
)
FOLDERS = Source(
    "https://github.com/cline/cline/blob/21cb8d2525/"
    "apps/vscode/src/core/storage/skill-directories.ts",
    "2026-08-22",
    note="commit 21cb8d2",
)

CLIENT = Client(
    id="cline",
    title="Cline",
    behaviour=LOADER,
    folders=(".cline", ".clinerules"),
    places=(
        Place(".cline/skills", "project", FOLDERS),
        Place(".clinerules/skills", "project", FOLDERS),
        Place(".claude/skills", "project", FOLDERS),
        Place(".agents/skills", "project", FOLDERS),
        Place("~/.cline/skills", "user", FOLDERS),
        Place("~/.agents/skills", "user", FOLDERS),
    ),
    reads_spec_keys=("name", "description"),
    keys=(
        Key(
            "disabled",
            "boolean",
            "When true the skill is switched off; Cline writes it itself when the user does so.",
            LOADER,
        ),
    ),
    unknown_keys="ignored",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    name_must_match_folder="skipped",
    bad_yaml="skipped",
    budget=Budget(description_max=Figure(1_024, DOCS), scan_depth=Figure(1, LOADER)),
    remarks=(
        Quirk("A name that differs from the folder keeps the skill from loading.", LOADER),
        Quirk("A skill of the user's wins over one of the project's with the same name.", DOCS),
        Quirk("A skill without a body is reported as faulty.", key_list("CL-SK-004")),
        Quirk(
            "Switching a skill on or off rewrites its frontmatter, so comments in it are lost.",
            LOADER,
        ),
    ),
)
