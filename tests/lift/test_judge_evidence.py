"""What a judge is shown: within bounds, the right things first, and what was left out is said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.lift.judge.clip import clean, clip, level, one_line, share
from skillgauge.lift.judge.evidence import LIMITS, Evidence, evidence
from skillgauge.lift.judge.facts import MAX_FACTS, facts
from skillgauge.lift.metrics._trace import trace_of
from skillgauge.lift.results import Artifact
from tests.lift.judging import CASE, GOOD, SUMMARY, ran, trajectory

MARK = "0123456789abcdef"
NOISE = "".join(f"line {number} of a long text\n" for number in range(3_000))


def shown(metric: str, *calls: tuple[str, dict, str], **changes: object) -> Evidence:
    run = trajectory(*calls) if calls else GOOD
    return evidence(metric, trace_of(run), ran(**changes), MARK)


def heads(found: Evidence) -> list[str]:
    return [line.split(": ", 1)[1] for line in found.text.splitlines()
            if line.startswith(f"--- {MARK}: ")]  # fmt: skip


def test_short_run_is_shown_whole() -> None:
    found = shown("behavior_check")
    assert heads(found) == [
        "the final answer",
        f"file left: out/summary.md ({len(SUMMARY)} bytes)",
        "all calls of tools in order",
        "result of call 3, Write: /workspace/out/summary.md (55 characters)",
        "result of call 2, Bash: cat notes.txt",
        "result of call 1, Skill(skill='summary')",
    ]
    history = found.bodies[2]
    assert history == (
        "1 Skill(skill='summary') -> ok\n2 Bash: cat notes.txt -> ok\n"
        "3 Write: /workspace/out/summary.md (55 characters) -> ok"
    )
    assert "left out" not in found.text


def test_skill_is_not_shown_where_the_outcome_counts() -> None:
    found = shown("accuracy")
    assert heads(found)[2:] == [
        "all calls of tools in order",
        "result of call 2, Write: /workspace/out/summary.md (55 characters)",
        "result of call 1, Bash: cat notes.txt",
    ]
    assert "skill" not in found.text.lower()


@pytest.mark.parametrize("metric", list(LIMITS))
def test_long_run(metric: str) -> None:
    calls = [("Bash", {"command": f"step {n}"}, f"result {n}\n{NOISE}") for n in range(30)]
    files = [Artifact(f"f{n:02}.txt", len(NOISE), f"file {n}\n{NOISE}") for n in range(40)]
    found = shown(metric, *calls, answer=f"BEGIN {NOISE} END", artifacts=tuple(files))
    assert LIMITS[metric] * 0.9 < len(found.text) <= LIMITS[metric]
    assert found.bodies[0].startswith("BEGIN")
    assert found.bodies[0].endswith("END")
    assert "characters and more left out" in found.bodies[0]
    results = [head for head in heads(found) if head.startswith("result of call")]
    assert results[0] == "result of call 30, Bash: step 29"
    left_out = found.text.split("left out for want of space\n")[1]
    files_shown = sum(head.startswith("file left: ") for head in heads(found))
    assert 1 < files_shown < 40
    kept = 12 if metric == "goal_accuracy" else 6
    assert f"{40 - files_shown} of 40 files" in left_out
    assert f"{30 - kept} older results of tools" in left_out


def test_short_items_are_whole_beside_long_ones() -> None:
    files = (Artifact("a.txt", 9, NOISE), Artifact("b.txt", 9, "short and whole"))
    found = shown("accuracy", answer=NOISE, artifacts=files)
    assert "short and whole" in found.bodies


def test_files_without_text_and_files_that_are_gone() -> None:
    calls = (
        ("Write", {"file_path": "/tmp/gone.txt", "content": "what was in it"}, "ok"),
        ("Write", {"file_path": "/workspace/kept.txt", "content": "first"}, "ok"),
    )
    files = (Artifact("kept.txt", 6, "second"), Artifact("chart.png", 70_000))
    found = shown("accuracy", *calls, artifacts=files)
    assert heads(found)[1:4] == [
        "file left: kept.txt (6 bytes)",
        "file left: chart.png (70,000 bytes, no text or too long to be kept)",
        "written by a tool into /tmp/gone.txt",
    ]
    assert "what was in it" in found.bodies
    assert "first" not in found.bodies


def test_secret_that_would_be_cut_in_two() -> None:
    key = "ghp_" + "aB3dE6gH9" * 4
    for before in range(100, 170):
        command = f"echo {'x' * before} {key}"
        found = shown("behavior_check", ("Bash", {"command": command}, "ok"), artifacts=())
        assert "ghp_" not in found.text


words = st.text(max_size=400) | st.integers(0, 6_000).map(lambda size: "word " * size)


@settings(max_examples=60, deadline=None)
@given(
    answer=words,
    files=st.lists(st.tuples(st.text(max_size=300), words), max_size=30),
    results=st.lists(words, max_size=20),
    metric=st.sampled_from(list(LIMITS)),
)
def test_never_beyond_the_bound(
    answer: str, files: list[tuple[str, str]], results: list[str], metric: str
) -> None:
    calls = [("Bash", {"command": text[:50]}, text) for text in results]
    left = tuple(Artifact(path, len(text), text) for path, text in files)
    found = shown(metric, *calls, answer=answer, artifacts=left)
    assert len(found.text) <= LIMITS[metric]
    total = len(answer) + sum(len(path) + len(text) for path, text in files)
    total += 3 * sum(map(len, results)) + 400 * (len(files) + len(results) + 2)
    if total < LIMITS[metric]:  # then nothing has to be left out
        kept = [clean(text) for text in (answer, *(text for _, text in files)) if clean(text)]
        assert all(text in found.text for text in kept if text.strip())


@given(st.text(max_size=3_000), st.integers(0, 400))
def test_clipped(text: str, room: int) -> None:
    found = clip(text, room)
    assert len(found) <= room
    assert found == text or len(text) > room


@given(st.lists(st.integers(0, 500), min_size=4, max_size=4), st.integers(0, 1_000))
def test_shared_out(needs: list[int], room: int) -> None:
    for given_ in (share(needs, (0.35, 0.35, 0.1, 0.2), room), level(needs, room)):
        assert all(0 <= got <= need for got, need in zip(given_, needs, strict=True))
        assert sum(given_) <= room
        if sum(needs) <= room:
            assert given_ == needs
    if sum(needs) > room:
        assert sum(share(needs, (0.35, 0.35, 0.1, 0.2), room)) == room


@given(st.text(st.characters()), st.integers(1, 50))
def test_one_line(text: str, room: int) -> None:
    found = one_line(text, room)
    assert len(found) <= room
    assert len(found.splitlines()) <= 1


def facts_of(text: str, **changes: object) -> tuple[str, ...]:
    return facts([text], trace_of(GOOD), ran(**changes))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("It writes `out/summary.md`.", "The file `out/summary.md` is among those that the agent"),
        ("It writes summary.md.", "The file `summary.md` is among those"),
        ("A file /workspace/out/summary.md", "The file `out/summary.md` is among"),
        ("report.csv is made", "The agent left no file `report.csv` that it made or changed"),
        ("It has `new office`", "The text `new office` stands in a file that it left."),
        ("`Revenue grew`", "The text `Revenue grew` stands in a result of a tool."),
        ("`three bullet points`", "stands in the final answer"),
        ("`not at all`", "stands neither in the answer nor in a file left nor in a result."),
    ],
)
def test_facts(text: str, fact: str) -> None:
    (found,) = facts_of(text)
    assert fact in found


@pytest.mark.parametrize(
    "text",
    ["See https://example.com/a.html", "e.g. version 1.2", "mail a@b.csv", "`abc`", "no names", ""],
)
def test_no_facts(text: str) -> None:
    assert facts_of(text) == ()


def test_facts_have_bounds() -> None:
    assert len(facts_of(" ".join(f"`word {n}`" for n in range(100)))) == MAX_FACTS
    many = tuple(Artifact(f"f{n}", 1, "x") for n in range(200))
    assert facts_of("x.csv", artifacts=many) == ()  # there may have been more than were kept


def test_how_it_ended_is_a_fact() -> None:
    assert facts_of("", reason="timeout", exit_code=None) == (
        "The agent was stopped because its time was over.",
    )
    assert facts_of("", exit_code=3) == ("The agent's program ended with exit status 3.",)


def test_reference_of_the_case_gives_facts() -> None:
    assert len(facts([CASE.expected_output], trace_of(GOOD), ran())) == 2
