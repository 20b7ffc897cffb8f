"""Windsurf, now Devin Desktop, and the Devin agent, which reads the same files."""

from __future__ import annotations

from skillgauge.clients.facts import Client, Key, Place, Quirk, Source, Substitution
from skillgauge.clients.sources import key_list

DOCS = Source("https://docs.windsurf.com/windsurf/cascade/skills", "2026-11-30")
DEVIN = Source(
    "https://docs.devin.ai/product-guides/skills",
    "2026-11-30",
    note="as others quote it",
    firsthand=False,
)
KEY_LIST = key_list("WS-SK-001")

CLIENT = Client(
    id="windsurf",
    title="Windsurf",
    behaviour=DEVIN,
    folders=(".windsurf", ".windsurfrules", ".devin", ".codeium/windsurf"),
    places=(
        Place(".windsurf/skills", "project", DOCS),
        Place(".agents/skills", "project", DEVIN),
        Place(".devin/skills", "project", DEVIN),
        Place("~/.codeium/windsurf/skills", "user", DOCS),
    ),
    reads_spec_keys=("name", "description", "allowed-tools"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    keys=(
        Key("argument-hint", "string", "What is shown as expected arguments.", DEVIN),
        Key(
            "triggers",
            "list",
            "Who may start the skill: with `[user]` the agent does not choose it by itself.",
            DEVIN,
            values=("user",),
        ),
        Key("model", "string", "The model that runs the skill.", KEY_LIST),
        Key("agent", "string", "The subagent that runs the skill.", KEY_LIST),
    ),
    substitutions=(
        Substitution("$ARGUMENTS", "All arguments.", DEVIN),
        Substitution("$N", "One argument, counted from 0.", DEVIN),
    ),
    remarks=(
        Quirk("Typing `@` and the name of a skill loads it.", DOCS),
        Quirk("Names are made of lower-case letters, digits and hyphens.", DOCS),
        Quirk("Devin takes the name of the folder where `name` is missing.", DEVIN),
        Quirk(
            "Devin's cloud reads only what is committed, and also looks into the skills folders "
            "of `.github`, `.claude`, `.cursor` and `.codex`.",
            DEVIN,
        ),
    ),
)
