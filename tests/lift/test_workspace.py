"""What a trial begins with and leaves: the skill alone tells the arms apart, nothing leads out."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.cases import Case
from skillgauge.lift.grade import grade
from skillgauge.lift.leaks import is_named, leak, marks
from skillgauge.lift.plan import Arm, Cell, Trial
from skillgauge.lift.removal import remove
from skillgauge.lift.results import Ran, Usage
from skillgauge.lift.source import SkillSource
from skillgauge.lift.workspace import check_files, collect, furnish

from .judging import trajectory

BODY = "Sort the rows by the third column before anything else is counted."
SKILL = f"""---
name: row-sorter
description: Sorts the rows of a table. Use when asked to put a table in order.
---
# Row sorter

{BODY}
Short line.
"""
CASE = Case(id="one", prompt="Put t.csv in order.", files=("evals/files/t.csv", "assets/more.txt"))


@pytest.fixture
def source(tmp_path: Path) -> SkillSource:
    folder = tmp_path / "row-sorter"
    for path, text in {
        "SKILL.md": SKILL,
        "scripts/sort.sh": "#!/bin/sh\nsort\n",
        "assets/more.txt": "more",
        "evals/evals.json": '{"answer": "never seen"}',
        "evals/files/t.csv": "b\na\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "scripts/sort.sh").chmod(0o755)
    return SkillSource(folder)


def trial(arm: Arm) -> Trial:
    return Trial(f"id-{arm}", 0, "one", arm, Cell("codex", "m"), 1)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_arms_differ_by_the_skill_alone(source: SkillSource, tmp_path: Path) -> None:
    made = {}
    for arm in ("with-skill", "baseline"):
        room = furnish(
            tmp_path / arm, replace(trial(arm), id="same"), CASE, source,
            ".agents/skills", {".codex/config.toml": "a = 1\n"},
        )  # fmt: skip
        made[arm] = tree(room.folder)
    only = made["with-skill"].keys() - made["baseline"].keys()
    assert only == {
        "home/.agents/skills/row-sorter/SKILL.md",
        "home/.agents/skills/row-sorter/assets/more.txt",
        "home/.agents/skills/row-sorter/scripts/sort.sh",
    }
    assert made["baseline"].keys() == {
        "home/.codex/config.toml",
        "workspace/t.csv",
        "workspace/assets/more.txt",
        "workspace/.env",
    }
    assert all(made["with-skill"][path] == data for path, data in made["baseline"].items())
    script = tmp_path / "with-skill/home/.agents/skills/row-sorter/scripts/sort.sh"
    assert os.access(script, os.X_OK)


@pytest.mark.parametrize("name", ["../../evil", "a/b", "x" * 300])
def test_a_name_that_is_none_of_a_folder(source: SkillSource, tmp_path: Path, name: str) -> None:
    (source.folder / "SKILL.md").write_text(SKILL.replace("row-sorter", name))
    again = SkillSource(source.folder)
    assert again.name == name
    room = furnish(tmp_path / "t", trial("with-skill"), CASE, again, ".agents/skills", {})
    assert [path.name for path in (room.home / ".agents/skills").iterdir()] == ["row-sorter"]


def test_nothing_of_an_earlier_trial_is_left(source: SkillSource, tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    (folder / "home/.agents/skills/other").mkdir(parents=True)
    (folder / "home/.agents/skills/other/SKILL.md").write_text("left over")
    furnish(folder, trial("baseline"), CASE, source, ".agents/skills", {})
    assert not (folder / "home/.agents").exists()


def test_what_changed_is_collected_and_links_are_not(source: SkillSource, tmp_path: Path) -> None:
    room = furnish(tmp_path / "t", trial("baseline"), CASE, source, ".agents/skills", {})
    (room.workspace / "t.csv").write_text("a\nb\n")
    (room.workspace / "new.bin").write_bytes(b"\xff\x00")
    (room.workspace / "node_modules").mkdir()
    (room.workspace / "node_modules/x.js").write_text("x")
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    (room.workspace / "link").symlink_to(secret)
    (room.workspace / "folder").symlink_to(tmp_path)
    found = collect(room)
    assert [(one.path, one.size, one.text) for one in found] == [
        ("new.bin", 2, None),
        ("t.csv", 4, "a\nb\n"),
    ]


@pytest.mark.parametrize(
    ("around", "leaked"), [(b"\0", True), (b"x" * 300_000, True), (b"", False)]
)
def test_planted_secret_is_found_in_what_is_no_text_or_too_long(
    source: SkillSource, tmp_path: Path, around: bytes, leaked: bool
) -> None:
    room = furnish(tmp_path / "t", trial("baseline"), CASE, source, ".agents/skills", {})
    (room.workspace / "out").write_bytes(around + room.canary.encode() + around)
    (room.workspace / "empty").write_bytes(b"")
    (room.workspace / "other").write_bytes(b"\0other")
    found = {one.path: one for one in collect(room)}
    assert found["out"].leaked is leaked
    assert (found["out"].text is None) is leaked
    assert not found["other"].leaked
    ran = Ran(0, "exit", 1.0, 0.0, Usage(), artifacts=tuple(found.values()))
    security = grade(CASE, "baseline", "row-sorter", trajectory(), ran, {}, (room.canary,))[
        "security"
    ]
    assert security.value == 0
    assert [(one.type, one.message) for one in security.findings] == [
        ("canary_leak", "a planted secret leaked: it is in out")
    ]


def test_planted_secret_stays_out_of_the_way_of_a_case(source: SkillSource, tmp_path: Path) -> None:
    (source.folder / "evals/files/.env").write_text("MINE=1\n")
    case = replace(CASE, files=("evals/files/.env",))
    room = furnish(tmp_path / "t", trial("baseline"), case, source, ".agents/skills", {})
    assert (room.workspace / ".env").read_text() == "MINE=1\n"
    assert room.canary.startswith("canary-")


def test_two_files_at_one_place_are_refused() -> None:
    case = replace(CASE, files=("evals/files/t.csv", "evals/T.csv"))
    with pytest.raises(UserError, match="would be one file"):
        check_files(case)


def test_a_file_where_a_folder_is_needed_is_refused() -> None:
    case = replace(CASE, files=("evals/files/a", "evals/A/b"))
    with pytest.raises(UserError, match="would lie where “evals/A/b” needs a folder"):
        check_files(case)


def test_digest_follows_what_an_agent_gets(source: SkillSource) -> None:
    before = source.digest
    (source.folder / "evals/evals.json").write_text("other")
    assert SkillSource(source.folder).digest == before
    (source.folder / "scripts/sort.sh").chmod(0o644)
    assert SkillSource(source.folder).digest != before


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f'{{"content": "{BODY}"}}', BODY),
        ('{"content": "Put t.csv in order."}', ""),
        ('{"content": "Short line."}', ""),
        ("Sorts the rows of a table. Use when asked to put a table in order.", "Sorts the rows"),
    ],
)
def test_leak_is_seen_by_what_is_the_skills_own(source: SkillSource, text: str, seen: str) -> None:
    found = leak([text], marks(source, CASE))
    assert found.startswith(seen) if seen else not found


@pytest.mark.parametrize(
    "line",
    [
        "|----------|----------|----------|----------|----------|",
        "=========================================================",
        "```sh\npython3 -m venv .venv && source .venv/bin/activate && pip list\n```",
        "~~~\nfor each row of the table that is given, print its third column\n~~~",
        "`from concurrent.futures import ThreadPoolExecutor`",
    ],
)
def test_what_any_model_may_write_is_no_leak(source: SkillSource, line: str) -> None:
    (source.folder / "SKILL.md").write_text(f"{SKILL}\n{line}\n")
    wanted = marks(SkillSource(source.folder), CASE)
    assert not leak([line], wanted)
    assert leak([f"{line}\n{BODY}"], wanted) == BODY


def test_description_that_a_harness_cut_is_a_leak(source: SkillSource) -> None:
    words = "Sorts the rows of a table by the column that is asked for, " * 4
    (source.folder / "SKILL.md").write_text(f"---\nname: a\ndescription: {words}\n---\n# A\n")
    assert leak([f"- a: {words[:120]}…"], marks(SkillSource(source.folder), CASE))


def test_what_is_in_the_files_of_a_case_is_no_leak(source: SkillSource) -> None:
    (source.folder / "evals/files/t.csv").write_text(f"{BODY}\n")
    assert not leak([BODY], marks(source, CASE))
    assert leak([BODY], marks(source, replace(CASE, files=())))


def test_what_the_case_says_is_no_leak(source: SkillSource) -> None:
    case = replace(CASE, prompt=f"Do this: {BODY}")
    assert not leak([case.prompt], marks(source, case))


def test_leak_is_seen_in_escaped_json(source: SkillSource) -> None:
    (source.folder / "SKILL.md").write_text(
        SKILL + "\nSay “naïve” and nothing else in that place, please.\n", encoding="utf-8"
    )
    again = SkillSource(source.folder)
    text = '{"c": "Say \\u201cna\\u00efve\\u201d and nothing else in that place, please."}'
    assert leak([text], marks(again, CASE))


def test_name_is_a_word_of_its_own() -> None:
    assert is_named(["- row-sorter: sorts"], "row-sorter")
    assert not is_named(["my-row-sorter-2"], "row-sorter")


def test_a_task_that_names_the_skill_does_not_list_it() -> None:
    task = "Use the row-sorter skill on t.csv"
    assert not is_named([f"You are an agent.\n{task}"], "row-sorter", task)
    assert is_named([f"- row-sorter: sorts\n{task}"], "row-sorter", task)


def test_folders_deeper_than_names_may_be_long(source: SkillSource, tmp_path: Path) -> None:
    room = furnish(tmp_path / "t", trial("baseline"), CASE, source, ".agents/skills", {})
    (room.workspace / "a.txt").write_text("a")
    before = os.open(".", os.O_RDONLY)
    os.chdir(room.workspace)
    try:
        for _ in range(3000):
            os.mkdir("deep")
            os.chdir("deep")
        Path("end").write_text("there")
    finally:
        os.chdir(before)
        os.close(before)
    (room.workspace / "outside").symlink_to(source.folder)
    assert [one.path for one in collect(room)] == ["a.txt"]
    again = furnish(tmp_path / "t", trial("baseline"), CASE, source, ".agents/skills", {})
    assert sorted(path.name for path in again.workspace.iterdir()) == [".env", "assets", "t.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["row-sorter", "t"]
    assert (source.folder / "SKILL.md").is_file()


def test_what_may_not_be_written_to_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "module"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner/file").write_text("x")
    for path in (folder / "inner", folder):
        path.chmod(0o500)
    remove(folder)
    assert list(tmp_path.iterdir()) == []
