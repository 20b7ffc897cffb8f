"""What is encoded: parts cover the body, any text has a view, an edit costs its own part."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer.pooling import POOLINGS, join, normed, pool
from skillgauge_scorer.views import LEAD, PART, read
from tests.scorer.bundles import SKILL

pieces = st.sampled_from(
    [
        "# A\n",
        "## B\n\n",
        "### C\n",
        "word " * 30,
        "\n\n",
        "- item\n",
        "```\ncode\n",
        "```\n",
        "é\r\n",
    ]
)
texts = st.one_of(st.lists(pieces, max_size=120).map("".join), st.text(max_size=400))


@settings(max_examples=60, deadline=None)
@given(texts, st.booleans())
def test_parts_cover_the_body_but_for_white_space(text: str, headed: bool) -> None:
    source = f"---\nname: a\ndescription: b\n---\n{text}" if headed else text
    view = read(source)
    at = view.skill.body.start
    for part in view.parts:
        assert not source[at : part.start].strip()
        assert source[part.start :].startswith(part.text)
        at = part.start + len(part.text)
    assert not source[at:].strip()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_any_text_has_a_view(text: str) -> None:
    for mode in ("full", "sections"):
        view = read(text, mode)
        assert view.prefix.startswith(LEAD)
        start, end = view.described
        assert view.prefix[start:end] == (view.skill.description or "")


def test_parts_are_of_a_size_where_the_text_allows_it() -> None:
    body = "".join(f"## Part {number}\n\n{'word ' * 60}\n\n" for number in range(40))
    parts = read(f"---\nname: a\ndescription: b\n---\n{body}").parts
    assert len(parts) > 5
    assert max(len(part.text) for part in parts) <= 2 * PART
    assert len(read(f"---\nname: a\ndescription: b\n---\n{body}", "full").parts) == 1


def test_an_edit_changes_its_own_part_only() -> None:
    body = "".join(f"## Part {number}\n\n{'word ' * 200}\n\n" for number in range(12))
    before = read(f"---\nname: a\ndescription: b\n---\n{body}")
    after = read(f"---\nname: a\ndescription: b\n---\n{body.replace('Part 6', 'Part six')}")
    assert before.prefix == after.prefix
    kept = {part.text for part in before.parts} & {part.text for part in after.parts}
    assert len(kept) == len(before.parts) - 1 == len(after.parts) - 1


def test_the_prefix_names_the_skill_and_says_what_it_is_for() -> None:
    view = read(SKILL)
    assert view.prefix.startswith("Skill: csv-report\nBuilds a report from a CSV file.")
    assert [view.prefix[slice(*view.described)]] == [view.skill.description]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_joined_parts_are_pooled_like_the_whole(seed: int, sizes: list[int]) -> None:
    states = np.random.default_rng(seed).normal(2, 5, (sum(sizes), 6)).astype(np.float32)
    bounds = np.cumsum([0, *sizes])
    layers = {3: states, 5: states * 2}
    parts = [pool(layers, int(start), int(end)) for start, end in pairwise(bounds)]
    joined, whole = join(parts), pool(layers, 0, len(states))
    assert joined.count == whole.count == len(states)
    for layer in layers:
        for name in POOLINGS:
            assert joined.states[layer][name] == pytest.approx(whole.states[layer][name], abs=1e-4)


def test_a_state_of_any_size_is_a_direction() -> None:
    rows = np.array([[3.0, 4.0], [300.0, 400.0], [0.0, 0.0]], np.float32)
    found = normed(rows)
    assert found[0] == pytest.approx(found[1])
    assert float(np.mean(found[0] ** 2)) == pytest.approx(1.0)
    assert found[2].tolist() == [0.0, 0.0]
