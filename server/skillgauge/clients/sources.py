"""Sources that several clients share."""

from __future__ import annotations

from skillgauge.clients.facts import Source

SPEC = Source("https://agentskills.io/specification", "2026-08-09")

SURVEY = Source(
    "survey of 2,999 public SKILL.md files from 40 repositories",
    "2026-11-30",
    note="near-duplicates removed",
)

REPORTS = Source(
    "survey of public issue reports about agent skills",
    "2026-11-30",
    note="what users and authors of other tools report",
    firsthand=False,
)


def key_list(rule: str) -> Source:
    """A client's keys as another linter lists them, found by giving it one key at a time."""
    return Source(
        "https://github.com/agent-sh/agnix",
        "2026-10-17",
        note=f"key list of its rule {rule}, version 0.59.3",
        firsthand=False,
    )
