"""Profiles: right sums, right lines, and a stated reason where there is nothing to score."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.text import Text
from skillgauge_scorer import bundle
from skillgauge_scorer.attribution import DESCRIPTION
from skillgauge_scorer.bundle import Bundle
from skillgauge_scorer.metrics import meanings
from skillgauge_scorer.metrics.format_validity import reasons
from skillgauge_scorer.profile import Profile, profile
from skillgauge_scorer.projection import Projector
from skillgauge_scorer.runtime import Stopped, load
from skillgauge_scorer.train.states import Encoder
from skillgauge_scorer.views import read
from tests.scorer.bundles import SKILL, TERMS, install_tiny, write_bundle

SUMS = ["A2", "B1", "B2", "C2", "D1"]
"""Metrics whose scores are sums of what tokens add."""


@pytest.fixture(scope="module")
def projector(tmp_path_factory: pytest.TempPathFactory) -> Projector:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(tmp_path_factory.mktemp("models")))
        model = install_tiny(tmp_path_factory.mktemp("wheel"))
        write_bundle(model)
        return Projector(load(model), bundle.load_for(model))


def fresh(projector: Projector) -> Projector:
    projector.backbone.forget()
    return Projector(projector.backbone, projector.bundle)


def numbers(found: Profile) -> dict[str, float | None]:
    return {code: score.z for code, score in found.scores.items()}


def test_scores_are_the_pooled_states_on_the_directions(
    projector: Projector, tmp_path: Path
) -> None:
    """What training pools is what a profile is made of."""
    features = Encoder(tmp_path / "states", projector.backbone, "tiny", "sections").features(SKILL)
    found = profile(projector, SKILL)
    made: Bundle = projector.bundle
    for code, metric in made.metrics.items():
        total = 0.0
        for term in metric.terms:
            pooled = features.description if term.scope == "description" else features.body
            assert pooled is not None
            total += float(pooled.states[term.layer][term.pooling] @ term.vector)
        z = (total - metric.mu) / metric.sigma
        assert found.scores[code].z == pytest.approx(z, abs=1e-4)
        assert found.scores[code].probability == metric.probability(found.scores[code].z or 0)
    encode, view = projector.backbone.encode, read(SKILL)
    tokens = len(encode(view.prefix)) + sum(len(encode(part.text)) for part in view.parts)
    assert (found.tokens, found.truncated, found.bundle) == (tokens, False, made.id)


def test_lines_sum_to_the_score(projector: Projector) -> None:
    found = profile(projector, SKILL)
    for code in SUMS:
        score = found.scores[code]
        assert score.z is not None
        assert sum(score.lines.values()) == pytest.approx(score.z, abs=1e-6)
        assert sum(section.contribution for section in score.sections) == pytest.approx(
            score.z, abs=1e-6
        )
    assert set(found.scores["A2"].lines) == {3, 4}
    assert set(found.scores["D1"].lines) == {*range(6, 18)}
    assert set(found.scores["B1"].lines) == {3, 4, *range(6, 18)}
    assert found.scores["C1"].lines == {}


def test_a_line_has_the_tokens_on_it(projector: Projector) -> None:
    """A line's share is that of its own tokens, worked out the long way."""
    view = projector.project(SKILL)
    values, starts = view.scopes["body"].values, view.scopes["body"].starts
    metric = projector.bundle.metrics["D1"]
    row = view.rows["body D1.0 2 mean"]
    begin = SKILL.index("1. Open")
    end = SKILL.index("2. Write")
    inside = (starts >= begin) & (starts < end)
    share = ((values[row][inside] - metric.mu) / len(starts) / metric.sigma).sum()
    assert profile(projector, SKILL).scores["D1"].lines[12] == pytest.approx(float(share), abs=1e-6)


def test_sections(projector: Projector) -> None:
    found = profile(projector, SKILL).scores["B1"].sections
    places = {item.title: (item.line, item.end_line) for item in found}
    assert places == {
        DESCRIPTION: (3, 4),
        "Report": (6, 9),
        "Steps": (10, 14),
        "Failures": (15, 17),
    }
    assert [item.contribution for item in found] == sorted(item.contribution for item in found)


def test_leaving_a_section_out(projector: Projector) -> None:
    """What a section is said to add is what a text without it lacks."""
    found = profile(projector, SKILL, explain=frozenset({"C1"})).scores["C1"]
    assert {item.title for item in found.sections} == {"Report", "Steps", "Failures"}
    failures = next(item for item in found.sections if item.title == "Failures")
    without = profile(fresh(projector), SKILL[: SKILL.index("## Failures")]).scores["C1"]
    assert found.z is not None
    assert without.z is not None
    assert failures.contribution == pytest.approx(found.z - without.z, abs=1e-4)
    assert profile(projector, SKILL).scores["C1"].sections == ()


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("", {*TERMS}),
        ("---\nname: a\n---\n# Only a body\n", {"A2", "B1"}),
        ("---\nname: a\ndescription: ''\n---\nText\n", {"A2", "B1"}),
        ("---\nname: a\ndescription: Says when.\n---\n", {*TERMS} - {"A2"}),
        ("---\nname: a\ndescription: Says when.\n---\n\n \t\n", {*TERMS} - {"A2"}),
        ("---\nname: a\ndescription: Says when.\n---\n```python\nprint(1)\n```\n", set()),
        ("---\nname: [\ndescription: Says when.\n---\nText", set()),
        ("\ud800\udfff\x00", {"A2", "B1"}),
    ],
)
def test_what_is_missing_is_said(projector: Projector, source: str, missing: set[str]) -> None:
    found = profile(projector, source)
    assert {code for code, score in found.scores.items() if score.z is None} == missing
    for code, score in found.scores.items():
        assert bool(score.reason) == (code in missing)
        assert score.z is None or math.isfinite(score.z)


