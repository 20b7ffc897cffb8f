"""Amp, the agent by Sourcegraph."""

from __future__ import annotations

from skillgauge.clients.facts import Client, Place, Quirk, Source
from skillgauge.clients.sources import key_list

OTHERS = Source(
    "https://syllago.dev/using-syllago/providers/amp/skills/",
    "2026-11-30",
    note="quotes https://ampcode.com/manual#agent-skills",
    firsthand=False,
)

CLIENT = Client(
    id="amp",
    title="Amp",
    behaviour=OTHERS,
    folders=(".amp", ".config/amp"),
    places=(
        Place(".agents/skills", "project", OTHERS),
        Place(".claude/skills", "project", OTHERS),
        Place("~/.config/agents/skills", "user", OTHERS),
        Place("~/.config/amp/skills", "user", OTHERS),
        Place("~/.claude/skills", "user", OTHERS),
    ),
    reads_spec_keys=("name", "description"),
    needs_name=True,
    needs_description=True,
    remarks=(
        Quirk(
            "A copy in `.agents/skills` hides one of the same name in `.claude/skills`.",
            key_list("AMP-SK-002"),
        ),
        Quirk("Skills in folders too far down are not found.", key_list("AMP-SK-003")),
    ),
)
