"""Pairs written by hand: a file a skill, with what is replaced in it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.written import read_file, read_folder

BASE = """\
---
name: tide-table
description: "Prints the tides of a harbour. Use when a sailor asks for high water."
---
# Tides

Read on.

## Steps

1. Look up.

### Detail

Fine print.

## End

Done.
"""


def written(folder: Path, *parts: str, name: str = "tide-table.md") -> Path:
    path = folder / name
    path.write_text(f"<!-- base -->\n{BASE}" + "".join(parts), encoding="utf-8")
    return path


def test_a_description_is_replaced(tmp_path: Path) -> None:
    part = '<!-- A2 -->\nTells "tides"\nof a \\ harbour.\n'
    (pair,) = read_file(written(tmp_path, part))
    assert (pair.metric, pair.kind, pair.group, pair.how) == ("A2", "plain", "tide-table", "")
    assert pair.positive == BASE
    skill = Skill(Text(pair.negative))
    assert skill.description == 'Tells "tides" of a \\ harbour.'
    assert pair.negative[skill.body.start :] == BASE[Skill(Text(BASE)).body.start :]


def test_a_section_is_replaced_with_those_below_it(tmp_path: Path) -> None:
    (pair,) = read_file(written(tmp_path, "<!-- C1 -->\n## Steps\n\n- Guess.\n"))
    assert "## Steps\n\n- Guess.\n\n## End\n\nDone.\n" in pair.negative
    assert "Fine print" not in pair.negative
    assert pair.negative.startswith(BASE.partition("## Steps")[0])


def test_several_sections_are_replaced(tmp_path: Path) -> None:
    part = "<!-- D1 -->\n### Detail\n\nNew.\n## End\n\nOver.\n"
    (pair,) = read_file(written(tmp_path, part))
    assert pair.negative.endswith("1. Look up.\n\n### Detail\n\nNew.\n\n## End\n\nOver.\n")


def test_a_heading_of_level_1_replaces_the_body(tmp_path: Path) -> None:
    plain, matched = read_file(
        written(
            tmp_path,
            "<!-- B1 -->\n# Winds\n\nBlow.\n",
            "<!-- B2 + -->\n# Tides\n\nUse HW.\n",
            "<!-- B2 - -->\n# Tides\n\nUse `it`.\n",
        )
    )
    head = BASE[: Skill(Text(BASE)).body.start]
    assert plain.negative == f"{head}# Winds\n\nBlow.\n"
    assert (matched.metric, matched.kind) == ("B2", "matched")
    assert matched.positive == f"{head}# Tides\n\nUse HW.\n"
    assert matched.negative == f"{head}# Tides\n\nUse `it`.\n"


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (["<!-- C1 -->\n## Nowhere\n\nx\n"], "the base has 0 sections “## Nowhere”"),
        (["<!-- C1 -->\nNo heading.\n"], "a change must begin with a heading of the base"),
        (["<!-- C1 + -->\n# Tides\n"], "C1 has one half of a keyword-matched pair only"),
        (["<!-- A2 -->\na\n", "<!-- A2 -->\nb\n"], "has two parts “A2”"),
    ],
)
def test_a_change_without_a_place_is_refused(tmp_path: Path, parts: list[str], why: str) -> None:
    with pytest.raises(ScorerError, match=why):
        read_file(written(tmp_path, *parts))


def test_a_file_without_a_base_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("<!-- A2 -->\nx\n")
    with pytest.raises(ScorerError, match="has no part “<!-- base -->”"):
        read_folder(tmp_path)