def test_a_long_text_is_cut_and_says_so(projector: Projector) -> None:
    body = "Read the table, then count its rows.\n\n" * 8_000
    found = profile(projector, f"{SKILL}\n{body}")
    assert found.truncated
    assert found.tokens > 200_000
    for code in SUMS:
        score = found.scores[code]
        assert score.z is not None
        assert sum(score.lines.values()) == pytest.approx(score.z, abs=1e-6)
    assert max(found.scores["D1"].lines) < 60


def test_a_description_beyond_the_window(projector: Projector) -> None:
    found = profile(projector, f"---\nname: a\ndescription: {'x ' * 20_000}\n---\nBody\n")
    assert found.truncated
    assert all(math.isfinite(score.z or math.nan) for score in found.scores.values())


def test_stopping_keeps_what_was_read(projector: Projector) -> None:
    used = fresh(projector)
    long = SKILL + "\n## More\n\nAnd so on.\n" * 99
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) > 2

    with pytest.raises(Stopped):
        profile(used, long, stop=stop)
    assert numbers(profile(used, long)) == pytest.approx(numbers(profile(projector, long)))


PIECES = [
    "# Title\n",
    "Text on a line.\n\n",
    "- item\n",
    "```\ncode\n```\n",
    "é漢😀\n",
    "\r\n",
    "\t",
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from(PIECES)), max_size=5))
def test_edits_lead_to_the_score_of_a_cold_run(
    projector: Projector, edits: list[tuple[int, str]]
) -> None:
    warm, text = fresh(projector), SKILL
    for at, piece in edits:
        text = text[:at] + piece + text[at + 3 :]
        found = profile(warm, text)
    found = profile(warm, text)
    cold = profile(fresh(projector), text)
    for code, score in cold.scores.items():
        if score.z is None:
            assert found.scores[code].z is None
        else:
            assert found.scores[code].z == pytest.approx(score.z, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_has_a_profile(projector: Projector, text: str) -> None:
    found = profile(projector, text)
    for code, score in found.scores.items():
        assert score.reason or math.isfinite(score.z or 0.0)
        if code in SUMS and score.z is not None:
            assert math.isclose(sum(score.lines.values()), score.z, abs_tol=1e-6)
            assert all(1 <= line <= Text(text).line_count for line in score.lines)


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        (SKILL, "SKILL.md", ""),
        (SKILL, "notes.MD", ""),
        (f"\ufeff{SKILL}", "SKILL.md", ""),
        (SKILL, "SKILL.txt", ".md"),
        ("# Text", "SKILL.md", "does not begin with frontmatter"),
        (f"Text\n{SKILL}", "SKILL.md", "does not begin with frontmatter"),
        ("---\nname: a\ndescription: b\n", "SKILL.md", "not closed"),
        ("---\nname: a\ndescription: b\n----\nText", "SKILL.md", "not closed"),
        ("---\nname: [a\ndescription: b\n---\nText", "SKILL.md", "no valid YAML"),
        ("---\n- name\n- description\n---\nText", "SKILL.md", "no mapping"),
        ("---\n---\nText", "SKILL.md", "no mapping"),
        ("---\ndescription: b\n---\nText", "SKILL.md", "no key “name”"),
        ("---\nname:\n---\nText", "SKILL.md", "no key “description”"),
        ("---\nname:\ndescription:\n---\nText", "SKILL.md", ""),
    ],
)
def test_format(source: str, name: str, reason: str) -> None:
    found = reasons(source, name)
    assert len(found) == bool(reason)
    assert reason in "".join(found)


def test_every_metric_has_a_meaning() -> None:
    assert list(meanings()) == ["A1", "A2", "B1", "B2", "C1", "C2", "D1"]
    for item in meanings().values():
        assert not item.low.endswith(".")
        assert item.meaning.endswith(".")
        assert item.hint.endswith(".")


def test_json(projector: Projector) -> None:
    found = profile(projector, SKILL, "notes.txt").as_json()
    assert set(found) == {"tokens", "truncated", "bundle", "metrics"}
    assert found["metrics"]["A1"] == {
        "passed": False,
        "reasons": ["The file's name does not end in .md"],
    }
    score = found["metrics"]["A2"]
    assert [item["line"] for item in score["lines"]] == [3, 4]
    assert np.isclose(sum(item["contribution"] for item in score["lines"]), score["z"])
    assert (score["label"], score["shown"]) == ("substance", True)
