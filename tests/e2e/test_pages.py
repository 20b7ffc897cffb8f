"""What the set-up pages show is at least well formed, and names options that exist."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lsp.duplicates import REPEATED
from skillgauge.lsp.options import READERS, read_options
from skillgauge.rules import by_key

from .snippets import PAGES, blocks

ALL = sorted(PAGES.glob("*.md"))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from objects(item)


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.stem)
def test_blocks_can_be_read(page: Path) -> None:
    """JSON and TOML parse, and whatever looks like our options is taken without a complaint."""
    for language, code in blocks(page):
        if language not in ("json", "toml"):
            continue
        value = json.loads(code) if language == "json" else tomllib.loads(code)
        for found in objects(value):
            for key in ("config", "initialization_options", "glspc.server.initializationOptions"):
                if key in found:
                    assert read_options(found[key])[1] == []


def test_the_list_of_options_is_complete() -> None:
    text = (PAGES / "options.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == set(READERS)


def test_the_duplicates_are_named_and_are_rules() -> None:
    text = (PAGES / "options.md").read_text(encoding="utf-8")
    section = text.partition("## What `hostDiagnostics` leaves out")[2].partition("\n## ")[0]
    named = {name for name in re.findall(r"`([a-z-]+)`", section) if name in by_key()}
    assert named == REPEATED["vscode"] | {"client-value-invalid"}


def test_links_between_pages_lead_somewhere() -> None:
    for page in ALL:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (page.parent / target).is_file(), f"{page.name} links to {target}"
