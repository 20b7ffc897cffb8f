"""Where the YAML block is: its fences, what stands before it, where an open one ends."""

from __future__ import annotations

import pytest

from skillgauge.document.frontmatter import MAX_FRONTMATTER, Frontmatter, find_frontmatter
from skillgauge.document.nodes import Mapping, Sequence


def found(source: str) -> Frontmatter:
    block = find_frontmatter(source)
    assert block is not None
    return block


def parts(source: str) -> tuple[str, str, str]:
    """Return what stands before the block, the YAML, and what follows."""
    block = found(source)
    return (
        source[block.before.start : block.before.end],
        source[block.inner.start : block.inner.end],
        source[block.span.end :],
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\nname: x\n---\nbody", ("", "name: x\n", "body")),
        ("---\r\nname: x\r\n---\r\nbody", ("", "name: x\r\n", "body")),
        ("---\rname: x\r---\rbody", ("", "name: x\r", "body")),
        ("--- \t\nname: x\n---\t \nbody", ("", "name: x\n", "body")),
        ("\ufeff---\nname: x\n---\n", ("", "name: x\n", "")),
        ("---\n---\n", ("", "", "")),
        ("---\nname: x\n---", ("", "name: x\n", "")),
        ("---\na: |\n  x\n  ---\n  y\n---\nz", ("", "a: |\n  x\n  ---\n  y\n", "z")),
        (
            "---\n# Note\nname: x\n\n# Other\nb: c\n---\nz",
            ("", "# Note\nname: x\n\n# Other\nb: c\n", "z"),
        ),
    ],
)
def test_a_closed_block(source: str, expected: tuple[str, str, str]) -> None:
    assert parts(source) == expected
    assert found(source).closed
    assert found(source).fault is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\n\n---\nname: x\n---\nbody", ("\n\n", "name: x\n", "body")),
        ("<!-- c -->\n---\nname: x\n---\n", ("<!-- c -->\n", "name: x\n", "")),
        ("# Title\n\n---\ndescription: x\n---\n", ("# Title\n\n", "description: x\n", "")),
        ("\ufeff\n---\nname: x\n---\n", ("\n", "name: x\n", "")),
        ("```yaml\n---\nname: x\n---\n```\n", ("```yaml\n", "name: x\n", "```\n")),
    ],
)
def test_a_block_that_does_not_open_the_file(source: str, expected: tuple[str, str, str]) -> None:
    assert parts(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "",
        "# Title\n\n---\n\n**Name**: x\n\n---\n",
        "text\n```\n---\nname: x\n---\n```\n",
        "----\nname: x\n---\n",
        "---yaml\nname: x\n---\n",
        "+++\nname = 'x'\n+++\n",
        "name: x\n---\n",
        "\n" * 100 + "---\nname: x\n---\n",
    ],
)
def test_no_block(source: str) -> None:
    assert find_frontmatter(source) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\nname: x\n\n# T\ntext\n", ("", "name: x\n", "\n# T\ntext\n")),
        (
            "---\nname: x\nb:\n  - c\n- d\n# e\n\n# T\n",
            ("", "name: x\nb:\n  - c\n- d\n# e\n", "\n# T\n"),
        ),
        ("---\nname: x\n\nb: y\n\nNote: z\n", ("", "name: x\n\nb: y\n", "\nNote: z\n")),
        ("---\nname: x\ntext here\n", ("", "name: x\n", "text here\n")),
        # A rule further down is no closing line once a heading or fence has begun the text.
        (
            "---\nname: x\n\n# T\n\ntext\n\n---\nmore",
            ("", "name: x\n", "\n# T\n\ntext\n\n---\nmore"),
        ),
        ("---\nname: x\n\n```sh\na\n```\n\n---\n", ("", "name: x\n", "\n```sh\na\n```\n\n---\n")),
        ("---\n# T\n\ntext\n\n---\nmore", ("", "", "# T\n\ntext\n\n---\nmore")),
        (
            "---\n\n## name: x\nb: y\n\n# T\n\ntext\n\n---\n",
            ("", "\n## name: x\nb: y\n", "\n# T\n\ntext\n\n---\n"),
        ),
        # Lines that only look as if they closed it.
        ("---\nname: x\n...\n# T\n", ("", "name: x\n", "# T\n")),
        ("---\nname: x\n-----\n# T\n", ("", "name: x\n", "# T\n")),
        ("---", ("", "", "")),
    ],
)
def test_a_block_that_is_not_closed(source: str, expected: tuple[str, str, str]) -> None:
    assert parts(source) == expected
    assert not found(source).closed


def test_the_lines_of_the_fences() -> None:
    source = "x\n--- \nname: x\n...  \n"
    block = found("\n" + source[2:])
    assert tuple(block.opening) == (1, 5)
    assert block.closing is None or tuple(block.closing) == (14, 19)
    assert found("---\na: b\n").closing is None


def test_the_root_need_not_be_a_mapping() -> None:
    assert isinstance(found("---\n- a\n---\n").root, Sequence)
    assert found("---\n- a\n---\n").entries == ()
    assert found("---\n# only a comment\n---\n").root is None


def test_entries() -> None:
    block = found("---\nname: x\n'b c': [1]\nname: y\n---\n")
    assert isinstance(block.root, Mapping)
    assert [entry.key for entry in block.entries] == ["name", "b c", "name"]
    assert block.string("name") == "x"
    assert block.string("b c") is None
    assert block.string("nothing") is None
    assert block.has("b c")
    assert not block.has("nothing")


def test_a_huge_block_is_not_parsed() -> None:
    block = found("---\n" + "a: b\n" * (MAX_FRONTMATTER // 5 + 1) + "---\nbody")
    assert block.too_large
    assert block.closed
    assert block.entries == ()
    assert not found("---\nname: x\n---\n").too_large
