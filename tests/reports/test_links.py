"""What users of other linters reported about links and files, each with the outcome it asks for.

A test names the public report that it goes back to, if there is one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillgauge.document.skill import Skill, load_skill
from skillgauge.engine import run
from skillgauge.rules import all_rules

from ..helpers import skill

HEAD = "---\nname: demo\ndescription: Demo.\n---\n"


def findings(document: Skill) -> list[tuple[str, str]]:
    """Return rule and text of everything that the link and script rules find."""
    return [
        (rule.name, document.text.slice(finding.span))
        for rule in all_rules()
        if rule.family in "LT"
        for finding in run(rule, document)
    ]


def of(body: str, **files: str | None) -> list[tuple[str, str]]:
    return findings(skill(HEAD + body, {name.replace("__", "/"): files[name] for name in files}))


def write(folder: Path, body: str, *files: str) -> Path:
    """Put a skill on disk and return its SKILL.md."""
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text\n", encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "SKILL.md"
    path.write_text(HEAD + body, encoding="utf-8")
    return path


def test_documented_variables_are_followed() -> None:
    """Links such as `{baseDir}/references/x.md` were called broken, 45 times out of 59."""
    body = "See [x]({baseDir}/references/x.md) and `${CLAUDE_SKILL_DIR}/scripts/y.py`.\n"
    files = {"references/x.md": "# X\n", "scripts/y.py": "print()\n"}
    assert findings(skill(HEAD + body, files)) == []


def test_decorators_and_addresses_are_no_imports() -> None:
    """`@cuda.jit` and `@john.doe` were read as imports of missing files."""
    body = (
        "Use @cuda.jit, @triton.jit, @pytest.mark.asyncio and @ct.kernel; ask @john.doe,"
        " a@gmail.com or @man.com; the model is @cf/baai/bge-base-en-v1.5.\n\n"
        "```\nping @192.168.1.1\n@app.route\n```\n"
    )
    assert of(body) == []


def test_stand_ins_in_indented_code() -> None:
    """agent-sh/agnix #942: placeholders in code that is indented by four blanks were reported."""
    body = (
        "Write a link:\n\n    [name](path/to/file.md)\n    [x](references/x.md)\n    scripts/y.py\n"
    )
    assert of(body) == []


def test_files_that_nothing_refers_to_do_not_count(tmp_path: Path) -> None:
    """agent-sh/agnix #1360: a folder's size counted files that were excluded."""
    path = write(tmp_path / "demo", "Read `references/a.md`.\n", "references/a.md")
    other = tmp_path / "demo" / "node_modules" / "big" / "notes.md"
    other.parent.mkdir(parents=True)
    other.write_text("x" * 400_000, encoding="utf-8")
    (tmp_path / "demo" / "data.txt").write_text("x" * 400_000, encoding="utf-8")
    assert findings(load_skill(path)) == []


def test_imports_resolve_from_the_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """agent-sh/agnix #1629: a nested scan looked for `@file` in the folder that it began in."""
    body = "@references/here.md @references/gone.md\n"
    write(tmp_path / "a" / "skills" / "demo", body, "references/here.md")
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / "gone.md").write_text("wrong place", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = findings(load_skill(Path("a/skills/demo/SKILL.md")))
    assert found == [("mentioned-file-missing", "references/gone.md")]


def test_bare_paths_in_bullets_are_checked() -> None:
    """agent-sh/agnix #736: paths without a link or backticks were not looked at."""
    body = "## Resources\n\n- scripts/gone.py\n- references/gone.md: the details\n"
    assert of(body) == [
        ("mentioned-file-missing", "scripts/gone.py"),
        ("mentioned-file-missing", "references/gone.md"),
    ]


def test_link_syntax_that_is_shown_is_not_broken() -> None:
    """RHEcosystemAppEng/sdlc-plugins #231: `[](webUrl)` was counted as a broken link."""
    body = "The card is `[](webUrl)`: [](webUrl), [title](url), [text](<link>), [x](link-to-docs)\n"
    assert of(body) == []


def test_relative_and_absolute_invocation_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jamie-BitFlight/claude_skills #3444: the check differed for an absolute path."""
    body = "[a](references/a.md) [b](references/b.md) [c](../../c.md) [d](../other/SKILL.md)\n"
    path = write(tmp_path / "skills" / "demo", body, "references/a.md")
    monkeypatch.chdir(tmp_path)
    relative = findings(load_skill(Path("skills/demo/SKILL.md")))
    monkeypatch.chdir(path.parent)
    beside = findings(load_skill(Path("SKILL.md")))
    assert findings(load_skill(path)) == relative == beside
    assert relative == [
        ("link-target-missing", "references/b.md"),
        ("link-leaves-folder", "../../c.md"),
    ]


def test_example_fences_are_no_references() -> None:
    """addyosmani/agent-skills #517: references in fences that show an example were flagged."""
    body = (
        "```markdown\nSee [the guide](references/guide.md) and `scripts/x.py`.\n```\n\n"
        "`````text\n````markdown\n[a](../../references/a.md)\n````\n`````\n"
    )
    assert of(body) == []


def test_links_out_of_the_folder_are_noticed() -> None:
    """addyosmani/agent-skills #468: eighteen dead `../../references` links went unnoticed."""
    body = "".join(f"- [r{n}](../../references/r{n}.md)\n" for n in range(18))
    found = of(body)
    assert len(found) == 18
    assert {name for name, _ in found} == {"link-leaves-folder"}


def test_percent_signs_are_decoded() -> None:
    """`[a](my%20file.md)` was called broken although `my file.md` is there."""
    body = "[a](my%20file.md) [b](<my file.md>) [c](references/%C3%BC.md#top)\n"
    files = {"my file.md": "# A\n", "references/ü.md": "# Top\n"}
    assert findings(skill(HEAD + body, files)) == []


def test_anchors_are_checked() -> None:
    """No tool noticed `[x](#no-such-heading)`."""
    assert of("# Setup\n\n[a](#setup) [b](#no-such-heading)\n") == [
        ("anchor-missing", "no-such-heading")
    ]


def test_a_folder_called_reference_for_references() -> None:
    """Ten links to `reference/` for the folder `references/` are broken, and the fix is plain."""
    document = skill(HEAD + "[a](reference/a.md)\n", {"references/a.md": "# A\n"})
    rule = next(rule for rule in all_rules() if rule.name == "link-target-missing")
    (finding,) = run(rule, document)
    assert finding.fix is not None
    assert finding.fix.safe
    assert [edit.text for edit in finding.fix.edits] == ["references/a.md"]


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_skill_shared_by_a_link_is_not_judged_by_its_place(tmp_path: Path) -> None:
    """Adapters link one SKILL.md into the folders of several clients."""
    real = write(tmp_path / "skills" / "demo", "[a](references/a.md)\n", "references/a.md")
    shared = tmp_path / ".client" / "skills" / "demo"
    shared.mkdir(parents=True)
    (shared / "SKILL.md").symlink_to(real)
    assert findings(load_skill(shared / "SKILL.md")) == []
