"""What a description claims, what it leaves to others, and whom it names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.claims import MAX_TEXT, read_claims
from skillgauge.document.vocabulary import stem, terms


@pytest.mark.parametrize(
    ("text", "claimed", "names"),
    [
        ("Deploys a preview. Not for production: use deploy-all.", "preview", ["deploy-all"]),
        (
            "Draws maps. Do NOT use for production of charts (use chart-maker).",
            "maps",
            ["chart-maker"],
        ),
        ("Writes. For production emails, see cold-email.", "writes", ["cold-email"]),
        ("Plans, production → make-it, stores → keep-it.", "", ["make-it", "keep-it"]),
        ("Use to convert files; not for production — use [[view-it]].", "convert", ["view-it"]),
        ("Makes drafts rather than production copies.", "drafts", []),
        ("DO NOT USE FOR: production, one-shot tasks (use fixer), reviews.", "", ["fixer"]),
    ],
)
def test_negative_clauses(text: str, claimed: str, names: list[str]) -> None:
    """Words that are left to others are not claimed, and names are found."""
    claims = read_claims(text)
    said = " ".join(claims.claimed).lower()
    assert claimed in said
    assert "production" not in said
    assert "production" in " ".join(claims.left).lower()
    assert [handover.name for handover in claims.handovers] == names
    for handover in claims.handovers:
        assert text[handover.span.start : handover.span.end] == handover.name


def test_negative_clause_ends() -> None:
    """A clause in brackets ends there, and “use when” begins a new claim."""
    claims = read_claims(
        "Runs tests (not for load tests) of services. Do not use for docs, but use it for schemas."
    )
    said = " ".join(claims.claimed)
    assert "of services" in said
    assert "schemas" in said
    assert "load tests" not in said
    assert "docs" not in said


def test_phrases() -> None:
    """Quoted requests and lists of triggers count, those in negative clauses don't."""
    claims = read_claims(
        'Use for "Fix the build!" and ‘no’. TRIGGERS - cast format, event codes. Not for "go live".'
    )
    assert claims.phrases == {"fix the build", "cast format", "event codes"}


def test_this_skill_is_no_name() -> None:
    """“Use this skill for tests” hands nothing over."""
    claims = read_claims("Use this skill for tests. Use it when asked. See the docs.")
    assert [handover.name for handover in claims.handovers] == ["docs"]
    assert "tests" in " ".join(claims.claimed)


def test_terms_and_stems() -> None:
    """Words of grammar are dropped, forms meet in one stem, Chinese is read by two signs."""
    assert terms("Use when the user asks to deploy C++ and .NET apps") == [
        "deploy",
        "c++",
        "net",
        "apps",
    ]
    assert stem("deploys") == stem("deployment") == stem("deploying") == "deploy"
    assert stem("use") == "use"
    assert terms("需求分析") == ["需求", "求分", "分析"]


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    """Nothing is lost and nothing is claimed twice, whatever the text."""
    claims = read_claims(text)
    total = sum(len(part) for part in (*claims.claimed, *claims.left))
    assert total <= len(text)
    for handover in claims.handovers:
        assert text[handover.span.start : handover.span.end] == handover.name


@pytest.mark.parametrize("piece", ["for ", "use a-b; ", "not for (", '"', "→", "for use → ", ". "])
def test_long_texts_take_no_time(piece: str) -> None:
    """A text made to be slow is read within bounds, since only its beginning is looked at."""
    start = time.process_time()
    read_claims(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 2
    assert MAX_TEXT < 5_000
