"""`skillgauge check`: statuses, arguments, standard input, configuration, baselines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skillgauge import engine, rules
from skillgauge.cli import commands, main
from skillgauge.report import formats
from skillgauge.rule import Finding

from .conftest import BAD, GOOD, Run, skill

F011 = ["3:24 F011"]


# --- what is found -------------------------------------------------------------------------------


def test_findings_and_statuses(repo: Path, check: Run) -> None:
    skill(repo / "a", GOOD)
    done = check()
    assert (done.status, done.findings, done.err) == (0, {"a/SKILL.md": []}, "")
    skill(repo / "b")
    done = check()
    assert (done.status, done.findings) == (1, {"a/SKILL.md": [], "b/SKILL.md": F011})


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--fail-on", "error"], 1),
        (["--fail-on", "hint"], 1),
        (["--fail-on", "never"], 0),
        (["--config", "mild.toml"], 0),
        (["--config", "mild.toml", "--fail-on", "warning"], 0),
        (["--config", "mild.toml", "--fail-on", "info"], 1),
        (["--config", "strict.toml"], 1),
    ],
)
def test_fail_on(repo: Path, check: Run, words: list[str], status: int) -> None:
    skill(repo / "a")
    (repo / "mild.toml").write_text('severity = {F011 = "info"}')
    (repo / "strict.toml").write_text('fail-on = "info"\nseverity = {F011 = "info"}')
    assert check(*words).status == status


def test_no_skill_at_all_is_said_and_no_fault(repo: Path, check: Run) -> None:
    done = check()
    assert (done.status, done.json["files"]) == (0, [])
    assert done.err == "skillgauge: No skill in .\n"


def test_paths_are_relative_to_the_working_folder(
    repo: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill(repo / "a" / "b")
    monkeypatch.chdir(repo / "a")
    assert list(check("b").findings) == ["b/SKILL.md"]
    assert list(check(str(repo / "a" / "b")).findings) == ["b/SKILL.md"]
    monkeypatch.chdir(repo / "a" / "b")
    assert list(check().findings) == ["SKILL.md"]
    assert list(check("../../a").findings) == ["SKILL.md"]


def test_neither_order_nor_working_folder_change_findings(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "skillgauge.toml").write_text(
        'select = ["F011"]\n[[overrides]]\npaths = ["x/**"]\nseverity = {F011 = "hint"}\n'
        '[[overrides]]\npaths = ["/y"]\nignore = ["F011"]\n'
    )
    for name in ("x/a", "y/b", "z/c"):
        skill(repo / name)

    def severities(*words: str) -> dict[str, list[str]]:
        files = run("check", "--format", "json", "--no-cache", *words).json["files"]
        found = {
            os.path.abspath(file["path"]): [item["severity"] for item in file["findings"]]
            for file in files
        }
        assert list(found) == sorted(found)
        return found

    expected = {
        str(repo / "x/a/SKILL.md"): ["hint"],
        str(repo / "y/b/SKILL.md"): [],
        str(repo / "z/c/SKILL.md"): ["error"],
    }
    assert severities() == expected
    assert severities("z", "y", "x") == expected
    assert severities("x", "z/c/SKILL.md", str(repo / "y"), "x/a") == expected
    monkeypatch.chdir(repo / "y" / "b")
    assert severities("../../z", "../../x", ".") == expected


def test_results_of_one_and_of_several_processes_are_the_same(repo: Path, run: Run) -> None:
    for index in range(40):
        skill(repo / f"skill-{index}", BAD if index % 3 else GOOD)
    one = run("check", "--format", "json", "--no-cache", "--jobs", "1")
    four = run("check", "--format", "json", "--no-cache", "--jobs", "4")
    assert one.status == four.status == 1
    assert one.json == four.json
    assert sum("F011" in str(file["findings"]) for file in one.json["files"]) == 26


def test_processes_that_share_nothing_give_the_same(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where processes can't be forked, they load everything themselves."""
    for index in range(4):
        skill(repo / f"skill-{index}", BAD)
    monkeypatch.setattr("skillgauge.worker.POOL_FROM", 4)
    words = ("check", "--format", "json", "--no-cache", "--jobs")
    one = run(*words, "1")
    monkeypatch.setattr("skillgauge.worker.sys.platform", "darwin")
    assert run(*words, "2").json == one.json


