"""Kiro, the editor and its command line."""

from __future__ import annotations

from skillgauge.clients.facts import Client, Place, Quirk, Source
from skillgauge.clients.sources import key_list

DOCS = Source("https://kiro.dev/docs/cli/skills", "2026-11-30")
PLACES = Source(
    "https://kiro.dev/docs/skills",
    "2026-11-30",
    note="as others quote it",
    firsthand=False,
)

CLIENT = Client(
    id="kiro",
    title="Kiro",
    behaviour=key_list("KR-SK-001"),
    folders=(".kiro",),
    places=(
        Place(".kiro/skills", "project", PLACES),
        Place("~/.kiro/skills", "user", PLACES),
    ),
    reads_spec_keys=("name", "description"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    remarks=(
        Quirk("A skill is also a slash command under its name.", DOCS),
        Quirk(
            "License, compatibility and metadata are on its list of keys.",
            key_list("KR-SK-001"),
        ),
        Quirk("A vague description is warned about.", key_list("KR-SK-002")),
    ),
)
