"""Destinations as local paths, and which links and anchors of a text count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.local_links import first_markdown_link, local_links, local_path
from skillgauge.document.markdown_reader import read_markdown


@pytest.mark.parametrize(
    ("destination", "path"),
    [
        ("a.md", "a.md"),
        ("./a/../b.md#top", "b.md"),
        ("../a.md?raw=1", "../a.md"),
        ("a%20b.md", "a b.md"),
        ("a%2520b.md", "a%20b.md"),
        ("a\\b.md", "a/b.md"),
        (" \ta.md\x7f", "a.md"),
        ("a/", None),
        ("a/.", None),
        ("a/..", None),
        ("..", None),
        ("/a.md", None),
        ("\\a.md", None),
        ("//host/a.md", None),
        ("https://example.com/a.md", None),
        ("file:a.md", None),
        ("mailto%3Aa", None),
        ("#top", None),
        ("", None),
    ],
)
def test_local_path(destination: str, path: str | None) -> None:
    assert local_path(destination) == path


@given(st.text(max_size=60))
def test_local_path_is_always_relative_and_normal(destination: str) -> None:
    path = local_path(destination)
    if path is not None:
        assert not path.startswith("/")
        assert "/../" not in path.removeprefix("../").replace("../", "", path.count("../") - 1)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("[a](a.md) [b][x]\n\n[x]: b.md", ["a.md", "b.md"]),
        ("![a](a.md) `[b](b.md)` <c.md>", []),
        ("[![a](a.png)](b.md)", ["b.md"]),
        ("<a href='a.md'>a</a> <A\nHREF=b.md>b</A>", ["a.md", "b.md"]),
        ("<a name='a.md'>a</a> <a data-href='a.md'>b</a>", []),
        ("x <!-- <a href='a.md'> --> [b](b.md)", ["b.md"]),
        ("<style>[a](a.md)</style>\n\n[b](b.md)", ["b.md"]),
        ("x <title><a href='a.md'></title> <a href='b&#46;md'>", ["b.md"]),
        ("<template>\n\n[a](a.md)", []),
        ("```\n[a](a.md)\n```", []),
    ],
)
def test_local_links(text: str, paths: list[str]) -> None:
    assert [path for _, path in local_links(read_markdown(text))] == paths


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[a](https://example.com/a.md) [b](b.md)", "b.md"),
        ("[a](../SKILL.md#x) [b](B%2EMD)", "B.MD"),
        ("[a](\nb.md)", "b.md"),
        ("[a](b&period;md)", "b.md"),
        ("---\nx: '[a](a.md)'\n---\n[b](b.txt)", None),
        ("a.md and [b](https://example.com)", None),
        ("", None),
    ],
)
def test_first_markdown_link(text: str, path: str | None) -> None:
    assert first_markdown_link(text, except_for="../skill.md") == path