def test_rules_are_chosen_on_the_command_line(repo: Path, run: Run) -> None:
    skill(repo / "a")

    def codes(*words: str) -> set[str]:
        files = run("check", "--format", "json", *words).json["files"]
        return {item["code"] for item in files[0]["findings"]}

    assert codes("--select", "F011") == {"F011"}
    assert codes("--select", "yaml-unquoted-colon,S") == {"F011"}
    assert codes("--select", "F,S", "--ignore", "F011") == codes("--select=F") - {"F011"}
    assert codes("--select", "F011", "--select", "S") == {"F011"}
    assert "F011" in codes("--profile", "spec")
    assert codes("--select", "S", "--extend-select", "F011") == {"F011"}


def test_configuration_is_taken_or_left(repo: Path, run: Run) -> None:
    skill(repo / "a")
    (repo / "skillgauge.toml").write_text('select = ["S"]')
    (repo / "other.toml").write_text('select = ["F011"]')
    assert run("check").status == 0
    assert run("check", "--isolated").status == 1
    assert run("check", "--config", "other.toml").status == 1


def test_configuration_next_to_the_skill_counts_for_it_alone(repo: Path, run: Run) -> None:
    skill(repo / "a")
    skill(repo / "b" / "c")
    (repo / "skillgauge.toml").write_text("select = ['F011']")
    (repo / "b" / "pyproject.toml").write_text("[tool.skillgauge]\nselect = ['S']\n")
    done = run("check", "--format", "json")
    assert done.findings == {"a/SKILL.md": F011, "b/c/SKILL.md": []}


def test_structure_is_there_for_skills_only(repo: Path, check: Run) -> None:
    skill(repo / "a", GOOD)
    (repo / "a" / "evals").mkdir()
    (repo / "a" / "evals" / "evals.json").write_text("{}")
    (repo / "b").mkdir()
    (repo / "b" / "SKILL.md").write_bytes(b"\xff\xfeU\x00")
    files = {file["path"]: file["structure"] for file in check().json["files"]}
    assert files["a/evals/evals.json"] is None
    assert files["b/SKILL.md"] is None
    structure = files["a/SKILL.md"]
    assert set(structure["dimensions"]) == {
        "correctness", "discoverability", "reliability", "efficiency"
    }  # fmt: skip
    assert check("--no-structure").json["files"][0]["structure"] is None


# --- standard input ------------------------------------------------------------------------------


def test_standard_input_gives_what_the_file_gives(repo: Path, check: Run) -> None:
    path = skill(repo / "a")
    (repo / "skillgauge.toml").write_text('[[overrides]]\npaths = ["a"]\nignore = ["S"]\n')
    file = check("--select", "all", "a/SKILL.md")
    text = path.read_bytes()
    path.write_text("other")
    done = check("--select", "all", "-", "--stdin-filename", "a/SKILL.md", stdin=text)
    assert done.json == file.json
    assert done.status == file.status == 1


def test_standard_input_without_a_name(repo: Path, check: Run) -> None:
    done = check("-", stdin=BAD.format(name="a").encode())
    assert (done.status, done.findings) == (1, {"-": F011})


def test_standard_input_of_a_file_that_does_not_exist(repo: Path, check: Run) -> None:
    done = check("-", "--stdin-filename", "new/SKILL.md", stdin=BAD.format(name="new").encode())
    assert done.findings == {"new/SKILL.md": F011}


# --- wrong use -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nowhere", "“nowhere” does not exist. Name a skill's folder or a SKILL.md."),
        ("--formt json", "`skillgauge check` has no option “--formt”. Did you mean “--format”?"),
        ("--format jsn", "--format is one of github, json, junit, markdown, sarif, text, not “jsn”."
         " Did you mean “json”?"),
        ("--fail-on warn", "--fail-on is one of error, warning, info, hint, never, not “warn”. Did"
         " you mean “warning”?"),
        ("--jobs 0", "--jobs takes a whole number from 1, not “0”."),
        ("--select F0111", "No rule is called “F0111”. Did you mean “F011”?"),
        ("--config x.toml", "The configuration “x.toml” does not exist."),
        ("- a", "“-” can't be mixed with other paths."),
        ("- --watch", "--watch needs files, and “-” is none."),
        ("--stdin-filename a", "--stdin-filename names what “-” stands for, and there is no “-”."),
        ("- --stdin-filename a.py", "“a.py” is neither a skill nor an evaluation file."),
        ("--baseline x.json", "The baseline “{repo}/x.json” does not exist. Write it with"
         " --update-baseline."),
        ("--update-baseline", "There is no baseline to update. Name one with --baseline or in"
         " skillgauge.toml."),
        ("--output no/where.txt", "“{repo}/no/where.txt” can't be written: no such file or"
         " directory."),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line_and_status_2(repo: Path, run: Run, words: str, message: str) -> None:
    skill(repo / "a")
    done = run("check", *words.split())
    assert done.err == f"skillgauge: {message.format(repo=repo)}\n"
    assert (done.status, done.out) == (2, "")


