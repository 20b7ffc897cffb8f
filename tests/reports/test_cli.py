"""What users of other linters reported about whole runs, configuration, lengths and false alarms.

Each test names the report and asks for the outcome that its author wanted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from skillgauge.cli import main
from skillgauge.engine import check, profile_settings

from ..helpers import skill

Codes = Callable[..., dict[str, set[str]]]
TEXT = "---\nname: {name}\ndescription: {description}\n---\n\n# Cut\n\nCut the file in two.\n"
GOOD = "Cuts files in two. Use when one is too long to send."
BAD = "Cuts files: all of them."


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repo")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "repo"


@pytest.fixture
def codes(capsys: pytest.CaptureFixture[str]) -> Codes:
    """Check some paths, and return the codes found in each file."""

    def run(*words: str) -> dict[str, set[str]]:
        assert main(["check", "--format", "json", *words]) in (0, 1)
        files = json.loads(capsys.readouterr().out)["files"]
        return {file["path"]: {item["code"] for item in file["findings"]} for file in files}

    return run


def write(folder: Path, description: str = BAD) -> None:
    folder.mkdir(parents=True)
    text = TEXT.format(name=folder.name, description=description)
    (folder / "SKILL.md").write_text(text, encoding="utf-8")


def of(body: str, *, frontmatter: str = "", profile: str = "strict") -> set[str]:
    """Return the names of the rules that fire on a sound skill with some more text."""
    text = f"---\nname: demo\ndescription: {GOOD}\n{frontmatter}---\n\n# Demo\n\n{body}"
    found = check(skill(text, {}, folder="demo"), profile_settings(profile)).findings
    return {finding.rule for finding in found}


# --- configuration and paths ----------------------------------------------------------------------


def test_overrides_reach_the_rules_of_skills(repo: Path, codes: Codes) -> None:
    """agent-sh/agnix #1277: a table of overrides had no effect on them."""
    write(repo / "drafts" / "one")
    write(repo / "skills" / "two")
    config = '[[overrides]]\npaths = ["drafts/**"]\nignore = ["F011"]\n'
    (repo / "skillgauge.toml").write_text(config)
    found = codes()
    assert "F011" not in found["drafts/one/SKILL.md"]
    assert "F011" in found["skills/two/SKILL.md"]


def test_the_order_of_arguments_changes_nothing(repo: Path, codes: Codes) -> None:
    """agent-sh/agnix #1368: the first argument set the root, and with it what was found."""
    write(repo / "a" / "cut", GOOD)
    write(repo / "b" / "c" / "cut", GOOD)
    first, second = "a/cut/SKILL.md", "b/c/cut/SKILL.md"
    assert codes(first, second) == codes(second, first) == codes(".")


