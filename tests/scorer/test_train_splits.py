"""Nothing is on both sides of a split: no text, no near-duplicate, no repository."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.corpus import english, read_corpus
from skillgauge_scorer.train.fit import folds
from skillgauge_scorer.train.made import by_rule
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.splits import NEAR, apart, signature, similarity, united, unseen

VOCABULARY = [
    f"{first}{last}"
    for first in (
        "ban",
        "cor",
        "del",
        "fir",
        "gal",
        "hum",
        "jot",
        "kel",
        "lum",
        "mor",
        "nip",
        "pex",
    )
    for last in ("ado", "ent", "ish", "oly", "ure", "ax", "ive", "und")
]
COMMON = ["the", "and", "to", "of", "a", "in", "is", "with"]


def skill(seed: int, *, words: int = 320) -> str:
    """Return a skill of words drawn by chance, with steps and failures to break."""
    chance = random.Random(seed)

    def sentence() -> str:
        drawn = [chance.choice(VOCABULARY if at % 3 else COMMON) for at in range(12)]
        return f"{' '.join(drawn).capitalize()}."

    text = "\n".join(sentence() for _ in range(words // 16))
    steps = "\n".join(f"{at}. {sentence()}" for at in range(1, 5))
    faults = "\n".join(f"- If it fails, {sentence()} Never retry." for _ in range(4))
    return (
        f"---\nname: skill-{seed}\ndescription: {sentence()[:-1]}. Use when {sentence()}\n---\n"
        f"# {chance.choice(VOCABULARY)}\n\n{text}\n\n## Steps\n\n{steps}\n\n"
        f"## Troubleshooting\n\n{faults}\n"
    )


def shingles(text: str) -> set[str]:
    words = text.lower().replace(".", " ").replace("#", " ").split()
    return {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}


def jaccard(left: str, right: str) -> float:
    first, second = shingles(left), shingles(right)
    return len(first & second) / max(1, len(first | second))


def with_edits(text: str, share: float, seed: int) -> str:
    chance = random.Random(seed)
    words = text.split(" ")
    return " ".join(
        chance.choice(VOCABULARY) if chance.random() < share else word for word in words
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0, 0.6))
def test_similarity_is_about_the_share_of_runs_in_common(seed: int, share: float) -> None:
    text = skill(seed)
    other = with_edits(text, share, seed + 1)
    left, right = signature(text), signature(other)
    assert left is not None
    assert right is not None
    assert similarity(left, right) == pytest.approx(jaccard(text, other), abs=0.2)


def test_groups_that_share_a_near_duplicate_are_one() -> None:
    texts = [skill(1), skill(2), with_edits(skill(1), 0.03, 5), skill(3)]
    assert united(["b", "c", "a", "d"], texts) == ["a", "c", "a", "d"]
    assert united(["a", "b", "c"], [skill(1), skill(2), skill(3)]) == ["a", "b", "c"]


def corpus(folder: Path) -> Path:
    """Write 10 repositories of 3 skills; one skill is in two of them, changed a little."""
    for repository in range(10):
        for number in range(3):
            place = folder / f"repository-{repository}" / f"skill-{number}"
            place.mkdir(parents=True)
            text = skill(100 * repository + number)
            if (repository, number) == (9, 0):
                text = with_edits(skill(0), 0.02, 1)
            (place / "SKILL.md").write_text(text, encoding="utf-8")
    return folder


def test_no_text_and_no_near_duplicate_crosses_a_split(tmp_path: Path) -> None:
    sources, seen = read_corpus(corpus(tmp_path), (100, 850))
    assert (len(sources), seen) == (30, 30)
    made, _ = by_rule(sources)
    where = folds([pair.group for pair in made]).tolist()
    assert len(set(where)) >= 3
    assert {"B1", "C1", "D1"} <= {pair.metric for pair in made}
    sides: dict[int, set[str]] = {}
    for pair, fold in zip(made, where, strict=True):
        for text in (pair.positive, pair.negative):
            found = Skill(Text(text))
            sides.setdefault(fold, set()).add(text[found.body.start :])
    for left, right in combinations(sides.values(), 2):
        assert max(jaccard(one, other) for one in left for other in right) < NEAR
    # The two repositories that share a skill are on one side.
    groups = {pair.group for pair in made if "skill-0\n" in pair.positive}
    assert groups == {"repository-0"}
    assert "repository-9" not in {pair.group for pair in made}


def test_pairs_that_resemble_others_across_a_split_go() -> None:
    names = [f"g{number}" for number in range(20)]
    here = next(name for name in names if folds([name])[0] != folds(["g0"])[0])
    first = Pair("B1", "plain", "g0", skill(1), skill(2))
    kept, gone = apart([first, Pair("B1", "plain", here, skill(3), with_edits(skill(2), 0.02, 1))])
    assert (kept, gone) == ([first], 1)
    both = [
        first,
        Pair("C1", "plain", "g0", skill(1), skill(4)),
        Pair("C1", "plain", here, skill(5), skill(6)),
    ]
    assert apart(both) == (both, 0)


def test_pairs_that_resemble_the_validation_set_go() -> None:
    held = [Pair("D1", "plain", "x", skill(1), skill(2))]
    same = Pair("D1", "plain", "y", skill(3), with_edits(skill(2), 0.02, 1))
    other = Pair("D1", "plain", "y", skill(3), skill(4))
    assert unseen([same, other], held) == ([other], 1)


def test_what_is_taken_of_a_folder(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "corpus")
    (folder / "repository-1" / "skill-0" / "SKILL.md").write_bytes(b"\xff\xfe")
    (folder / "repository-1" / "skill-1" / "SKILL.md").write_text("---\nname: a\n---\nShort.\n")
    german = "---\nname: a\ndescription: Wandelt.\n---\n" + "Der Hund läuft über die Straße. " * 60
    (folder / "repository-2" / "skill-0" / "SKILL.md").write_text(german, encoding="utf-8")
    sources, seen = read_corpus(folder, (100, 850), most=2)
    assert seen == 30
    per = {
        name: sum(one.group == name for one in sources) for name in ("repository-0", "repository-1")
    }
    assert per == {"repository-0": 2, "repository-1": 1}
    assert "Hund" not in "".join(one.text for one in sources)
    assert read_corpus(folder, (100, 850), most=2)[0] == sources
    assert read_corpus(folder, (2000, 3000))[0] == []
    with pytest.raises(ScorerError, match="does not exist"):
        read_corpus(tmp_path / "nowhere")


def test_english() -> None:
    assert english(
        "Read the file and write a report of it in the folder.\n```\nlorem = ipsum\n```\n"
    )
    assert not english("Lies die Datei und schreibe einen Bericht darüber in den Ordner.")
    assert not english("読んでください")
    assert not english("")