def test_missing_value_of_an_option(repo: Path, run: Run) -> None:
    done = run("check", "--format")
    assert done.status == 2
    assert done.err == (
        "skillgauge: Argument --format: expected one argument. See `skillgauge check --help`.\n"
    )


def test_paths_may_stand_anywhere_and_behind_two_hyphens(repo: Path, run: Run) -> None:
    for name in ("a", "b", "--c"):
        skill(repo / name)
    words = ("check", "a", "--select", "F011", "b", "--format=json", "--", "--c")
    assert list(run(*words).findings) == ["--c/SKILL.md", "a/SKILL.md", "b/SKILL.md"]


def test_unknown_command(repo: Path, run: Run) -> None:
    assert run("chek").err == "skillgauge: There is no command “chek”. Did you mean “check”?\n"
    assert run("chek").status == 2
    assert run("--versoin").err.endswith("Did you mean “--version”?\n")


def test_a_fault_of_the_configuration_is_one_line_with_its_place(repo: Path, run: Run) -> None:
    skill(repo / "a")
    path = repo / "skillgauge.toml"
    path.write_text('# x\nprofile = "strct"\n')
    done = run("check")
    assert done.status == 2
    assert done.err == (
        f"skillgauge: {path}:2:11: “profile” is one of default, spec, aces, strict, not “strct”."
        " Did you mean “strict”?\n"
    )


