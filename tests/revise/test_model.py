"""With the real model: what an offer states is what the applied text scores, read anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from skillgauge.child import Child
from skillgauge.document.skill import Skill, load_skill
from skillgauge.errors import UserError
from skillgauge.revise import FALL, RISE
from skillgauge.revise.rounds import offers, revise
from skillgauge.scores import Profile, read_profile
from tests.revise.made import skill

pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]
EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"


def quiet(step: str, done: int, total: int) -> None:
    pass


def ask(child: Child, text: str) -> Profile:
    return read_profile(child.ask("score", {"text": text, "name": "SKILL.md"}, quiet))


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with Child() as made:
        try:
            made.ask("describe", {}, quiet)
        except UserError as error:
            pytest.skip(str(error))
        yield made


@pytest.mark.parametrize("name", ["made", "report-helper"])
def test_the_stated_change_is_that_of_a_cold_score(child: Child, name: str) -> None:
    known = skill() if name == "made" else load_skill(EXAMPLES / name / "SKILL.md")
    found = offers(known, lambda text: ask(child, text))
    assert found
    for offer in (found[0], found[-1]):
        assert offer.rise >= RISE
        assert offer.worst >= -FALL
        with Child() as cold:
            before = ask(cold, known.source)
        with Child() as cold:
            after = ask(cold, offer.candidate.apply(known.source))
        assert offer.tokens == after.tokens - before.tokens
        for code, change in offer.changes.items():
            one, other = after.scores[code].z, before.scores[code].z
            assert one is not None
            assert other is not None
            assert change == pytest.approx(one - other, abs=2e-3)


def test_a_second_round_offers_less(child: Child) -> None:
    known = skill()
    first = offers(known, lambda text: ask(child, text))
    done = revise(known, lambda text: ask(child, text))
    again: Skill = skill(done.text)
    second = offers(again, lambda text: ask(child, text))
    assert done.applied
    assert len(second) < len(first)
