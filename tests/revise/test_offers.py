"""What is offered: what raises its metric and lowers no other by much, with the change said."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from skillgauge.document.skill import load_skill
from skillgauge.engine import check
from skillgauge.fix import with_text
from skillgauge.revise import FALL, RISE, Candidate, candidates, ranked, weigh
from skillgauge.revise.candidate import Draft, hole, make
from skillgauge.revise.rounds import offers, revise, weakest_first
from skillgauge.rule import Edit
from skillgauge.scores import Profile, Score
from skillgauge.text import Span, Text
from tests.revise.made import SKILL, profile, skill

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("SKILL.md"))


def scores(tokens: int = 100, *, passed: bool = True, **values: float | None) -> Profile:
    found: Mapping[str, Score] = {
        code: Score(z, None if z is None else 0.5, {}, ()) for code, z in values.items()
    }
    return Profile(tokens, False, "made", passed, (), found)


def candidate(metric: str = "C2", name: str = "made.0") -> Candidate:
    return make(metric, name, Draft("Add it", (Edit(Span(0, 0), "x"),)))


def test_the_change_is_in_the_title() -> None:
    offer = weigh(candidate(), scores(C2=0.0, D1=1.0, B1=1.0), scores(1218, C2=0.41, D1=1.02, B1=1))
    assert offer is not None
    assert offer.title == "Add it (C2 +0.41, D1 +0.02, +1,118 tokens)"
    assert offer.good


@pytest.mark.parametrize(
    ("after", "good"),
    [
        ({"C2": RISE, "D1": -FALL}, True),
        ({"C2": RISE - 0.01, "D1": 0.5}, False),
        ({"C2": 1.0, "D1": -FALL - 0.01}, False),
    ],
)
def test_what_is_good_enough(after: dict[str, float], good: bool) -> None:
    offer = weigh(candidate(), scores(C2=0.0, D1=0.0), scores(**after))
    assert offer is not None
    assert (offer.good, bool(ranked([offer]))) == (good, good)


def test_what_has_no_score_or_breaks_the_format_is_no_offer() -> None:
    assert weigh(candidate(), scores(C2=None), scores(C2=1.0)) is None
    assert weigh(candidate("A2"), scores(C2=1.0), scores(C2=1.0)) is None
    assert weigh(candidate(), scores(C2=0.0), scores(C2=1.0, passed=False)) is None


def test_the_largest_rise_comes_first() -> None:
    before = scores(C2=0.0)
    found = [weigh(candidate(name=str(gain)), before, scores(C2=gain)) for gain in (0.2, 0.9, 0.5)]
    order = [offer.candidate.name for offer in ranked(item for item in found if item)]
    assert order == ["0.9", "0.5", "0.2"]


def test_holes_are_found_and_taken_out() -> None:
    text = f"a {hole('b')} c {hole('')}{hole('b')}"
    made = make("C2", "x", Draft("", (Edit(Span(0, 0), "one"), Edit(Span(1, 1), text))))
    assert [edit.text for edit in made.edits] == ["one", "a b c b"]
    assert made.holes == ((1, Span(2, 3)), (1, Span(6, 6)), (1, Span(6, 7)))


def test_offers_of_one_metric() -> None:
    found = offers(skill(), profile, wanted=["D1"])
    assert {offer.candidate.metric for offer in found} == {"D1"}
    rises = [offer.rise for offer in found]
    assert rises == sorted(rises, reverse=True)
    for offer in found:
        after = profile(offer.candidate.apply(SKILL)).scores["D1"].z
        before = profile(SKILL).scores["D1"].z
        assert after is not None
        assert before is not None
        assert offer.rise == pytest.approx(after - before)


def test_the_weakest_comes_first() -> None:
    known = scores(A2=0.0, B2=0.0, C2=0.0)
    weak = replace(known.scores["B2"], probability=0.1)
    known = replace(known, scores={**known.scores, "B2": weak})
    assert weakest_first(known) == ["B2", "A2", "C2"]
    assert weakest_first(known, ["C2", "A2"]) == ["A2", "C2"]


def test_rounds_come_to_an_end() -> None:
    """Each round offers less than the one before, until there is nothing left."""
    now, numbers = skill(), list[int]()
    for _ in range(8):
        numbers.append(len(offers(now, profile)))
        done = revise(now, profile)
        if not done.applied:
            break
        now = skill(done.text)
    assert numbers[-1] == 0
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) > 2
    assert Counter(item.code for item in check(now).findings) <= Counter(
        item.code for item in check(skill()).findings
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_rounds_over_an_example_come_to_an_end(path: Path) -> None:
    now = load_skill(path)
    before = Counter(item.code for item in check(now).findings)
    numbers = [len(offers(now, profile))]
    while numbers[-1]:
        done = revise(now, profile)
        assert done.applied
        now = replace(now, text=Text(done.text))
        numbers.append(len(offers(now, profile)))
        assert numbers[-1] < numbers[-2]
    assert Counter(item.code for item in check(now).findings) <= before


def test_all_that_is_applied_together_lowers_nothing_by_much() -> None:
    """Two falls of less than the limit may be more than it."""

    def falling(text: str) -> Profile:
        known = profile(text)
        lost = Score(-0.15 * (len(text) > len(SKILL)) - 0.15 * ("## Req" in text), 0.5, {}, ())
        return replace(known, scores={**known.scores, "B1": lost})

    done = revise(skill(), falling, wanted=["A2", "B2"])
    assert {offer.candidate.metric for offer in done.applied} <= {"A2", "B2"}
    assert falling(done.text).scores["B1"].z == pytest.approx(-0.15)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_no_offer_adds_a_finding_to_an_example(path: Path) -> None:
    known = load_skill(path)
    before = Counter(item.code for item in check(known).findings)
    for found in candidates(known):
        after = check(with_text(known, found.apply(known.source)))
        assert Counter(item.code for item in after.findings) <= before


def test_no_candidate_adds_a_finding_to_texts_put_together_at_random() -> None:
    lines = SKILL.split("---\n", 2)[2].split("\n")
    extra = ["```python", "open('a.csv')", "```", "| a | b |", "|---|---|", "> x", "  - y", "<!--"]
    random_ = random.Random(3)
    tried = 0
    for _ in range(40):
        body = random_.choices([*lines, *extra], k=random_.randint(0, 40))
        text = "---\n" + SKILL.split("---\n", 2)[1] + "---\n" + "\n".join(body)
        known = skill(text)
        before = Counter(item.code for item in check(known).findings)
        for found in candidates(known):
            tried += 1
            made = found.apply(text)
            after = Counter(item.code for item in check(skill(made)).findings)
            assert after <= before, made
    assert tried > 40


def test_marks_of_ours_in_a_text_do_no_harm() -> None:
    assert candidates(skill(SKILL + "\n\ufdd0 and \ufdd1\n")) == []
    script = 'raise ValueError("a \ufdd0 b \0 c is wrong")'
    for found in candidates(skill(SKILL, {"scripts/x.py": script})):
        assert not {"\ufdd0", "\ufdd1", "\0"} & set(found.apply(SKILL))


def test_a_huge_text_is_left_alone() -> None:
    assert candidates(skill(SKILL + "- Run it.\n" * 30_000)) == []
