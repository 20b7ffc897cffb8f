"""The table of clients: complete, sourced, and the page in step with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from skillgauge import clients
from skillgauge.clients import Client, Key, Source
from skillgauge.clients.conventions import COMMON_KEYS, common_key
from skillgauge.clients.page import PAGE, main, render_table

IDS = {
    "amp",
    "claude-ai",
    "claude-code",
    "cline",
    "codex",
    "cursor",
    "gemini-cli",
    "goose",
    "kiro",
    "openclaw",
    "opencode",
    "roo",
    "vscode",
    "windsurf",
}
SIX = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"]


def client(client_id: str) -> Client:
    found = clients.by_id(client_id)
    assert found is not None
    return found


def every(kind: type, value: Any) -> Iterator[Any]:
    """Everything of one type inside a value."""
    if isinstance(value, kind):
        yield value
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from every(kind, getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from every(kind, item)


def test_every_client_of_the_folder_is_loaded_once() -> None:
    assert sorted(each.id for each in clients.load()) == sorted(IDS)
    titles = [each.title for each in clients.load()]
    assert len(set(titles)) == len(titles)
    assert titles == sorted(titles, key=str.casefold)
    assert clients.by_id("claude-code") is client("claude-code")
    assert clients.by_id("notepad") is None


def test_importing_the_package_imports_no_client() -> None:
    code = (
        "import sys, skillgauge.clients as clients\n"
        "def names(): return {m for m in sys.modules if m.startswith('skillgauge.clients.')}\n"
        "print(sorted(names()))\n"
        "clients.load()\n"
        "print('skillgauge.clients.codex' in names())\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["['skillgauge.clients.facts']", "True"]


def test_sources_have_an_address_and_a_day_that_has_been() -> None:
    found = list(every(Source, (clients.load(), clients.spec_keys(), COMMON_KEYS)))
    assert len(found) > 300
    # A day of grace, since the day begins at different times around the world.
    tomorrow = date.today() + timedelta(days=1)
    for source in found:
        assert source.url.strip() == source.url != ""
        assert "://" not in source.url or source.url.startswith("https://")
        assert source.checked == date.fromisoformat(source.checked).isoformat()
        assert date(2025, 10, 1) < date.fromisoformat(source.checked) <= tomorrow


@pytest.mark.parametrize("client_id", sorted(IDS))
def test_a_client_is_complete(client_id: str) -> None:
    each = client(client_id)
    keys = [key.name for key in each.keys]
    spec = [*each.reads_spec_keys, *each.accepts_spec_keys]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set(SIX)
    assert {key.name for key in each.own_meanings} <= set(each.reads_spec_keys)
    assert len(set(spec)) == len(spec)
    assert set(spec) <= set(SIX)
    assert {"name", "description"} <= set(each.reads_spec_keys)
    assert bool(each.tools) == (each.tools_source is not None)
    assert bool(each.former_tools) == (each.former_tools_source is not None)
    assert not set(each.tools) & set(each.former_tools)
    assert len({place.path for place in each.places}) == len(each.places)
    assert each.quirks == tuple(remark.text for remark in each.remarks)
    if each.id != "claude-ai":
        assert each.places
        assert each.folders


def test_texts_are_sentences_and_enums_have_values() -> None:
    keys: list[Key] = list(every(Key, (clients.load(), clients.spec_keys())))
    for key in keys:
        assert key.meaning.endswith("."), key
        assert key.type != "enum" or key.values, key
    for text in (text for each in clients.load() for text in each.quirks):
        assert text.endswith("."), text


def test_there_are_six_keys_in_the_specification() -> None:
    assert [key.name for key in clients.spec_keys()] == SIX


def test_known_key_names_the_clients_that_read_it() -> None:
    assert set(clients.known_key("user-invocable")) == {"claude-code", "vscode", "openclaw"}
    assert set(clients.known_key("modeSlugs")) == {"roo"}
    assert set(clients.known_key("name")) == IDS
    assert set(clients.known_key("license")) == {"claude-ai"}
    assert clients.known_key("nonsense") == {}
    by_client = clients.known_key("allowed-tools")
    assert by_client["claude-code"].type == "string-or-list"
    assert by_client["claude-ai"].type == "string"


@pytest.mark.parametrize(
    ("key", "client_id", "expected"),
    [
        (
            "when_to_use",
            "claude-code",
            "Claude Code reads it: When to use the skill, with trigger phrases or example requests;"
            " put after the description in the list of skills and cut together with it.",
        ),
        ("when_to_use", "codex", "Codex ignores it."),
        ("when_to_use", "claude-ai", "Upload to claude.ai refuses the skill because of it."),
        ("when_to_use", "vscode", "VS Code warns about it and makes no use of it."),
        ("when_to_use", "amp", "It is not known what Amp does with it."),
        ("license", "claude-code", "Claude Code accepts it, without any effect that is known."),
        ("license", "gemini-cli", "Gemini CLI ignores it."),
        (
            "license",
            "claude-ai",
            "Upload to claude.ai accepts it: The licence of the skill: its name, or the name of a"
            " licence file in the folder.",
        ),
        ("metadata.openclaw", "claude-ai", "Upload to claude.ai accepts it, without any effect"
         " that is known."),
        ("metadata.openclaw", "gemini-cli", "Gemini CLI ignores it."),
        ("metadata.openclaw", "amp", "It is not known what Amp does with it."),
    ],
)  # fmt: skip
def test_consequence(key: str, client_id: str, expected: str) -> None:
    assert clients.consequence(key, client(client_id)) == expected


def test_figures_that_rules_rest_on() -> None:
    claude, codex, upload = (client(i).budget for i in ("claude-code", "codex", "claude-ai"))
    assert claude.description_cut is not None
    assert claude.description_cut.value == 1_536
    assert codex.catalogue_percent is not None
    assert codex.catalogue_percent.value == 2
    assert upload.upload_bytes is not None
    assert upload.upload_bytes.value == 31_457_280
    assert {"Read", "Bash", "Agent", "WebSearch", "Skill"} <= set(client("claude-code").tools)
    assert "Task" in client("claude-code").former_tools


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        ([], []),
        ([".agents/skills/", "skills/", ".git/", ".vscode/"], []),
        ([".claude/"], ["claude-code"]),
        (["CLAUDE.md", ".cursor/rules/"], ["claude-code", "cursor"]),
        ([".gemini/"], ["gemini-cli"]),
        ([".codex/"], ["codex"]),
        ([".opencode/"], ["opencode"]),
        (["opencode.json"], ["opencode"]),
        ([".clinerules"], ["cline"]),
        ([".kiro/", ".roo/", ".goose/"], ["goose", "kiro", "roo"]),
        ([".windsurf/", ".openclaw/"], ["openclaw", "windsurf"]),
        ([".github/workflows/"], []),
        ([".github/skills/"], ["vscode"]),
        ([".amp/"], ["amp"]),
    ],
)
def test_guess_by_the_marks_in_a_workspace(
    tmp_path: Path, markers: list[str], expected: list[str]
) -> None:
    for marker in markers:
        path = tmp_path / marker
        if marker.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.write_text("", encoding="utf-8")
    assert sorted(each.id for each in clients.guess(tmp_path)) == expected


def test_guess_survives_a_root_that_is_not_there(tmp_path: Path) -> None:
    assert clients.guess(tmp_path / "nowhere") == ()
    assert clients.guess(Path("a\0b")) == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/repo/.claude/skills/a/SKILL.md", ["claude-code"]),
        (".claude/skills/a/SKILL.md", ["claude-code"]),
        ("/home/u/.config/opencode/skills/a/SKILL.md", ["opencode"]),
        ("/home/u/.codeium/windsurf/skills/a/SKILL.md", ["windsurf"]),
        ("/repo/.github/skills/a/SKILL.md", ["vscode"]),
        ("/repo/.claude/worktrees/b/.cursor/skills/a/SKILL.md", ["cursor"]),
        ("/repo/.agents/skills/a/SKILL.md", []),
        ("/repo/skills/.claude-notes/SKILL.md", []),
        ("/repo/skills/a/SKILL.md", []),
        ("SKILL.md", []),
        ("", []),
    ],
)
def test_guess_from_path(path: str, expected: list[str]) -> None:
    assert [each.id for each in clients.guess_from_path(PurePosixPath(path))] == expected


def test_readers_of_a_shared_folder() -> None:
    shared = clients.readers(PurePosixPath("/repo/.agents/skills/a/SKILL.md"))
    assert {"codex", "amp", "goose", "gemini-cli", "vscode"} <= {each.id for each in shared}
    assert "claude-code" not in {each.id for each in shared}
    assert clients.readers(PurePosixPath("/repo/docs/SKILL.md")) == ()


def test_keys_by_habit() -> None:
    names = [convention.name for convention in COMMON_KEYS]
    assert len(set(names)) == len(names)
    assert not set(names) & set(SIX)
    known = set(SIX) | {key.name for each in clients.load() for key in each.keys}
    for convention in COMMON_KEYS:
        assert convention.meaning.endswith(".")
        assert convention.instead == "" or convention.instead in known
        assert convention.under_metadata or convention.advice
    version, tools = common_key("version"), common_key("tools")
    assert version is not None
    assert version.under_metadata
    assert tools is not None
    assert (tools.under_metadata, tools.instead) == (False, "allowed-tools")
    assert common_key("name") is None


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_table(), (
        "run `python -m skillgauge.clients.page --write`"
    )


def test_the_page_shows_facts_with_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    page = capsys.readouterr().out
    assert page == render_table()
    header = next(line for line in page.splitlines() if line.startswith("| key | Amp |"))
    row = next(line for line in page.splitlines() if line.startswith("| `when_to_use` |"))
    cells = dict(zip(header.split(" | "), row.split(" | "), strict=True))
    assert cells["Claude Code"] == "●"
    assert cells["Codex"] == "·"
    assert cells["Upload to claude.ai"] == "✕"
    assert cells["VS Code"] == "!"
    for each in clients.load():
        assert f"\n## {each.title}\n" in page
        for source in every(Source, each):
            assert source.url in page
            assert source.checked in page


def test_the_page_refuses_other_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 2
    assert "--write" in capsys.readouterr().err
