"""The smaller commands: explain, rules, init, doctor, server."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from skillgauge import doctor, pages
from skillgauge.config import load_config
from skillgauge.rules import all_rules, by_key

from .conftest import GOOD, Run, skill

# --- explain and rules ---------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["F011", "f011", "yaml-unquoted-colon"])
def test_explain(repo: Path, run: Run, key: str) -> None:
    out = run("explain", key).out
    assert out.startswith("# yaml-unquoted-colon (F011)\n\nA frontmatter value holds a colon")
    severities = by_key()["F011"].severities
    levels = {f"{name} {level.label}" for name, level in severities.items()}
    (line,) = re.findall(r"^- \*\*Severity:\*\* (.*)$", out, re.MULTILINE)
    assert levels <= set(line.split(", "))
    assert re.search(r"^- \*\*Fix:\*\* (un)?safe", out, re.MULTILINE)
    assert "````markdown\n---\nname: deploy-preview\n" in out


def test_explain_in_color(repo: Path, run: Run) -> None:
    out = run("explain", "F011", "--color", "always").out
    assert "\x1b[" in out
    assert "yaml-unquoted-colon (F011)" in out


def test_explain_what_is_not_there(repo: Path, run: Run) -> None:
    done = run("explain", "unquoted-colon")
    assert done.status == 2
    assert done.err == (
        "skillgauge: No rule is called “unquoted-colon”. Did you mean “yaml-unquoted-colon”?\n"
    )


def test_measured_precision_is_shown(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"skills": 2239, "hit": 60, "read": 20, "true": 19, "date": "2026-12-01"}
    monkeypatch.setattr(pages, "precision", lambda: {"yaml-unquoted-colon": found})
    expected = "60 of 2239 have it; of 20 findings read, 19 were right (2026-12-01)"
    assert f"- **On real skills:** {expected}\n" in run("explain", "F011").out


def test_rules_as_json_have_every_rule(repo: Path, run: Run) -> None:
    listed = run("rules", "--format", "json").json
    assert [item["code"] for item in listed] == [rule.code for rule in all_rules()]
    one = next(item for item in listed if item["code"] == "F011")
    assert one["name"] == "yaml-unquoted-colon"
    assert list(one["severities"]) == ["default", "spec", "aces", "strict"]
    assert one["severities"]["default"] == one["severities"]["strict"] == "error"
    assert one["fix"] == by_key()["F011"].fix
    assert one["url"].endswith("/docs/rules/yaml-unquoted-colon.md")


def test_rules_as_text_and_markdown_have_every_rule(repo: Path, run: Run) -> None:
    text = run("rules").out.splitlines()
    assert [line.split()[:2] for line in text] == [[rule.code, rule.name] for rule in all_rules()]
    table = run("rules", "--format", "markdown").out.splitlines()
    assert len(table) == len(all_rules()) + 2
    assert all(line.startswith("| ") and line.endswith(" |") for line in table)


# --- init ----------------------------------------------------------------------------------------


def test_init_writes_a_configuration_that_says_what_is_so_by_default(repo: Path, run: Run) -> None:
    done = run("init")
    assert (done.status, done.err) == (0, "skillgauge: Wrote skillgauge.toml\n")
    config = load_config(repo / "skillgauge.toml")
    assert config.profile == "default"
    assert config.clients == ()
    text = (repo / "skillgauge.toml").read_text()
    commented = "\n".join(
        line.removeprefix("# ") for line in text.splitlines() if not line.startswith("# clients")
        and ("=" in line or line.startswith(("[", "# [")))
    )  # fmt: skip
    everything = tomllib.loads(commented)
    assert set(everything) == {
        "profile", "ignore", "extend-select", "extend-exclude", "fail-on", "severity", "overrides"
    }  # fmt: skip
    (repo / "skillgauge.toml").write_text(commented)
    load_config(repo / "skillgauge.toml")


def test_init_guesses_the_clients(repo: Path, run: Run) -> None:
    (repo / "sub" / ".claude").mkdir(parents=True)
    run("init", "sub")
    assert load_config(repo / "sub" / "skillgauge.toml").clients == ("claude-code",)


def test_init_overwrites_nothing(repo: Path, run: Run) -> None:
    (repo / "skillgauge.toml").write_text("# mine")
    (repo / "pdf").mkdir()
    for words in (["init"], ["init", "--skill", "pdf"]):
        done = run(*words)
        assert done.status == 2
        assert "exists and is left as it is" in done.err
    assert (repo / "skillgauge.toml").read_text() == "# mine"
    assert list((repo / "pdf").iterdir()) == []


def test_init_makes_no_second_configuration(repo: Path, run: Run) -> None:
    """A skillgauge.toml would silently take the place of the table in pyproject.toml."""
    (repo / "pyproject.toml").write_text('[tool.skillgauge]\nprofile = "spec"\n')
    done = run("init")
    assert done.status == 2
    assert f"“{repo}/pyproject.toml” configures this folder already" in done.err
    assert not (repo / "skillgauge.toml").exists()


@pytest.mark.parametrize("name", ["pdf", "fill-pdf-forms", "a1"])
def test_a_new_skill_is_clean(repo: Path, run: Run, name: str) -> None:
    assert run("init", "--skill", name).status == 0
    done = run("check", "--format", "json", "--fail-on", "hint")
    assert done.findings == {f"{name}/SKILL.md": []}
    done = run("check", "--format", "json", "--fail-on", "hint", "--profile", "spec")
    assert done.findings == {f"{name}/SKILL.md": []}


@pytest.mark.parametrize("name", ["PDF", "a--b", "-a", "", "a b", "../x", "a" * 65])
def test_a_wrong_name_is_refused(repo: Path, run: Run, name: str) -> None:
    done = run("init", f"--skill={name}")
    assert done.status == 2
    assert "is no name for a skill" in done.err
    assert sorted(path.name for path in repo.iterdir()) == [".git"]


# --- doctor --------------------------------------------------------------------------------------


def test_doctor_is_content(repo: Path, run: Run) -> None:
    (repo / ".claude").mkdir()
    done = run("doctor")
    assert done.status == 0
    assert "FAULT" not in done.out
    assert f"CPython {sys.version.split()[0]}" in done.out
    assert "claude-code (guessed in" in done.out
    assert "none found: the defaults count" in done.out


def test_doctor_says_how_full_the_lists_are(repo: Path, run: Run) -> None:
    """Of the clients that are meant; of a list that is too full, what takes most of it."""
    for index in range(9):
        text = GOOD.replace("Cuts files.", "Cuts files. " + "x" * (900 + index))
        skill(repo / ".claude" / "skills" / f"s{index}", text)
    lines = [" ".join(line.split()) for line in run("doctor").out.splitlines()]
    at = next(index for index, line in enumerate(lines) if "Claude Code's list" in line)
    assert lines[at].startswith("note Claude Code's list 9 skills take 8,")
    assert lines[at + 1].startswith("→ When the list outgrows its budget, the skills used least")
    assert "The longest: s8 (" in lines[at + 1]
    (repo / "skillgauge.toml").write_text('clients = ["codex"]\n')
    assert "Claude Code's list" not in run("doctor").out


def test_doctor_says_what_is_missing_and_how_to_get_it(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "skillgauge.toml").write_text("\nfoo = 1\n")
    monkeypatch.setattr(doctor, "required", lambda: iter([("not-there-at-all", ">=2")]))
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    monkeypatch.setattr("os.access", lambda *_: False)
    done = run("doctor")
    assert done.status == 1
    lines = done.out.splitlines()
    first = next(index for index, line in enumerate(lines) if "not-there-at-all" in line)
    assert lines[first].split() == ["FAULT", "not-there-at-all", "not", "installed"]
    assert lines[first + 1].strip() == (f'→ {sys.executable} -m pip install "not-there-at-all>=2"')
    assert f"{repo}/skillgauge.toml:2:1: unknown key “foo”" in done.out
    assert "pure Python, several times slower" in done.out
    assert "Set XDG_CACHE_HOME to a folder that you can write to" in done.out


def test_required_libraries_are_those_of_the_package() -> None:
    found = {name.lower(): wanted for name, wanted in doctor.required()}
    assert {"pygls", "pyyaml", "pydantic"} <= set(found)
    assert "pytest" not in found
    assert all("extra" not in wanted for wanted in found.values())


# --- server --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], {}),
        (["--stdio", "--clientProcessId=7"], {}),
        (["--tcp", "localhost:0"], {"tcp": "localhost:0"}),
        (["--ws", "localhost:0"], {"ws": "localhost:0"}),
        (["--no-scorer"], {"scorer": False}),
    ],
)
def test_server_starts_with_its_transport(
    repo: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    expected: dict[str, Any],
) -> None:
    seen: list[dict[str, Any]] = []

    def start(**options: Any) -> int:
        seen.append(options)
        return 3

    monkeypatch.setattr("skillgauge.lsp.server.main", start)
    assert run("server", *words).status == 3
    assert seen == [{"tcp": None, "ws": None, "scorer": True, **expected}]


def test_server_takes_one_transport(repo: Path, run: Run) -> None:
    done = run("server", "--stdio", "--tcp", "x:1")
    assert done.status == 2
    assert done.err == ("skillgauge: Only one of --stdio, --tcp and --ws can be used at a time.\n")


def test_rules_json_is_valid_for_programs(repo: Path, run: Run) -> None:
    assert json.loads(run("rules", "--format", "json").out)
