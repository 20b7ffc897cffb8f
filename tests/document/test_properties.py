"""What holds for any text whatever: reading never raises, and every range lies in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.json_reader import read_json
from skillgauge.document.nodes import Scalar, walk
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.text import ByteMap, Encoding, Span, Text, encodable

_ANY = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates included
_YAML = (
    "name: x", "description: ", "a: b: c", "- ", "? ", ": ", "'", '"', "[", "]", "{", "}", ", ",
    "&a ", "*a", "!t ", "!!str ", "| ", "> ", "|-2", "# c", "\t", "  ", "%YAML 1.2", "@", "`", "\\",
    "\\x4", "<<: *a", "<<<<<<< ours", "=======", ">>>>>>> theirs", "\ufeff", "~", "\udc80",
)  # fmt: skip
_MARKDOWN = (
    "# ", "## H #", "- ", "1. ", "  ", "    ", "* [x] ", "> ", "```", "````sh", "~~~", "`", "``",
    "|", "|-|", "a|b", "[a](b)", "[a](<b c> 't')", "![", "](", ")", "[id]: x", "[id][]", "<b>",
    "<http://x>", "<!--", "-->", "<div>", "**", "_", "\\", "&amp;", "===", "---", "***", "\x00",
    "\x0c",
)  # fmt: skip
_BREAKS = ("\n", "\n\n", "\r\n", "\r", "\x85", "\u2028")
_PIECES = st.sampled_from(
    (*_YAML, *_MARKDOWN, *_BREAKS, "---\n", "\n---\n", "\n...\n", "é", "😀", "a")
)


def _joined(pieces: list[str]) -> str:
    return "".join(pieces)


_FRAGMENTS = st.lists(_PIECES | _ANY, max_size=40).map(_joined)
_SKILLS = st.builds(
    lambda yaml, body: f"---\n{yaml}\n---\n{body}",
    st.lists(st.sampled_from((*_YAML, *_BREAKS, "a", "é😀")), max_size=30).map(_joined),
    _FRAGMENTS,
)
TEXTS = _ANY | _FRAGMENTS | _SKILLS
RUNS = settings(max_examples=300, deadline=None)


def spans(value: object) -> Iterator[Span]:
    """Yield every range in a tree of dataclasses and tuples."""
    stack = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, Span):
            yield current
        elif isinstance(current, tuple):
            stack.extend(current)
        elif is_dataclass(current):
            stack.extend(getattr(current, item.name) for item in fields(current))


@RUNS
@given(TEXTS)
def test_reading_is_total_and_ranges_lie_inside(source: str) -> None:
    skill = Skill(Text(source))
    found = [*spans(skill.markdown), *spans(skill.markdown.sections), *skill.markdown.comments]
    if block := skill.frontmatter:
        found += spans(block)
    for start, end in found:
        assert 0 <= start <= end <= len(source)
    for masked in (skill.markdown.prose, skill.markdown.unquoted):
        assert len(masked) == len(source)
        assert Text(masked).starts == Text(source).starts


@RUNS
@given(TEXTS)
def test_what_is_found_in_markdown_lies_in_the_body(source: str) -> None:
    skill = Skill(Text(source))
    start = skill.body.start
    assert all(span.start >= start for span in spans(skill.markdown))
    for code in skill.markdown.code_blocks:
        assert code.span.start <= code.content.start <= code.content.end <= code.span.end
    for link in skill.markdown.links:
        assert link.span.start <= link.text_span.start <= link.text_span.end <= link.span.end
    for entry in skill.markdown.lists:
        for item in entry.items:
            assert entry.span.start <= item.span.start <= item.span.end <= entry.span.end


@RUNS
@given(TEXTS)
def test_the_parts_of_a_frontmatter_fit_together(source: str) -> None:
    block = Skill(Text(source)).frontmatter
    if block is None:
        return
    assert block.before.end <= block.span.start == block.opening.start <= block.opening.end
    assert block.opening.end <= block.inner.start <= block.inner.end <= block.span.end
    if block.closing:
        assert block.inner.end <= block.closing.start <= block.closing.end <= block.span.end
    assert bool(block.broken) is (block.fault is not None)
    for item in (*block.entries, *block.broken):
        assert block.inner.start <= item.span.start <= item.span.end <= block.inner.end
    _check_repairs(source, block)


def _check_repairs(source: str, block: Frontmatter) -> None:
    """A repair lies in its block, and leaves one fault less in it."""
    for broken in block.broken:
        if repair := broken.repair:
            assert block.inner.start <= repair.span.start <= repair.span.end <= block.inner.end
            assert source[repair.span.start : repair.span.end] != repair.text


@RUNS
@given(TEXTS)
def test_a_plain_value_is_what_stands_in_the_source(source: str) -> None:
    for reading in (read_yaml(source), read_json(source)):
        for node in walk(reading.root):
            assert 0 <= node.span.start <= node.span.end <= len(source)
            if isinstance(node, Scalar) and node.style == "plain":
                written = encodable(source[node.span.start : node.span.end])
                one_line = not any(char in written for char in "\r\n\x85\u2028\u2029")
                if one_line and reading.fault is None:
                    assert written == node.text


@RUNS
@given(TEXTS)
def test_positions_come_back(source: str) -> None:
    text = Text(source)
    encodings: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
    for offset in range(len(source) + 1):
        if source[offset - 1 : offset + 1] == "\r\n":
            continue  # no place of its own: the line ends before the CR
        position = text.position(offset)
        assert text.offset(*position) == offset
        for encoding in encodings:
            assert text.offset_of_units(*text.units(offset, encoding), encoding) == offset


@RUNS
@given(TEXTS)
def test_a_byte_map_agrees_with_encoding(source: str) -> None:
    source = encodable(source)
    at = ByteMap(source)
    for offset in range(len(source) + 1):
        byte = len(source[:offset].encode())
        assert at(byte) == offset
        assert at.pair(byte, len(source.encode())) == (offset, len(source))


@RUNS
@given(TEXTS)
def test_lines_join_to_the_text(source: str) -> None:
    text = Text(source)
    breaks = [
        source[text.line_span(line).end : start]
        for line, start in enumerate((*text.starts[1:], len(source)))
    ]
    assert set(breaks) <= {"\n", "\r", "\r\n", ""}
    joined = "".join(text.line(line) + breaks[line] for line in range(text.line_count))
    assert joined == source
