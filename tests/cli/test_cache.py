"""The cache: the same results, sooner; never old ones; never in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skillgauge import cache as cache_module
from skillgauge import worker
from skillgauge.cache import Cache, folder_signature
from skillgauge.config import load_config
from skillgauge.config_cache import load_cached
from skillgauge.rules import all_rules
from skillgauge.worker import Job, Outcome

from .conftest import BAD, GOOD, Ran, Run, skill


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that are really worked on."""
    seen: list[Job] = []
    real = worker.run

    def spy(jobs: list[Job], *rest: object) -> list[Outcome]:
        seen.extend(jobs)
        return real(jobs, *rest)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(worker, "run", spy)
    return seen


def worked(jobs: list[Job], done: Ran) -> list[str]:
    """Return the folders of the skills that were checked anew, and forget them."""
    assert done.status in (0, 1), done.err
    names = [Path(job.path).parent.name for job in jobs]
    jobs.clear()
    return names


@pytest.fixture
def three(repo: Path) -> Path:
    for name in ("a", "b", "c"):
        skill(repo / name, GOOD if name == "a" else BAD)
    return repo


def test_nothing_is_checked_twice(three: Path, run: Run, jobs: list[Job]) -> None:
    first = run("check", "--format", "json")
    assert worked(jobs, first) == ["a", "b", "c"]
    second = run("check", "--format", "json")
    assert worked(jobs, second) == []
    assert second == first
    text = run("check", "--no-cache")
    jobs.clear()
    again = run("check")
    assert worked(jobs, again) == []
    assert again == text


