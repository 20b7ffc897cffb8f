"""Generated pages are up to date, and what pages say of the command line is so."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from skillgauge import docs, pages
from skillgauge.cli import command, commands
from skillgauge.cli._parser import Parser
from skillgauge.document.anchors import anchors
from skillgauge.document.markdown import Markdown
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.report import formats
from skillgauge.rule import Rule
from skillgauge.rules import all_rules

DOCS = docs.ROOT / "docs"


def test_nothing_generated_is_stale() -> None:
    names = [str(path.relative_to(docs.ROOT)) for path in docs.stale()]
    assert names == [], "run `make docs`"


def test_stale_files_are_noticed(tmp_path: Path) -> None:
    """A page without a rule, a missing page and an old table are all found, and then mended."""
    folder = tmp_path / "docs" / "rules"
    folder.mkdir(parents=True)
    (folder / "gone.md").write_text("x")
    text = f"# A\n{docs.BEGIN}\nold\n{docs.END}\nrest\n"
    (tmp_path / "README.md").write_text(text)
    wanted = docs.generated(tmp_path)
    assert set(docs.stale(tmp_path)) == set(wanted)
    assert wanted[folder / "gone.md"] is None
    readme = wanted[tmp_path / "README.md"]
    assert readme is not None
    assert readme.startswith(f"# A\n{docs.BEGIN}\n\n| Code |")
    assert readme.endswith(f"|\n\n{docs.END}\nrest\n")


def test_a_page_shows_examples_as_documents() -> None:
    page = "A.\n## Bad\n````skill folder=x\n---\n````\n\n```json\n{}\n```\n\n~~~~evals\n[]\n~~~~\n"
    assert pages.readable(page) == (
        "A.\n## Bad\n````markdown\n---\n````\n\n```json\n{}\n```\n\n~~~~json\n[]\n~~~~\n"
    )


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_pages_of_rules_have_their_facts(rule: Rule) -> None:
    text = pages.document(rule)
    assert text.startswith(f"# {rule.name} ({rule.code})\n\n{rule.summary}\n\n- **Family:**")
    assert "## Why is this bad?\n" in text
    assert not re.search(r"^`{3,}(skill|evals|file|neighbour)\b", text, re.MULTILINE)


def test_the_page_of_the_command_line_has_every_command_and_format() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name in commands():
        assert re.search(rf"^skillgauge {name}\b", text, re.MULTILINE), name
    for name in formats():
        assert f"| `{name}` |" in text


def test_options_that_pages_name_exist() -> None:
    known = {"--help", "--version"}
    for name in commands():
        parser = Parser(name, "")
        command(name).add_arguments(parser)
        known.update(parser.options())
    for page in ("cli.md", "configuration.md", "json-output.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known


def test_rules_that_pages_name_exist() -> None:
    """In `explain X`, in lists of the configuration, and in comments that suppress."""
    known = {word for rule in all_rules() for word in (rule.code, rule.name, rule.family)}
    for path in (docs.ROOT / "README.md", docs.ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"(?:skillgauge explain|skillgauge: ignore) ([A-Za-z][\w-]*)", text)
        for line in re.findall(r"^(?:extend-)?(?:select|ignore) = .*$", text, re.MULTILINE):
            named += re.findall(r'"([^"]+)"', line)
        wrong = [word for word in named if word not in known and word not in ("RULE", "CODE")]
        assert wrong == [], path.name


PAGES = [
    *(docs.ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")),
    *(DOCS / "rules" / f"{name}.md" for name in ("index", "precision")),
    *sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "rules"),
    docs.ROOT / "examples" / "README.md",
]


@cache
def _read(path: Path) -> Markdown:
    return read_markdown(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(docs.ROOT)))
def test_links_of_pages_lead_somewhere(page: Path) -> None:
    """Files are there, and so are the headings that are named."""
    lost: list[str] = []
    for link in _read(page).links:
        path, _, anchor = link.destination.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        target = page.parent / unquote(path) if path else page
        known = {""} | (anchors(_read(target)).keys() if anchor and target.exists() else set())
        if not target.exists() or anchor not in known:
            lost.append(link.destination)
    assert lost == []
