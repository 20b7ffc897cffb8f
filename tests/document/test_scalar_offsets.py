"""Places in a YAML value: each word of its text is found where it stands in the source."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.nodes import Mapping, Scalar
from skillgauge.document.scalar_offsets import source_span
from skillgauge.document.yaml_reader import read_yaml

VALUES = {
    "plain": "k: one two three\n",
    "plain over lines": "k: one\n  two\n    three\nz: 1\n",
    "double": 'k: "one two three"\n',
    "double with escapes": 'k: "on\\u0065 tw\\x6F thre\\U00000065"\n',
    "double over lines": 'k: "one\n  two \\\n  three"\n',
    "double, blank as an escape": 'k: "one\\ two\\tthree"\n',
    "single over lines": "k: 'one\n\n  two\n  three'\n",
    "literal": "k: |\n  one\n  two three\n",
    "folded": "k: >-\n   one\n   two\n\n   three\n",
    "folded with a comment": "k: > # why\n  one two\n    three\n",
    "CR LF": "k: |\r\n  one\r\n  two\r\n  three\r\n",
    "astral": "k: 😀 one two three\n",
}


def value_of(source: str) -> Scalar:
    root = read_yaml(source).root
    assert isinstance(root, Mapping)
    value = root.get("k")
    assert isinstance(value, Scalar)
    return value


@pytest.mark.parametrize("source", VALUES.values(), ids=VALUES.keys())
def test_words_are_found(source: str) -> None:
    value = value_of(source)
    words = [match.span() for match in re.finditer(r"\w+", value.text)]
    found = [source[slice(*source_span(source, value, *word))] for word in words]
    assert [yaml.safe_load(f'"{word}"') for word in found] == ["one", "two", "three"]


def test_a_doubled_quote_is_one_character() -> None:
    source = "k: 'it''s here'\n"
    value = value_of(source)
    assert value.text == "it's here"
    assert source[slice(*source_span(source, value, 5, 9))] == "here"
    assert source[slice(*source_span(source, value, 2, 3))] == "''"


def test_from_a_character_to_the_end_over_lines() -> None:
    source = "k: >-\n  one two\n  three four\nz: 1\n"
    value = value_of(source)
    span = source_span(source, value, 4, len(value.text))
    assert source[slice(*span)] == "two\n  three four"


def test_what_is_not_there_gives_the_whole_value() -> None:
    source = "k: one two\n"
    value = value_of(source)
    assert source_span(source, value, 3, 99) == value.span
    assert source_span(source, value, 2, 2) == value.span


@given(st.text(max_size=40), st.sampled_from(["'", '"', "|-", ">-"]))
def test_every_character_is_found_or_none(text: str, style: str) -> None:
    dumped = yaml.dump({"k": text}, default_style=style[0], allow_unicode=True, width=12)
    root = read_yaml(dumped).root
    value = root.get("k") if isinstance(root, Mapping) else None
    if not isinstance(value, Scalar):
        return
    for index, char in enumerate(value.text):
        span = source_span(dumped, value, index, index + 1)
        assert value.span.start <= span.start < span.end <= value.span.end
        seen = dumped[slice(*span)]
        assert span == value.span or seen == char or seen[0] in "\\'" or char.isspace()
