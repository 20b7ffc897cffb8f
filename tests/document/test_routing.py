"""Which skills collide: symmetric, bounded, and worked out once for each workspace."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.document import routing, workspace
from skillgauge.document.routing import MAX_POSTINGS, Collision, collisions
from skillgauge.document.workspace import SkillSummary, Workspace
from skillgauge.text import Position

AUTH = (
    "Implement Zoom authentication. Use when choosing app credentials, an OAuth grant, scopes, or "
    "debugging token refresh failures."
)
OAUTH = (
    "Reference for Zoom authentication. Use when choosing app credentials, grant types, scopes, "
    "token refresh, or debugging OAuth failures."
)


def summary(name: str, description: str, *, path: str = "", visible: bool = True) -> SkillSummary:
    where = Path("/w", path or f"skills/{name}", "SKILL.md")
    return SkillSummary(where, name, description, "", Position(2, 0), Position(2, 9), visible)


def pairs(found: dict[Path, tuple[Collision, ...]]) -> set[tuple[str, str]]:
    return {
        (path.parent.name, collision.other.name)
        for path, items in found.items()
        for collision in items
    }


def test_both_sides_are_told() -> None:
    """Each of the two gets the other, with the words as it writes them itself."""
    found = collisions([summary("auth", AUTH), summary("oauth", OAUTH)])
    assert pairs(found) == {("auth", "oauth"), ("oauth", "auth")}
    (one,), (other,) = found.values()
    assert one.similarity == other.similarity
    assert set(one.words) <= set(AUTH.lower().replace(",", "").replace(".", "").split())


@pytest.mark.parametrize(
    "added",
    [
        " To look things up, use oauth.",
        " Not for reference, see the `oauth` skill.",
        " (reference → oauth)",
    ],
)
def test_naming_the_other_settles_the_pair(added: str) -> None:
    """One description that names the other is enough."""
    assert not collisions([summary("auth", AUTH + added), summary("oauth", OAUTH)])


def test_a_word_of_its_own_tells_sisters_apart() -> None:
    """A word in name and first sentence that the other lacks says which is which."""
    text = (
        "Verification loop for {} projects: build, static analysis, tests with coverage, security"
        " scans and diff review."
    )
    made = [
        summary(f"{name.lower()}-loop", text.format(name))
        for name in ("Django", "Laravel", "Quarkus")
    ]
    assert not collisions(made)
    assert collisions(
        [summary("one-loop", text.format("Django")), summary("two-loop", text.format("Django"))]
    )


def test_requests_that_both_claim() -> None:
    """One longer request or two short ones are enough, one short one is not."""
    one = 'Finds faults in the voice. Use for "voice does not work".'
    assert collisions(
        [summary("a", one), summary("b", 'Restarts a bot. Use for "voice does not work".')]
    )
    short = [
        summary("a", 'Draws. Use for "new chart".'),
        summary("b", 'Counts sheep. Use for "new chart".'),
    ]
    assert not collisions(short)
    both = [
        summary("a", 'Draws. Use for "new chart", "bar plot".'),
        summary("b", 'Counts sheep. Use for "new chart", "bar plot".'),
    ]
    assert collisions(both)


def test_skills_that_no_model_chooses() -> None:
    """A skill that only its user starts is in no list, so it can't be mistaken."""
    assert not collisions([summary("auth", AUTH, visible=False), summary("oauth", OAUTH)])


def test_samples_and_nested_skills_are_not_listed() -> None:
    """Templates, examples and skills inside another skill's folder are not installed."""
    made = (
        summary("auth", AUTH),
        summary("oauth", OAUTH, path="examples/oauth"),
        summary("oauth", OAUTH, path="skills/auth/parts/oauth"),
        summary("oauth", OAUTH, path="skills/Fixtures/oauth"),
    )
    found = Workspace(Path("/w"), made)
    assert [skill.path.parent.name for skill in found.listed] == ["auth"]
    assert not found.collisions
    assert len(Workspace(Path("/w/examples"), made[1:2]).listed) == 1


WORDS = [
    f"{one}{two}" for one in "bdfgklmnprst" for two in ("ander", "olin", "ustic", "erval", "itrum")
]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_symmetric_and_independent_of_order(seed: int) -> None:
    """Whoever is told of a neighbour, the neighbour is told of, in whatever order they come."""
    chance = random.Random(seed)
    made: list[SkillSummary] = []
    for number in range(12):
        words = chance.sample(WORDS[:20], 9)
        made.append(
            summary(f"skill-{number}", f"Does {' '.join(words)}. Use for {chance.choice(WORDS)}.")
        )
    found = collisions(made)
    seen = pairs(found)
    assert {(other, one) for one, other in seen} == seen
    chance.shuffle(made)
    assert pairs(collisions(made)) == seen


def test_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of skills that share common words are not compared with each other."""
    chance = random.Random(3)
    text = "Builds the project and runs its tests for {} {} {} {}. Use for {}."
    vocabulary = [f"word{number}" for number in range(6_000)]
    made = [
        summary(f"s{number}", text.format(*chance.sample(vocabulary, 5))) for number in range(3_000)
    ]
    compared = 0
    real = routing._settled

    def counting(*profiles: object) -> bool:
        nonlocal compared
        compared += 1
        return real(*profiles)  # type: ignore[arg-type]

    monkeypatch.setattr(routing, "_settled", counting)
    assert not collisions(made)
    assert compared < 3_000 * MAX_POSTINGS / 10


def test_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace object asks once, however many of its skills want to know."""
    asked: list[int] = []

    def answer(skills: tuple[SkillSummary, ...]) -> dict[Path, tuple[Collision, ...]]:
        asked.append(len(skills))
        return {}

    monkeypatch.setattr(workspace, "collisions", answer)
    found = Workspace(Path("/w"), (summary("auth", AUTH), summary("oauth", OAUTH)))
    for _ in range(3):
        assert found.collisions == {}
    assert asked == [2]
