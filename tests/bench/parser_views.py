"""Three Markdown parsers behind one function each: headings, fences and inline links by line.

A link is one with its destination written beside it, `[text](destination)`. tree-sitter does not
resolve references, so the other kinds can't be compared. Pictures are no links here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from urllib.parse import unquote

import pyromark
import tree_sitter_markdown
from markdown_it import MarkdownIt
from tree_sitter import Language, Node, Parser, Query, QueryCursor


@dataclass(frozen=True, slots=True)
class View:
    """What a parser sees; every entry begins with the number of its line."""

    headings: list[tuple[int, int]]
    fences: list[tuple[int, str]]
    links: list[tuple[int, str]]
    ranges: list[tuple[int, int]]
    """First and last byte of each link; empty where the parser doesn't know them."""


# --- pyromark: one pass, a byte range on every event ---------------------------------------------

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_STRIKETHROUGH
)


def pyromark_events(text: str) -> list[Any]:
    """Every event with its range."""
    return list(pyromark.events_with_range(text, options=OPTIONS))


def pyromark_view(text: str) -> View:
    """The view of pyromark."""
    line = _line_of_byte(text)
    view = View([], [], [], [])
    for event, where in pyromark_events(text):
        if not isinstance(event, dict) or not isinstance(start := event.get("Start"), dict):
            continue
        if heading := start.get("Heading"):
            view.headings.append((line(where["start"]), int(heading["level"][1])))
        elif isinstance(block := start.get("CodeBlock"), dict):
            view.fences.append((line(where["start"]), block["Fenced"].strip()))
        elif (link := start.get("Link")) and link["link_type"] == "Inline":
            view.links.append((line(where["start"]), link["dest_url"]))
            view.ranges.append((where["start"], where["end"]))
    return view


# --- tree-sitter: a block grammar, and an inline grammar run on each inline node -----------------

BLOCKS = Language(tree_sitter_markdown.language())
INLINES = Language(tree_sitter_markdown.inline_language())
block_parser, inline_parser = Parser(BLOCKS), Parser(INLINES)
BLOCK_QUERY = Query(
    BLOCKS,
    "(inline) @inline (pipe_table_cell) @inline "
    "(atx_heading) @heading (setext_heading) @heading (fenced_code_block) @fence",
)
INLINE_QUERY = Query(INLINES, "(inline_link) @link (code_span) @code (emphasis) @emphasis")
MAY_HOLD_INLINES = re.compile(rb"[`\[<*_]")


def tree_sitter_blocks(text: str) -> Node:
    """The tree of blocks alone."""
    return block_parser.parse(text.encode()).root_node


def tree_sitter_all(text: str) -> tuple[dict[str, list[Node]], list[tuple[int, Node]]]:
    """Blocks by name, and the links with the offset of the inline node which holds them."""
    source = text.encode()
    blocks = QueryCursor(BLOCK_QUERY).captures(tree_sitter_blocks(text))
    links: list[tuple[int, Node]] = []
    for node in blocks.get("inline", []):
        part = source[node.start_byte : node.end_byte]
        if MAY_HOLD_INLINES.search(part):
            found = QueryCursor(INLINE_QUERY).captures(inline_parser.parse(part).root_node)
            links += [(node.start_byte, link) for link in found.get("link", [])]
    return blocks, links


def tree_sitter_view(text: str) -> View:
    """The view of tree-sitter-markdown."""
    line = _line_of_byte(text)
    blocks, links = tree_sitter_all(text)
    return View(
        sorted((node.start_point.row, _level(node)) for node in blocks.get("heading", [])),
        sorted((node.start_point.row, _info(node)) for node in blocks.get("fence", [])),
        sorted((line(at + link.start_byte), _destination(link)) for at, link in links),
        sorted((at + link.start_byte, at + link.end_byte) for at, link in links),
    )


def _level(heading: Node) -> int:
    marker = next(child.type for child in heading.children if re.search(r"_h\d_", child.type))
    return int(marker.split("_h")[1][0])


def _info(fence: Node) -> str:
    return next((_text(child) for child in fence.children if child.type == "info_string"), "")


def _destination(link: Node) -> str:
    found = (_text(child) for child in link.children if child.type == "link_destination")
    return next(found, "").removeprefix("<").removesuffix(">")


def _text(node: Node) -> str:
    return (node.text or b"").decode().strip()


# --- markdown-it-py: tokens with line numbers on blocks, none on inlines -------------------------


def _markdown_it() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"store_labels": True})
    return parser.enable(["table", "strikethrough"])


full_parser = _markdown_it()
blocks_parser = _markdown_it().disable("inline")


def markdown_it_view(text: str) -> View:
    """The view of markdown-it-py; a link has the first line of the block it is in."""
    view = View([], [], [], [])
    for token in full_parser.parse(text):
        row = token.map[0] if token.map else 0
        if token.type == "heading_open":
            view.headings.append((row, int(token.tag[1])))
        elif token.type == "fence":
            view.fences.append((row, token.info.strip()))
        elif token.type == "inline":
            view.links.extend((row, destination) for destination in _links(token.children or []))
    return view


def _links(children: list[Any]) -> Iterator[str]:
    for child in children:
        if child.type == "link_open" and child.markup != "autolink" and not child.meta.get("label"):
            yield str(child.attrGet("href"))


# --- common -------------------------------------------------------------------------------------

VIEWS: dict[str, Callable[[str], View]] = {
    "pyromark": pyromark_view,
    "tree-sitter": tree_sitter_view,
    "markdown-it-py": markdown_it_view,
}


def same_link(destination: str) -> str:
    """A destination without the escapes that one parser resolves and another keeps."""
    plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", destination)
    return unquote(plain.replace("&amp;", "&"))


def _line_of_byte(text: str) -> Callable[[int], int]:
    starts = [0, *accumulate(len(line.encode()) + 1 for line in text.split("\n"))]
    return lambda offset: bisect_right(starts, offset) - 1