def test_files_are_found_below_a_folder_that_begins_with_a_dot(repo: Path, codes: Codes) -> None:
    """stbenjam/skillsaw #301: a pattern that begins with a dot matched nothing."""
    write(repo / ".claude" / "skills" / "one")
    write(repo / "skills" / "two")
    assert list(codes(".claude/**/SKILL.md")) == [".claude/skills/one/SKILL.md"]
    (repo / "skillgauge.toml").write_text('extend-exclude = [".claude/**"]\n')
    assert list(codes()) == ["skills/two/SKILL.md"]


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ('severity = ["F011"]\n', "1:12"),
        ("overrides = 3\n", "1:13"),
        ('[severity]\nF011 = ["error"]\n', "2:8"),
        ("clients = { claude-code = true }\n", "1:11"),
    ],
)
def test_another_type_in_the_configuration(
    repo: Path, capsys: pytest.CaptureFixture[str], config: str, place: str
) -> None:
    """stbenjam/skillsaw #301: a list where a table belongs ended the linter with a trace."""
    write(repo / "one")
    (repo / "skillgauge.toml").write_text(config)
    assert main(["check"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"skillgauge: {repo}/skillgauge.toml:{place}: ")
    assert err.count("\n") == 1


# --- lengths --------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", ["a", "é", "漢", "😀"])
def test_limits_count_characters(char: str) -> None:
    """agent-sh/agnix #1121 to #1140: lengths were counted in bytes, columns in the wrong units."""
    for length, wanted in ((1_024, False), (1_025, True)):
        text = f"---\nname: demo\ndescription: {char * length}\n---\n\n# Demo\n\nCut it.\n"
        found = check(skill(text, {}, folder="demo"), profile_settings("spec")).findings
        assert ("F043" in {finding.code for finding in found}) is wanted


def test_a_body_is_measured_in_tokens() -> None:
    """magnus919/agent-skills #406: limits in lines say little; what counts are tokens."""
    few_lines = "Cut the file where the text says so, then look at both of its parts again.\n" * 400
    assert "body-too-many-tokens" in of(few_lines)
    assert "body-too-long" not in of(few_lines)
    many_lines = "- cut\n" * 499
    assert "body-too-many-tokens" not in of(many_lines)


# --- false alarms ---------------------------------------------------------------------------------


def test_allowed_tools_may_be_a_list() -> None:
    """agent-sh/agnix, changelog: a YAML list was reported as a parse error."""
    rules = of(
        "Go.\n", frontmatter="allowed-tools:\n  - Read\n  - Bash(git *)\n", profile="default"
    )
    assert not {rule for rule in rules if rule.startswith("yaml")}
    assert "unknown-tool" not in rules


def test_an_address_in_a_fence_is_no_import() -> None:
    """agent-sh/agnix, changelog: `@192.168.1.4` in a fence was read as an imported file."""
    body = "```sh\nscp out.csv admin@192.168.1.4:/srv\nping @192.168.1.5\n```\n"
    assert not {rule for rule in of(body) if rule.startswith(("link-", "mentioned-"))}


def test_markup_in_the_fence_of_a_list_item_is_code() -> None:
    """agent-sh/agnix, changelog: tags in fences below numbered items were called unclosed."""
    body = "1. Write this:\n\n   ```xml\n   <config><path>a</path>\n   ```\n\n2. Save it.\n"
    assert not {rule for rule in of(body) if "xml" in rule or "fence" in rule}


def test_the_fields_of_awk_are_no_arguments() -> None:
    """agent-sh/agnix, changelog: `$1` in a program of awk was read as the skill's argument."""
    body = "```sh\nawk '{print $1, $2}' sizes.txt\n```\n\nOr `awk '{print $3}'` for the third.\n"
    assert not of(body) & {"arguments-without-hint", "unknown-substitution"}


def test_a_display_name_of_a_plugin_is_no_name(repo: Path, codes: Codes) -> None:
    """agent-sh/agnix, changelog: the name in a plugin's manifest was held against the folder."""
    write(repo / "plugin" / "skills" / "cut", GOOD)
    (repo / "plugin" / ".claude-plugin").mkdir()
    manifest = '{"name": "cutting", "displayName": "Cutting Tools"}'
    (repo / "plugin" / ".claude-plugin" / "plugin.json").write_text(manifest)
    assert codes("plugin")["plugin/skills/cut/SKILL.md"].isdisjoint({"F033", "F036"})


def test_everyday_words_are_not_weak() -> None:
    """RHEcosystemAppEng/sdlc-plugins #231: “correctly” and “gracefully” were weak words."""
    body = "Handle errors gracefully. Check that the file is cut correctly and appropriately.\n"
    assert of(body, profile="default") == set()


def test_names_beyond_ascii() -> None:
    """agentskills/agentskills PR 345: the text allows a to z, the validator every letter.

    Neither is right alone, so it is no error, and both are said.
    """
    text = TEXT.format(name="größe", description=GOOD)
    found = check(skill(text, {}, folder="größe")).findings
    (named,) = (item for item in found if item.rule == "name-characters")
    assert named.severity.label == "info"
    assert "the specification’s text allows a to z only, its validator any" in named.message
    upper = check(skill(TEXT.format(name="Größe", description=GOOD), {}, folder="Größe")).findings
    (named,) = (item for item in upper if item.rule == "name-characters")
    assert named.severity.label == "warning"