def heavy_modules() -> str:
    """Return which heavy modules a check in a fresh process loads."""
    code = (
        "import sys\nfrom skillgauge.cli import main\nmain(['check', '--format', 'json'])\n"
        "heavy = {'yaml', 'pyromark', 'pydantic', 'rich', 'pygls', 'lsprotocol', 'logging',"
        " 'asyncio', 'multiprocessing', 'tomllib', 'skillgauge.engine',"
        " 'skillgauge.document.skill'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr


def test_nothing_heavy_is_loaded_for_what_is_known(three: Path, run: Run) -> None:
    run("check")
    assert heavy_modules() == "[]\n"


def test_a_changed_file_is_checked_again(three: Path, run: Run, jobs: list[Job]) -> None:
    run("check")
    jobs.clear()
    path = three / "b" / "SKILL.md"
    path.write_text(path.read_text() + "More.\n")
    assert worked(jobs, run("check")) == ["b"]


@pytest.mark.parametrize("change", ["add", "edit", "chmod", "remove", "nested", "link"])
def test_a_changed_neighbour_file_checks_the_skill_again(
    three: Path, run: Run, jobs: list[Job], change: str
) -> None:
    if os.name == "nt" and change in ("chmod", "link"):
        pytest.skip("needs POSIX")
    script = three / "b" / "scripts" / "x.sh"
    script.parent.mkdir()
    script.write_text("echo\n")
    run("check")
    jobs.clear()
    match change:
        case "add":
            (three / "b" / "y.txt").write_text("")
        case "edit":
            script.write_text("ECHO\n")
            os.utime(script, ns=(1, 1))
        case "chmod":
            script.chmod(0o755)
        case "remove":
            script.unlink()
        case "nested":
            (three / "b" / "scripts" / "deep").mkdir()
            (three / "b" / "scripts" / "deep" / "z").write_text("")
        case _:
            (three / "b" / "link").symlink_to("scripts")
    assert worked(jobs, run("check")) == ["b"]


def test_settings_and_clients_are_part_of_the_key(three: Path, run: Run, jobs: list[Job]) -> None:
    run("check")
    jobs.clear()
    every = ["a", "b", "c"]
    assert worked(jobs, run("check", "--ignore", "S010")) == every
    assert worked(jobs, run("check", "--profile", "strict")) == every
    assert worked(jobs, run("check", "--clients", "codex")) == every
    assert worked(jobs, run("check", "--no-structure")) == every
    assert worked(jobs, run("check")) == []
    assert worked(jobs, run("check", "--ignore", "S010")) == []
    (three / "skillgauge.toml").write_text(
        '[[overrides]]\npaths = ["b"]\nseverity = {F011 = "hint"}'
    )
    assert worked(jobs, run("check")) == ["b"]
    (three / ".claude").mkdir()
    assert worked(jobs, run("check")) == every


def test_a_changed_description_runs_only_what_compares_skills(
    three: Path, run: Run, jobs: list[Job]
) -> None:
    run("check")
    jobs.clear()
    skill(three / "a", GOOD.replace("Cuts", "Splits"))
    done = run("check", "--format", "json")
    assert [job.partial for job in jobs] == [False, True, True]
    assert worked(jobs, done) == ["a", "b", "c"]
    assert done.json == run("check", "--format", "json", "--no-cache").json
    jobs.clear()
    assert worked(jobs, run("check")) == []


def test_comparing_rules_see_the_new_neighbours(three: Path, run: Run, jobs: list[Job]) -> None:
    """The findings beside a changed neighbour are those of a fresh run, also when they are new."""
    words = ("check", "--format", "json", "--profile", "strict")
    for text in (GOOD, GOOD.replace("{name}", "b"), BAD, GOOD.replace("Cuts", "Splits")):
        skill(three / "a", text)
        assert run(*words).json == run(*words, "--no-cache").json


def test_a_file_alone_gets_the_findings_that_it_gets_in_the_folder(three: Path, run: Run) -> None:
    skill(three / "a", BAD.replace("{name}", "b"))
    words = ("check", "--format", "json", "--profile", "strict", "--no-cache")
    whole = {file["path"]: file for file in run(*words).json["files"]}
    for path, file in whole.items():
        assert run(*words, path).json["files"] == [file]


def test_no_cache_keeps_nothing(three: Path, run: Run, tmp_path: Path) -> None:
    run("check", "--no-cache")
    (three / "skillgauge.toml").write_text("cache = false")
    run("check")
    assert not (tmp_path / "cache").exists()


def test_cache_dir(three: Path, run: Run, tmp_path: Path, jobs: list[Job]) -> None:
    run("check", "--cache-dir", "kept")
    assert len(list((three / "kept").glob("*.json"))) == 1
    jobs.clear()
    assert worked(jobs, run("check", "--cache-dir", str(three / "kept"))) == []
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"format": 1}',
        b'{"format": 1, "program": "x", "sections": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_cache_is_none(
    three: Path, run: Run, jobs: list[Job], tmp_path: Path, damage: bytes
) -> None:
    first = run("check", "--format", "json")
    jobs.clear()
    (path,) = (tmp_path / "cache" / "skillgauge").glob("*.json")
    path.write_bytes(damage)
    second = run("check", "--format", "json")
    assert worked(jobs, second) == ["a", "b", "c"]
    assert second == first


