"""How full a client's list of skills is, and what it says of one that is too full."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillgauge.clients import load
from skillgauge.document.workspace import SkillSummary, Workspace
from skillgauge.listing import fullness, listings_of, overflow
from skillgauge.text import Position

START = Position(0, 0)


def workspace(*lengths: int, place: str = ".claude/skills") -> Workspace:
    """Return a project with one skill for each length of a description, named `s0` and so on."""
    skills = tuple(
        SkillSummary(
            Path(f"/p/{place}/s{index}/SKILL.md"), f"s{index}", "x" * length, "", START, START
        )
        for index, length in enumerate(lengths)
    )
    return Workspace(Path("/p"), skills)


def lists(around: Workspace, *clients: str) -> dict[str, str]:
    path = around.skills[0].path
    return {found.client.id: fullness(found) for found, _ in listings_of(around, path, clients)}


def test_how_full() -> None:
    """An entry is the name, the description and five signs around them."""
    around = workspace(393, 1_193)
    assert lists(around, "claude-code") == {
        "claude-code": "2 skills take 1,600 of 8,000 characters (20 %)"
    }
    alone = lists(workspace(73), "claude-code")
    assert alone["claude-code"] == "1 skill takes 80 of 8,000 characters (1 %)"


def test_a_client_that_looks_elsewhere_has_no_list() -> None:
    assert lists(workspace(10, place=".cursor/skills"), "claude-code") == {}
    assert "codex" in lists(workspace(10, place=".agents/skills"))
    assert "codex" not in lists(workspace(10, place=".agents/skills"), "claude-code")


@pytest.mark.parametrize(
    ("last", "percent", "full"),
    [(979, 99, False), (993, 100, False), (994, 101, True)],
)
def test_a_list_is_over_a_hundred_percent_when_it_is_full(
    last: int, percent: int, full: bool
) -> None:
    """8,000 characters fit; one more does not, and is not rounded away."""
    around = workspace(*[993] * 7, last)
    ((found, entry),) = listings_of(around, around.skills[7].path, ["claude-code"])
    assert (found.percent, found.full) == (percent, full)
    assert entry.name == "s7"


def test_every_client_with_a_budget_says_what_it_does_beyond() -> None:
    with_budget = [client for client in load() if client.budget.catalogue_chars]
    assert {"claude-code", "codex"} <= {client.id for client in with_budget}
    assert [client.id for client in with_budget if not overflow(client)] == []
