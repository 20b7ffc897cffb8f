"""Refactorings keep what a skill says: links, anchors and heading levels follow the text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.document.skill import Skill
from skillgauge.engine import check
from skillgauge.fix import apply_edits
from skillgauge.refactor import Refactoring, offers
from skillgauge.refactor.block_scalar import block
from skillgauge.text import Span

from .helpers import skill

BODY = """---
name: demo
description: Converts tables.
---
# Demo

See [formats](#formats) and [the odd one](#odd-ones).

## Formats

Plain [CSV](assets/sample.csv), see [top](#demo).

### Odd ones

```bash
### no heading
```

More on [odd ones](#odd-ones) in [the guide](references/guide.md#x).

## Last

End.
"""


def offered(found: Skill, needle: str, name: str) -> Refactoring | None:
    at = found.source.index(needle)
    return next((made for _, made in offers(found, Span(at, at), name)), None)


def test_move_section() -> None:
    """The section goes to a file of its own; every link still leads to the same place."""
    files = {"assets/sample.csv": "a", "references/guide.md": "# G\n\n## X\n"}
    before = skill(BODY, files)
    made = offered(before, "Plain", "move_section")
    assert made is not None
    assert made.title == "Move “Formats” to references/formats.md"
    assert made.created == {
        "references/formats.md": (
            "# Formats\n\nPlain [CSV](../assets/sample.csv), see [top](../SKILL.md#demo).\n\n"
            "## Odd ones\n\n```bash\n### no heading\n```\n\n"
            "More on [odd ones](#odd-ones) in [the guide](guide.md#x).\n"
        )
    }
    after = apply_edits(before.source, made.edits)
    assert after == (
        "---\nname: demo\ndescription: Converts tables.\n---\n# Demo\n\n"
        "See [formats](#formats) and [the odd one](references/formats.md#odd-ones).\n\n"
        "## Formats\n\n"
        "Read [references/formats.md](references/formats.md) when the task is about formats.\n\n"
        "## Last\n\nEnd.\n"
    )
    broken = {"link-target-missing", "anchor-missing", "mentioned-file-missing"}
    result = check(skill(after, {**files, **made.created}))
    assert not [finding for finding in result.findings if finding.rule in broken]


def test_a_moved_section_keeps_characters_that_only_python_takes_for_line_ends() -> None:
    """The headings that follow one are found all the same, and get their new level."""
    odd = "\x0b# a\x0c# b\x85# c\u2028# d"
    made = offered(skill(BODY.replace("### no heading", odd)), "Plain", "move_section")
    assert made is not None
    (moved,) = made.created.values()
    assert f"```bash\n{odd}\n```" in moved
    assert "\n## Odd ones\n" in moved


def test_move_section_takes_a_free_name() -> None:
    """An existing file is never overwritten."""
    made = offered(skill(BODY, {"references/formats.md": "x"}), "Plain", "move_section")
    assert made is not None
    assert list(made.created) == ["references/formats-2.md"]


def test_move_section_not_offered() -> None:
    """Neither the title's section nor a tiny one is worth a file."""
    assert offered(skill(BODY), "See [formats]", "move_section") is None
    assert offered(skill(BODY), "End.", "move_section") is None


def test_inline_reference() -> None:
    """A file's text comes in below the paragraph, one level deeper than the section around."""
    text = (
        "---\nname: demo\ndescription: Converts tables.\n---\n# Demo\n\n"
        "Read [the guide](references/guide.md) first.\n\nThen go on.\n"
    )
    guide = (
        "# Guide\n\nSee [a](a.md), [sample](../assets/s.csv) and [x](#part).\n\n## Part\n\nText.\n"
    )
    before = skill(text, {"references/guide.md": guide, "references/a.md": "", "assets/s.csv": ""})
    made = offered(before, "the guide", "inline_reference")
    assert made is not None
    assert made.deleted == ("references/guide.md",)
    assert apply_edits(before.source, made.edits) == (
        "---\nname: demo\ndescription: Converts tables.\n---\n# Demo\n\n"
        "Read [the guide](#guide) first.\n\n"
        "## Guide\n\nSee [a](references/a.md), [sample](assets/s.csv) and [x](#part).\n\n"
        "### Part\n\nText.\n\nThen go on.\n"
    )


def test_inline_keeps_a_file_that_is_named_elsewhere() -> None:
    """The file goes only if nothing else names it."""
    text = "---\nname: demo\ndescription: D.\n---\n# Demo\n\nRead [g](g.md).\n\nAlso [g](g.md).\n"
    made = offered(skill(text, {"g.md": "# G\n\nText.\n"}), "g.md).\n\nAlso", "inline_reference")
    assert made is not None
    assert made.deleted == ()


def test_split_description() -> None:
    """What and when part at the sentence that begins with “Use”."""
    text = '---\nname: demo\ndescription: Converts tables. Use when asked for CSV: "x".\n---\n'
    text = text.replace("CSV: ", "CSV, ")
    before = skill(text)
    made = offered(before, "Converts", "split_description")
    assert made is not None
    after = skill(apply_edits(before.source, made.edits))
    assert after.description == "Converts tables."
    when = after.value("when_to_use")
    assert when is not None
    assert when.text == 'Use when asked for CSV, "x".'
    assert offered(after, "Converts", "split_description") is None
    assert offered(skill(text, clients=("codex",)), "Converts", "split_description") is None


def test_organize_frontmatter() -> None:
    """Keys come in the specification's order; a comment stays above its key."""
    keys = "# who\nmetadata:\n  author: A\nmodel: inherit\n\n"
    text = f"---\n{keys}description: D.\nname: demo\n---\nB\n"
    before = skill(text)
    made = offered(before, "model", "organize_frontmatter")
    assert made is not None
    after = apply_edits(before.source, made.edits)
    assert after == f"---\nname: demo\ndescription: D.\n{keys}---\nB\n"
    assert offered(skill(after), "model", "organize_frontmatter") is None


def test_organize_leaves_broken_frontmatter_alone() -> None:
    """What does not parse is not moved about."""
    assert (
        offered(skill("---\ndescription: a: b\nname: x\n---\n"), "name", "organize_frontmatter")
        is None
    )


LONG = (
    "Converts tables between formats and checks each column on the way. Use when: a table has"
    " to be CSV, TSV or JSON; say `convert`, and \"quote\" or 'quote'  freely # here."
)


@pytest.mark.parametrize("written", [LONG, "'" + LONG.replace("'", "''") + "'"])
def test_turn_into_a_block(written: str) -> None:
    """What did not parse reads as its author meant it, what did reads as before."""
    before = skill(f"---\nname: demo\ndescription: {written}\nlicense: MIT\n---\n# Demo\n\nGo.\n")
    made = offered(before, "Converts", "block_scalar")
    assert made is not None
    assert made.title == "Turn the value of “description” into a block"
    assert made.kind == ("quickfix" if written is LONG else "refactor.rewrite")
    after = skill(apply_edits(before.source, made.edits))
    assert after.frontmatter is not None
    assert not after.frontmatter.broken
    assert after.description == LONG
    assert after.source.endswith("\nlicense: MIT\n---\n# Demo\n\nGo.\n")
    lines = after.source.splitlines()
    assert lines[2] == "description: >-"
    assert all(len(line) <= 92 for line in lines)


def test_a_block_keeps_line_ends_and_paragraphs() -> None:
    text = "a" * 90
    before = skill(f'---\r\nname: demo\r\ndescription: "{text}\\n\\nb"\r\n---\r\n')
    made = offered(before, "aaa", "block_scalar")
    assert made is not None
    after = apply_edits(before.source, made.edits)
    assert after == (f"---\r\nname: demo\r\ndescription: |-\r\n  {text}\r\n\r\n  b\r\n---\r\n")
    assert skill(after).description == f"{text}\n\nb"


def test_no_block_where_a_client_can_not_read_it() -> None:
    """Some versions of Cursor read “>” for the description."""
    text = f"---\nname: demo\ndescription: {LONG}\n---\n"
    for client, wanted in (("claude-code", True), ("cursor", False)):
        found = replace(skill(text), clients=(client,))
        assert (offered(found, "Converts", "block_scalar") is not None) is wanted


def test_no_block_for_short_values_and_other_types() -> None:
    text = f"---\nname: demo\ndescription: Converts tables.\nlist: [{'a, ' * 50}b]\n---\n"
    assert offered(skill(text), "Converts", "block_scalar") is None
    assert offered(skill(text), "list", "block_scalar") is None


@settings(deadline=None)
@given(st.text(st.sampled_from("ab:#'\"\\ \t\n-é😀>|"), max_size=300))
def test_a_block_reads_as_the_text(text: str) -> None:
    """Or there is none."""
    written = block(text)
    if written is not None:
        assert skill(f"---\nk: {written}\nl: x\n---\n").frontmatter.string("k") == text
    if text.strip() == text and text and not re.search(r"[ \t]\n|\n[ \t]|\n\n|\t", text):
        assert written is not None