@pytest.mark.parametrize(
    "value",
    [None, 3, [], ["x"], ["", {}], ["", {"findings": [[1, 2]], "structure": None}], [1, 2, 3]],
)
def test_damaged_entries_are_none(
    three: Path, run: Run, jobs: list[Job], tmp_path: Path, value: object
) -> None:
    first = run("check", "--format", "json")
    jobs.clear()
    (path,) = (tmp_path / "cache" / "skillgauge").glob("*.json")
    document = json.loads(path.read_bytes())
    results = document["sections"]["results"]
    for key, (condition, _) in results.items():
        results[key] = [condition, value]
    for key in document["sections"]["skills"]:
        document["sections"]["skills"][key] = value
    path.write_text(json.dumps(document))
    second = run("check", "--format", "json")
    assert worked(jobs, second) == ["a", "b", "c"]
    assert second == first


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_a_cache_that_cannot_be_written_is_no_fault(three: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    done = run("check", "--select", "S010")
    assert (done.status, done.err) == (0, "")


def test_another_program_does_not_use_it(
    three: Path, run: Run, jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check")
    jobs.clear()
    monkeypatch.setattr(cache_module, "program_signature", lambda: "another version")
    assert worked(jobs, run("check")) == ["a", "b", "c"]


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MAX_ENTRIES", 3)
    monkeypatch.setattr(cache_module, "MAX_PROJECTS", 2)
    first = Cache(tmp_path, "/root")
    for number in range(5):
        first.put("s", str(number), "c", number)
    first.save()
    second = Cache(tmp_path, "/root")
    assert [second.get("s", str(number), "c") for number in range(5)] == [None, None, 2, 3, 4]
    third = Cache(tmp_path, "/root")
    assert third.get("s", "2", "c") == 2
    third.put("s", "new", "c", "value")
    third.save()
    last = Cache(tmp_path, "/root")
    assert [last.get("s", key, "c") for key in ("2", "3", "4", "new")] == [2, None, 4, "value"]
    for name in ("/x", "/y", "/z"):
        other = Cache(tmp_path, name)
        other.put("s", "k", "c", 1)
        other.save()
    assert len(list(tmp_path.glob("*.json"))) == 2
    assert not list(tmp_path.glob(".new-*"))


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    made = Cache(tmp_path / "new", "/root")
    made.put("s", "k", "c", "a line of a private skill")
    made.save()
    assert made.path.stat().st_mode & 0o077 == 0
    assert made.path.parent.stat().st_mode & 0o077 == 0


def test_signature_of_a_folder_ends_where_the_listing_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "MAX_FILES", 3)
    for name in "abcd":
        (tmp_path / name).write_text("")
    before = folder_signature(str(tmp_path))
    (tmp_path / "z").write_text("")
    assert folder_signature(str(tmp_path)) == before
    (tmp_path / "a").write_text("1")
    assert folder_signature(str(tmp_path)) != before


def test_rules_that_compare_skills_say_so() -> None:
    """A rule that looks at neighbours without declaring it would be served old results."""
    import inspect

    for rule in all_rules():
        source = inspect.getsource(inspect.getmodule(rule.check) or rule.check)
        if ".others(" in source or "workspace.skills" in source:
            assert "workspace" in rule.needs, rule.name


# --- what a configuration comes to ---------------------------------------------------------------

CONFIG = """
profile = "spec"
select = ["F"]
ignore = ["F011"]
clients = ["codex"]
extend-exclude = ["x", "y/*"]
jobs = 2
[severity]
F = "info"
[[overrides]]
paths = ["a"]
select = []
severity = { F011 = "hint" }
"""


def test_a_configuration_is_read_once(
    three: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = three / "skillgauge.toml"
    path.write_text(CONFIG)
    fresh = load_config(path)
    assert load_cached(path, tmp_path / "kept") == fresh
    with monkeypatch.context() as patch:
        patch.setattr("skillgauge.config_cache.load_config", None)
        assert load_cached(path, tmp_path / "kept") == fresh
    path.write_text(CONFIG.replace("jobs = 2", "jobs = 3"))
    assert load_cached(path, tmp_path / "kept").jobs == 3
    assert load_cached(path, None).jobs == 3


def test_a_fault_of_a_configuration_is_not_kept(three: Path, run: Run) -> None:
    (three / "skillgauge.toml").write_text("foo = 1")
    assert run("check").status == run("check").status == 2


@pytest.mark.parametrize("plain", [None, 3, [], {}, {"base": 1}, {"base": {"x": 1}}])
def test_a_damaged_configuration_is_read_again(three: Path, tmp_path: Path, plain: object) -> None:
    path = three / "skillgauge.toml"
    path.write_text(CONFIG)
    fresh = load_cached(path, tmp_path / "kept")
    (kept,) = (tmp_path / "kept").glob("*.json")
    document = json.loads(kept.read_bytes())
    document["sections"]["configuration"]["file"][1] = plain
    kept.write_text(json.dumps(document))
    assert load_cached(path, tmp_path / "kept") == fresh


def test_nothing_heavy_is_loaded_for_a_known_configuration(three: Path, run: Run) -> None:
    (three / "skillgauge.toml").write_text('ignore = ["S010"]\n[[overrides]]\npaths = ["b"]\n')
    run("check")
    assert heavy_modules() == "[]\n"
