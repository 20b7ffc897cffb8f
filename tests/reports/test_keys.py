"""What users of other tools reported about keys, names and limits, with the outcome they asked for.

Each test names the public report that it goes back to. Only the situation is taken from there.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillgauge import clients
from skillgauge.discover import kind_of
from skillgauge.document.skill import Skill
from skillgauge.engine import check, profile_settings
from skillgauge.rule import Finding, Severity

from ..helpers import skill

DESCRIPTION = "description: Fixes an issue. Use when the user names one."
BOTH = f"name: fix-issue\n{DESCRIPTION}"


def made(frontmatter: str, *targets: str, folder: str = "fix-issue") -> Skill:
    text = f"---\n{frontmatter}\n---\n# Fix an issue\n\nFix it.\n"
    return skill(text, folder=folder, clients=targets)


def format_findings(document: Skill, profile: str = "default") -> list[Finding]:
    found = check(document, profile_settings(profile)).findings
    return [finding for finding in found if finding.code.startswith("F")]


def rules(document: Skill, profile: str = "default") -> list[str]:
    return [finding.rule for finding in format_findings(document, profile)]


CLAUDE_CODE_KEYS = """\
when_to_use: Also for several issues.
argument-hint: "[issue]"
arguments: [issue]
disable-model-invocation: true
user-invocable: true
allowed-tools: Read, Bash(git add *)
disallowed-tools: WebFetch
model: haiku
effort: high
context: fork
agent: Explore
background: false
hooks:
  Stop: []
paths: src/**
shell: bash
metadata:
  version: 2
license: MIT
compatibility: Needs git"""


def test_documented_keys_are_no_findings() -> None:
    """anthropics/claude-code 23329, 41748: keys of the documentation were marked as unsupported."""
    assert rules(made(f"{BOTH}\n{CLAUDE_CODE_KEYS}", "claude-code")) == []


@pytest.mark.parametrize("line", CLAUDE_CODE_KEYS.replace("\n  ", "\x00").split("\n"))
def test_documented_keys_are_no_findings_where_no_target_is_known(line: str) -> None:
    """The same reports: one key at a time, with nothing known about who reads the skill."""
    found = format_findings(made(f"{BOTH}\n" + line.replace("\x00", "\n  ")))
    assert [item for item in found if item.severity > Severity.HINT] == []
    key = line.split(":")[0]
    assert not any(f"“{key}”" in item.message for item in found)


def test_the_misspelt_key_is_not_offered_but_mended() -> None:
    """anthropics/claude-code 27411: an editor offered `user-invokable` itself."""
    assert not clients.known_key("user-invokable")
    (found,) = format_findings(made(f"{BOTH}\nuser-invokable: true", "claude-code"))
    assert found.rule == "misspelt-key"
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["user-invocable"]


def test_a_plugin_skill_may_leave_its_name_out() -> None:
    """anthropics/claude-code 42782: the documentation of plugins says so, a checker demanded it."""
    assert rules(made(DESCRIPTION, "claude-code")) == []
    assert rules(made(DESCRIPTION, "claude-code", "codex")) == ["name-missing"]


def test_skills_for_claude_code_and_codex() -> None:
    """parcadei/Continuous-Claude-v3 116: without names Claude Code took them, Codex did not."""
    (found,) = format_findings(made(DESCRIPTION, "codex"))
    assert (found.rule, found.severity) == ("name-missing", Severity.ERROR)
    assert found.fix is not None
    assert found.fix.safe
    assert found.fix.edits[0].text == "name: fix-issue\n"


def test_a_namespaced_name_for_claude_code() -> None:
    """anthropics/claude-code 32903: `git:co` in the folder `git-co` names a command."""
    frontmatter = f"name: git:co\n{DESCRIPTION}"
    assert rules(made(frontmatter, "claude-code", folder="git-co")) == []
    (found,) = format_findings(made(frontmatter, "vscode", folder="git-co"))
    assert (found.rule, found.severity) == ("name-characters", Severity.ERROR)


def test_no_frontmatter_lacks_no_keys() -> None:
    """microsoft/vscode 294747: fine for Claude Code and not for VS Code; never three findings."""
    needs = {client.id: client.needs_frontmatter for client in clients.load()}
    assert (needs["claude-code"], needs["vscode"]) == (False, True)
    document = skill("# Fix an issue\n\nFix it.\n", folder="fix-issue", clients=("vscode",))
    assert not {"name-missing", "description-missing"} & set(rules(document))


def test_a_folder_of_another_name() -> None:
    """microsoft/vscode-docs 9454: such a skill was passed over without a word."""
    (found,) = format_findings(made(BOTH, "vscode", folder="issues"))
    assert (found.rule, found.severity) == ("name-differs-from-folder", Severity.WARNING)
    assert "VS Code" in found.message


@pytest.mark.parametrize("tools", ["Read", "Read Grep", "Bash(git:*) Read", "Bash(git add *)"])
def test_documented_keys_may_be_packed(tools: str) -> None:
    """anthropics/skills 249, 250, 283, 1431, 1434: the packaging check refused documented keys."""
    frontmatter = f"{BOTH}\ncompatibility: Needs git\nallowed-tools: {tools}\nlicense: MIT"
    assert rules(made(frontmatter, "claude-ai")) == []
    assert rules(made(frontmatter), "spec") == []


def test_a_key_of_the_house_is_a_hint_and_one_decision() -> None:
    """affaan-m/ECC 2233: `origin` in 737 of 865 skills asks for one decision, not 737 warnings."""
    document = made(f"{BOTH}\norigin: ECC", "codex")
    (found,) = format_findings(document)
    assert (found.rule, found.severity) == ("key-without-effect", Severity.HINT)
    default = profile_settings()
    without = replace(
        default, severities={code: s for code, s in default.severities.items() if code != "F052"}
    )
    assert not [item for item in check(document, without).findings if item.code.startswith("F")]


def test_an_open_world_of_keys() -> None:
    """microsoft/vscode 294520: warn of near misses only, not of every key that is unknown."""
    assert rules(made(f"{BOTH}\nmoon-phase: full", "vscode")) == []
    assert rules(made(f"{BOTH}\ncompatibilty: git", "vscode")) == ["misspelt-key"]


def test_limits_are_those_of_the_client() -> None:
    """agent-sh/agnix 957, 972, 979: rules about lengths and brackets contradicted the vendors."""
    frontmatter = f"name: fix-issue\ndescription: Fixes <issue>. {'Use it. ' * 180}"
    assert rules(made(frontmatter, "claude-code")) == []
    assert rules(made(frontmatter, "claude-ai")) == ["angle-brackets", "description-too-long"]


@pytest.mark.parametrize("name", ["official-skill", "mcp-helper", "system-prompt", "openai-notes"])
def test_no_words_are_reserved_without_a_source(name: str) -> None:
    """olgasafonova/SkillCheck-Free 1: words were refused that no document lists."""
    frontmatter = f"name: {name}\n{DESCRIPTION}"
    assert rules(made(frontmatter, "claude-ai", folder=name)) == []


def test_cadence_skill_files_are_none_of_ours() -> None:
    """herbertagosto/code-skill 15: “SKILL” is also a language; its files need no name."""
    for name in ("layout.il", "skill.il", "SKILL.il"):
        assert kind_of(f"/project/{name}") is None
    assert kind_of("/project/layout/SKILL.md") == "skill"
