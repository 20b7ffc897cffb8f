"""Roo Code, the agent for VS Code."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source

LOADER = Source(
    "https://github.com/RooCodeInc/Roo-Code/blob/cb83656718/src/services/skills/SkillsManager.ts",
    "2026-04-14",
    note="commit cb83656",
)

CLIENT = Client(
    id="roo",
    title="Roo Code",
    behaviour=LOADER,
    folders=(".roo", ".roomodes", ".roorules"),
    places=(
        Place(".roo/skills", "project", LOADER),
        Place(".roo/skills-<mode>", "project", LOADER),
        Place(".agents/skills", "project", LOADER),
        Place(".agents/skills-<mode>", "project", LOADER),
        Place("~/.roo/skills", "user", LOADER),
        Place("~/.roo/skills-<mode>", "user", LOADER),
        Place("~/.agents/skills", "user", LOADER),
        Place("~/.agents/skills-<mode>", "user", LOADER),
    ),
    reads_spec_keys=("name", "description"),
    keys=(
        Key(
            "modeSlugs",
            "list",
            "The modes in which the skill is offered; without it, or empty, in all.",
            LOADER,
            values=("code", "architect", "ask", "debug", "orchestrator"),
        ),
        Key("mode", "string", "The older form of `modeSlugs`, for one mode.", LOADER),
    ),
    unknown_keys="ignored",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    name_must_match_folder="skipped",
    bad_yaml="skipped",
    budget=Budget(
        name_max=Figure(64, LOADER),
        description_max=Figure(1_024, LOADER),
        scan_depth=Figure(1, LOADER),
    ),
    remarks=(
        Quirk(
            "A name that differs from the folder or breaks the specification's pattern keeps the "
            "skill from loading; only the developer console says so.",
            LOADER,
        ),
        Quirk("A description over 1,024 characters keeps the skill from loading.", LOADER),
        Quirk(
            "A skill of the project wins over one of the user, and one for a mode over one for "
            "all.",
            LOADER,
        ),
    ),
)
