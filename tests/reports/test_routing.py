"""What users reported about skills that claim the same, and about lists that are too long.

Each test names the public report that it goes back to. Only the situation is taken from there.
"""

from __future__ import annotations

from collections.abc import Mapping

from skillgauge.engine import check, profile_settings
from skillgauge.rule import Finding

from ..helpers import skill


def text(name: str, description: str) -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\nDo it.\n"


def across(
    own: str, neighbours: Mapping[str, str], folder: str = "own", clients: tuple[str, ...] = ()
) -> list[Finding]:
    """Return the findings about a skill among its neighbours."""
    document = skill(own, folder=folder, neighbours=neighbours, clients=clients)
    findings = check(document, profile_settings()).findings
    return [finding for finding in findings if finding.code.startswith("X")]


def test_phrases_that_two_skills_claim() -> None:
    """rjmurillo/ai-agents#3736: one phrase in two skills, and nothing in either settles it."""
    own = text("curating-memories", "'Keeps memories. Use for \"how do i update a memory\".'")
    other = text("using-memory", "'Reads memories. Use for \"how do i update a memory\".'")
    (finding,) = across(own, {"other": other})
    assert finding.rule == "descriptions-collide"
    assert "how do i update a memory" in finding.message
    assert [str(item.path) for item in finding.related] == ["/workspace/other/SKILL.md"]


def test_phrase_that_one_of_them_hands_over() -> None:
    """rjmurillo/ai-agents#3736: “Do NOT use for … (use the reflect skill)” has settled the pair."""
    own = text(
        "retrospective",
        '\'Looks back. Use for "what did we learn". Do NOT use for corrections (use the reflect'
        " skill).'",
    )
    other = text("reflect", "'Learns from corrections. Use for \"what did we learn\".'")
    assert not across(own, {"other": other})
    assert not across(other, {"own": own}, folder="other")


def test_cross_references_are_no_overlap() -> None:
    """nowledge-co/community#386: pairs that exclude each other by name were called duplicates."""
    words = "invoices, receipts, ledgers, reconciliations and audit trails"
    own = text("billing-read", f"Reads {words}. Not for writing {words} (use billing-write).")
    other = text("billing-write", f"Writes {words}. Not for reading {words} (use billing-read).")
    assert not across(own, {"other": other})


def test_three_shared_words() -> None:
    """A lexical checker gave its top score to pairs that share “key”, “node” and “api”."""
    own = text("trello-api", "Moves cards by the API. Use with a key for each node of a board.")
    other = text("dht-lookup", "Finds peers. Use to look up the node of a key by its API.")
    assert not across(own, {"other": other})


def test_near_duplicates() -> None:
    """magnus919/agent-skills#406: near-verbatim trigger surfaces under different names."""
    shared = "trending movies and shows, recommendations, watchlists, ratings and box office charts"
    own = text("tmdb-cli", f"Answers what to watch. Use for {shared}.")
    other = text("trakt", f"Says what to watch tonight. Use for {shared}.")
    (finding,) = across(own, {"other": other})
    assert "“trakt”" in finding.message


def test_which_descriptions_are_cut() -> None:
    """anthropics/claude-code#56832: nobody could find out which descriptions are cut, and where."""
    long = "Deploys the site. " + "It checks all tests. " * 80
    own = text("deploy", long.strip())
    findings = across(own, {}, ".claude/skills/deploy", ("claude-code",))
    (finding,) = findings
    assert finding.rule == "description-cut-in-list"
    assert finding.tags == ("unnecessary",)
    shown = own[: finding.span.start].partition("description: ")[2]
    assert len(shown) in (1_536, 1_537)


def test_a_full_list_says_how_full() -> None:
    """anthropics/claude-code#60560, openai/codex#18298: entries vanish and nothing says so."""
    others = {
        f".claude/skills/s{number}": text(f"s{number}", "Sixteen letters." * 60)
        for number in range(9)
    }
    own = text("deploy", "Sixteen letters." * 60)
    (finding,) = across(own, others, ".claude/skills/deploy", ("claude-code",))
    assert finding.rule == "listing-budget-exceeded"
    assert "The 10 skills here fill 121% of the 8,000 characters" in finding.message


def test_a_copy_that_never_runs() -> None:
    """Two copies of one skill in the folders of two clients, edited apart: one is hidden in Amp."""
    own = text("deploy", "Deploys with checks. Use for releases.")
    other = text("deploy", "Deploys. Use for releases.")
    (finding,) = across(own, {".agents/skills/deploy": other}, ".claude/skills/deploy", ("amp",))
    assert finding.rule == "name-shadowed"
    same = across(own, {".agents/skills/deploy": own}, ".claude/skills/deploy", ("amp",))
    assert not same
