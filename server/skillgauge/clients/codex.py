"""OpenAI Codex: the command line, the editor extension and the app."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source
from skillgauge.clients.sources import REPORTS

DOCS = Source("https://developers.openai.com/codex/skills", "2026-11-30")
LOADER = Source(
    "https://github.com/openai/codex/blob/c9d127cf06ca42e1fd51a4f148b3c9ae086f5ae4/"
    "codex-rs/core-skills/src/loader.rs",
    "2026-11-30",
    note="commit c9d127c",
)
VALIDATOR = Source(
    "https://github.com/affaan-m/ECC/issues/1587",
    "2026-11-30",
    note="quotes the validator of Codex's skill-creator",
    firsthand=False,
)

CLIENT = Client(
    id="codex",
    title="Codex",
    behaviour=LOADER,
    folders=(".codex", ".codex-plugin"),
    places=(
        Place(".agents/skills", "project", LOADER),
        Place(".codex/skills", "project", LOADER),
        Place("~/.agents/skills", "user", LOADER),
        Place("~/.codex/skills", "user", LOADER),
        Place("/etc/codex/skills", "system", LOADER),
        Place("<plugin>/skills", "plugin", LOADER),
    ),
    reads_spec_keys=("name", "description", "metadata"),
    keys=(
        Key(
            "metadata.short-description",
            "string",
            "A shorter description for the user interface, in at most 1,024 characters.",
            LOADER,
        ),
    ),
    unknown_keys="ignored",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    name_must_match_folder="no",
    bad_yaml="skipped",
    budget=Budget(
        name_max=Figure(64, LOADER),
        description_max=Figure(1_024, LOADER),
        catalogue_percent=Figure(2, DOCS),
        catalogue_chars=Figure(8_000, DOCS),
        scan_depth=Figure(6, LOADER),
    ),
    remarks=(
        Quirk(
            "How a skill looks and whether it may start by itself is set in `agents/openai.yaml`, "
            "not in the frontmatter.",
            LOADER,
        ),
        Quirk(
            "The docs require a name and many versions skip a skill without one; newer code takes "
            "the name of the folder.",
            LOADER,
        ),
        Quirk("A name or description over its limit makes Codex skip the skill.", LOADER),
        Quirk(
            "An unquoted colon in the description makes Codex skip the skill with a message.",
            Source("https://github.com/openai/codex/issues/8609", "2026-11-30", firsthand=False),
        ),
        Quirk(
            "When the list outgrows its budget, descriptions are shortened first and then whole "
            "skills are left out.",
            DOCS,
        ),
        Quirk("Two skills of one name are both listed.", REPORTS),
        Quirk(
            "The validator of its skill-creator refuses every key but name, description, license, "
            "allowed-tools and metadata; the agent itself does not.",
            VALIDATOR,
        ),
    ),
)