def test_a_bug_is_one_line_and_shows_its_trace_on_demand(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr("skillgauge.cli.check.once", fail)
    done = run("check")
    assert done.status == 2
    assert done.err == (
        "skillgauge: A fault of skillgauge itself (ZeroDivisionError: one). Run it again with"
        " SKILLGAUGE_DEBUG=1 for the trace, and please report it.\n"
    )
    monkeypatch.setenv("SKILLGAUGE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["check"])


def test_a_rule_that_fails_is_said_and_its_file_not_kept(
    repo: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill(repo / "a")
    broken = rules.by_key()["F011"]

    def fail(_: object) -> list[Finding]:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(engine, "all_rules", lambda: (replace(broken, check=fail),))
        done = check()
    assert done.findings == {"a/SKILL.md": []}
    assert done.err == (
        "skillgauge: A fault of skillgauge itself: rule F011 (yaml-unquoted-colon) failed on"
        f" {repo / 'a' / 'SKILL.md'}. The other rules went on\n"
    )
    assert check().findings == {"a/SKILL.md": F011}


# --- output --------------------------------------------------------------------------------------


def test_output_goes_into_a_file(repo: Path, run: Run) -> None:
    skill(repo / "a")
    done = run("check", "--select", "F011", "--format", "json", "--output", "report.json")
    assert (done.status, done.out, done.err) == (1, "", "")
    assert json.loads((repo / "report.json").read_text())["files"][0]["findings"]


def test_color_is_for_terminals_or_on_demand(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill(repo / "a")
    assert "\x1b[" not in run("check").out
    assert "\x1b[1;31merror F011\x1b[0m" in run("check", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("check").out
    assert "\x1b[" not in run("check", "--color", "never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("check").out


def test_statistics_and_quiet(repo: Path, run: Run) -> None:
    skill(repo / "a")
    skill(repo / "b")
    done = run("check", "--select", "F011", "--statistics")
    assert done.out == (
        "     2  error    F011  yaml-unquoted-colon  2 fixable\n\n"
        "2 findings in 2 of 2 files: 2 errors.\n2 can be fixed with `skillgauge fix`.\n"
    )
    quiet = run("check", "--select", "F011", "--quiet").out
    assert quiet.count("error F011") == 2
    assert "Structure" not in quiet
    assert "findings in" not in quiet


@pytest.mark.skipif(sys.platform != "linux", reason="names that are not UTF-8")
@pytest.mark.parametrize("name", formats())
def test_a_name_that_is_not_utf8_is_no_trouble(repo: Path, run: Run, name: str) -> None:
    folder = os.fsdecode(b"caf\xe9\x1b[31m")
    skill(repo / folder, BAD.replace("{name}", "cafe"))
    done = run("check", "--select", "F011", "--format", name)
    assert (done.status, done.err) == (1, "")
    assert "caf" in done.out
    assert done.out.encode("utf-8")
    assert "\x1b[31m" not in done.out or name == "github"
    assert run("check", "--select", "F011", "--baseline", "b.json", "--update-baseline").status == 0
    assert run("check", "--select", "F011", "--baseline", "b.json").status == 0


# --- baselines -----------------------------------------------------------------------------------


def test_a_baseline_hides_what_is_known_even_when_lines_move(repo: Path, check: Run) -> None:
    path = skill(repo / "a")
    words = ("--baseline", "known.json")
    done = check(*words, "--update-baseline")
    assert (done.status, done.findings) == (0, {"a/SKILL.md": []})
    assert done.err == "skillgauge: Wrote 1 findings into known.json\n"
    path.write_text(path.read_text().replace("name:", "license: MIT\nname:"))
    assert check(*words).status == 0
    skill(repo / "b")
    done = check(*words)
    assert (done.status, done.findings) == (1, {"a/SKILL.md": [], "b/SKILL.md": F011})


def test_each_finding_is_known_once(repo: Path, check: Run) -> None:
    path = skill(repo / "a")
    check("--baseline", "known.json", "--update-baseline")
    line = "description: Cuts files: all of them.\n"
    path.write_text(path.read_text().replace(line, line + line))
    assert check("--baseline", "known.json").findings == {"a/SKILL.md": ["4:24 F011"]}


def test_entries_that_nothing_matches_are_reported(repo: Path, run: Run) -> None:
    path = skill(repo / "a")
    skill(repo / "b")
    words = ("check", "--select", "F011", "--baseline", "known.json")
    run(*words, "--update-baseline")
    path.write_text(GOOD.format(name="a"))
    line = "No longer needed in the baseline: a/SKILL.md: F011 yaml-unquoted-colon\n"
    assert line in run(*words).out
    assert line not in run(*words, "b").out
    done = run(*words, "--update-baseline", "a")
    assert done.status == 0
    entries = json.loads((repo / "known.json").read_text())["findings"]
    assert [entry["path"] for entry in entries] == ["b/SKILL.md"]


def test_the_baseline_of_the_configuration(
    repo: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill(repo / "a")
    (repo / "skillgauge.toml").write_text('baseline = "known.json"\n')
    check("--update-baseline")
    text = (repo / "known.json").read_text()
    assert "Cuts" not in text
    monkeypatch.chdir(repo / "a")
    assert check().status == 0


@pytest.mark.parametrize("text", ["", "[]", '{"schema_version": 9}', '{"schema_version": 1,'
                                  ' "findings": [3]}'])  # fmt: skip
def test_a_broken_baseline_is_wrong_use(repo: Path, run: Run, text: str) -> None:
    skill(repo / "a")
    (repo / "known.json").write_text(text)
    done = run("check", "--baseline", "known.json")
    assert done.status == 2
    assert done.err.endswith("Write it anew with --update-baseline.\n")


# --- the process ---------------------------------------------------------------------------------


def start(*words: str, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "skillgauge", *words]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


def test_a_broken_pipe_is_silent(repo: Path) -> None:
    for index in range(60):
        skill(repo / f"skill-{index}")
    process = start("check", "--select", "F011", "--jobs", "1")
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate()
    assert errors == b""
    assert process.returncode == 141


def test_a_terminal_without_unicode_gets_simple_characters(repo: Path) -> None:
    skill(repo / "a", BAD.replace("# Cut", "# Cut"))
    process = start("check", "--select", "F011", PYTHONIOENCODING="ascii")
    out, errors = process.communicate()
    assert errors == b""
    assert b'fix: Quote the value of "description"' in out
    assert out.isascii()


def test_module_and_version(repo: Path) -> None:
    out, errors = start("--version").communicate()
    assert (out, errors) == (b"skillgauge 0.1.0\n", b"")


def test_help_lists_every_command(repo: Path, run: Run) -> None:
    done = run("--help")
    assert done.status == 0
    for name in commands():
        assert f"\n  {name} " in done.out
        assert run(name, "--help").out.startswith(f"usage: skillgauge {name} [-h]")
    assert run().out == done.out
