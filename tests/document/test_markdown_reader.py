"""Every block and inline of Markdown with its exact ranges.

A document is shown as lines of what was found, in order: a kind, the source of its range between
guillemets, and what else is known of it.
"""

from __future__ import annotations

import pytest

from skillgauge.document.markdown import Markdown
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.text import Span


def shown(source: str, start: int = 0) -> list[str]:
    """Return what a reader finds, by place and then by length, the longer first."""
    found = read_markdown(source, start)
    lines = sorted(_lines(source, found), key=lambda line: (line[0].start, -line[0].end))
    return [text for _, text in lines]


def _lines(source: str, found: Markdown) -> list[tuple[Span, str]]:
    def cut(span: Span) -> str:
        assert start_of(found) <= span.start <= span.end <= len(source)
        return f"«{source[span.start : span.end]}»"

    lines = [(span, f"paragraph {cut(span)}") for span in found.paragraphs]
    for head in found.headings:
        lines.append(
            (head.span, f"h{head.level} {cut(head.span)} {cut(head.text_span)} {head.text}")
        )
    for code in found.code_blocks:
        kind = ("fence" if code.closed else "open fence") if code.fenced else "indented"
        lines.append(
            (code.span, f"{kind} {cut(code.span)} {cut(code.content)} {code.info}".rstrip())
        )
    for tick in found.code_spans:
        lines.append((tick.span, f"code {cut(tick.span)} {cut(tick.content)} {tick.text}"))
    for link in found.links:
        kind = link.kind + (" image" if link.image else "")
        rest = f"{cut(link.text_span)} {cut(link.target)} {link.destination} {link.title}".rstrip()
        lines.append((link.span, f"{kind} {cut(link.span)} {rest}"))
    for item in found.definitions:
        rest = f"{item.label} {cut(item.target)} {item.destination}"
        lines.append((item.span, f"definition {cut(item.span)} {rest}"))
    for block in found.lists:
        first = "" if block.start is None else f" from {block.start}"
        lines.append((block.span, f"list {cut(block.span)} at {block.depth}{first}"))
        for entry in block.items:
            box = {None: "", True: " checked", False: " unchecked"}[entry.checked]
            lines.append((entry.span, f"item {cut(entry.span)} at {entry.depth}{box}"))
    for table in found.tables:
        rows = " / ".join(" ".join(cut(cell) for cell in row) for row in table.rows)
        lines.append((table.span, f"table {cut(table.span)} {rows}"))
    for html in found.html:
        lines.append((html.span, f"{'tag' if html.inline else 'html'} {cut(html.span)}"))
    for kind, spans in (
        ("comment", found.comments),
        ("quote", found.quotes),
        ("rule", found.rules),
    ):
        lines.extend((span, f"{kind} {cut(span)}") for span in spans)
    return lines


def start_of(found: Markdown) -> int:
    return found.body.start


CASES = {
    "headings": (
        "# One `a` **b**\n## Two ##\n#\n#### *x*  \n#no\n",
        [
            "h1 «# One `a` **b**» «One `a` **b**» One a b",
            "code «`a`» «a» a",
            "h2 «## Two ##» «Two» Two",
            "h1 «#» «» ",
            "h4 «#### *x*» «*x*» x",
            "paragraph «#no»",
        ],
    ),
    "setext": (
        "One\nmore\n===\n\nTwo\n---\n",
        ["h1 «One\nmore\n===» «One\nmore» One more", "h2 «Two\n---» «Two» Two"],
    ),
    "rules": ("---\n\n* * *\n___  \n", ["rule «---»", "rule «* * *»", "rule «___»"]),
    "paragraphs": (
        "a  \nb\\\nc\n\n\n  d\n",
        ["paragraph «a  \nb\\\nc»", "paragraph «d»"],
    ),
    "fences": (
        "```py x=1\na\n\nb\n```\n~~~\n~~~\n\n````\n```\n````\n",
        [
            "fence «```py x=1\na\n\nb\n```» «a\n\nb\n» py x=1",
            "fence «~~~\n~~~» «»",
            "fence «````\n```\n````» «```\n»",
        ],
    ),
    "open fence": ("```sh\na\n    ```\n", ["open fence «```sh\na\n    ```» «a\n    ```» sh"]),
    "open fence with nothing inside": ("```", ["open fence «```» «»"]),
    "open fence in a list": (
        "- ```\n  a\n\nb\n",
        [
            "list «- ```\n  a» at 0",
            "item «- ```\n  a» at 0",
            "open fence «```\n  a» «a»",
            "paragraph «b»",
        ],
    ),
    "fence in a list": (
        "1. x\n\n   ```\n   a\n     b\n   ```\n",
        [
            "list «1. x\n\n   ```\n   a\n     b\n   ```» at 0 from 1",
            "item «1. x\n\n   ```\n   a\n     b\n   ```» at 0",
            "paragraph «x»",
            "fence «```\n   a\n     b\n   ```» «a\n     b\n»",
        ],
    ),
    "fence in a quote": (
        "> ```\n> a\n> ```\nb\n",
        ["quote «> ```\n> a\n> ```»", "fence «```\n> a\n> ```» «a\n»", "paragraph «b»"],
    ),
    "indented code": (
        "    a\n      b\n\n    c\n\nd\n",
        ["indented «a\n      b\n\n    c» «a\n      b\n\n    c»", "paragraph «d»"],
    ),
    "code spans": (
        "`a` ``b ` c`` ` ` `d\ne` `open\n",
        [
            "paragraph «`a` ``b ` c`` ` ` `d\ne` `open»",
            "code «`a`» «a» a",
            "code «``b ` c``» «b ` c» b ` c",
            "code «` `» « »  ",
            "code «`d\ne`» «d\ne» d e",
        ],
    ),
    "inline links": (
        "[a](b) [c](<d e> 'T') [f]( g ) [h](i(j)k) [l](m\\)n) [](o) [**p**](q)\n",
        [
            "paragraph «[a](b) [c](<d e> 'T') [f]( g ) [h](i(j)k) [l](m\\)n) [](o) [**p**](q)»",
            "inline «[a](b)» «a» «b» b",
            "inline «[c](<d e> 'T')» «c» «d e» d e T",
            "inline «[f]( g )» «f» «g» g",
            "inline «[h](i(j)k)» «h» «i(j)k» i(j)k",
            "inline «[l](m\\)n)» «l» «m\\)n» m)n",
            "inline «[](o)» «» «o» o",
            "inline «[**p**](q)» «**p**» «q» q",
        ],
    ),
    "images": (
        "![a](b.png) [![c](d.png)](e) ![]()\n",
        [
            "paragraph «![a](b.png) [![c](d.png)](e) ![]()»",
            "inline image «![a](b.png)» «a» «b.png» b.png",
            "inline «[![c](d.png)](e)» «![c](d.png)» «e» e",
            "inline image «![c](d.png)» «c» «d.png» d.png",
            "inline image «![]()» «» «»",
        ],
    ),
    "autolinks": (
        "<http://a.b> <c@d.e> http://f.g\n",
        [
            "paragraph «<http://a.b> <c@d.e> http://f.g»",
            "autolink «<http://a.b>» «http://a.b» «http://a.b» http://a.b",
            "autolink «<c@d.e>» «c@d.e» «c@d.e» c@d.e",
        ],
    ),
    "reference links": (
        "[a][one] [One][] [ONE] [none] ![b][two]\n\n[one]: x.md 'T'\n[Two]: <y z.md>\n",
        [
            "paragraph «[a][one] [One][] [ONE] [none] ![b][two]»",
            "reference «[a][one]» «a» «x.md» x.md T",
            "reference «[One][]» «One» «x.md» x.md T",
            "reference «[ONE]» «ONE» «x.md» x.md T",
            "reference image «![b][two]» «b» «y z.md» y z.md",
            "definition «[one]: x.md 'T'» one «x.md» x.md",
            "definition «[Two]: <y z.md>» Two «y z.md» y z.md",
        ],
    ),
    "two definitions of one destination": (
        "[b]\n\n[a]: x\n[b]: x\n",
        [
            "paragraph «[b]»",
            "reference «[b]» «b» «x» x",
            "definition «[a]: x» a «x» x",
            "definition «[b]: x» b «x» x",
        ],
    ),
    "lists": (
        "- a\n- b\n  - c\n    d\n  - e\n\n1) f\n2) g\n\n   h\n\n\ni\n",
        [
            "list «- a\n- b\n  - c\n    d\n  - e» at 0",
            "item «- a» at 0",
            "item «- b\n  - c\n    d\n  - e» at 0",
            "list «- c\n    d\n  - e» at 1",
            "item «- c\n    d» at 1",
            "item «- e» at 1",
            "list «1) f\n2) g\n\n   h» at 0 from 1",
            "item «1) f» at 0",
            "paragraph «f»",
            "item «2) g\n\n   h» at 0",
            "paragraph «g»",
            "paragraph «h»",
            "paragraph «i»",
        ],
    ),
    "tasks": (
        "* [ ] a\n* [x] b\n  - c\n* d\n",
        [
            "list «* [ ] a\n* [x] b\n  - c\n* d» at 0",
            "item «* [ ] a» at 0 unchecked",
            "item «* [x] b\n  - c» at 0 checked",
            "list «- c» at 1",
            "item «- c» at 1",
            "item «* d» at 0",
        ],
    ),
    "blank lines with blanks after a list": (
        "- a\n   \n\nb\n",
        ["list «- a» at 0", "item «- a» at 0", "paragraph «b»"],
    ),
    "quotes": (
        "> a\n> b\nlazy\n\n> - c\n>\n> d\n",
        [
            "quote «> a\n> b\nlazy»",
            "paragraph «a\n> b\nlazy»",
            "quote «> - c\n>\n> d»",
            "list «- c» at 0",
            "item «- c» at 0",
            "paragraph «d»",
        ],
    ),
    "tables": (
        "| a | b |\n|---|:-:|\n|  1 | |\n| x \\| y | `z` [l](m) |\n| only |\n\nq\n",
        [
            "table «| a | b |\n|---|:-:|\n|  1 | |\n| x \\| y | `z` [l](m) |\n| only |» "
            "«a» «b» / «1» «» / «x \\| y» «`z` [l](m)» / «only» «»",
            "code «`z`» «z» z",
            "inline «[l](m)» «l» «m» m",
            "paragraph «q»",
        ],
    ),
    "table without outer pipes": ("a|b\n-|-\n1|2\n", ["table «a|b\n-|-\n1|2» «a» «b» / «1» «2»"]),
    "html": (
        "<div>\nx\n</div>\n\na <b>c</b><br/> d\n",
        [
            "html «<div>\nx\n</div>»",
            "paragraph «a <b>c</b><br/> d»",
            "tag «<b>»",
            "tag «</b>»",
            "tag «<br/>»",
        ],
    ),
    "comments": (
        "<!-- a\n\nb -->\n\nc <!-- d --> e\n\n`<!-- no -->`\n\n<!-- open\n",
        [
            "html «<!-- a\n\nb -->»",
            "comment «<!-- a\n\nb -->»",
            "paragraph «c <!-- d --> e»",
            "tag «<!-- d -->»",
            "comment «<!-- d -->»",
            "paragraph «`<!-- no -->`»",
            "code «`<!-- no -->`» «<!-- no -->» <!-- no -->",
            "html «<!-- open»",
            "comment «<!-- open»",
        ],
    ),
    "entities and escapes": (
        "# a &amp; \\* b\n\n[&lt;](c&amp;d)\n",
        [
            "h1 «# a &amp; \\* b» «a &amp; \\* b» a & * b",
            "paragraph «[&lt;](c&amp;d)»",
            "inline «[&lt;](c&amp;d)» «&lt;» «c&amp;d» c&d",
        ],
    ),
    "beyond ASCII": (
        "# é😀\n\n- 漢 `😀` x\n\n[é](😀)\n\n| 😀 | é |\n|-|-|\n| é | 😀 |\n",
        [
            "h1 «# é😀» «é😀» é😀",
            "list «- 漢 `😀` x» at 0",
            "item «- 漢 `😀` x» at 0",
            "code «`😀`» «😀» 😀",
            "paragraph «[é](😀)»",
            "inline «[é](😀)» «é» «😀» 😀",
            "table «| 😀 | é |\n|-|-|\n| é | 😀 |» «😀» «é» / «é» «😀»",
        ],
    ),
    "CR LF": (
        "# A\r\n\r\n- x\r\n- y\r\n\r\n```\r\nc\r\n```\r\n\r\n|a|b|\r\n|-|-|\r\n|1|2|\r\n",
        [
            "h1 «# A» «A» A",
            "list «- x\r\n- y» at 0",
            "item «- x» at 0",
            "item «- y» at 0",
            "fence «```\r\nc\r\n```» «c\r\n»",
            "table «|a|b|\r\n|-|-|\r\n|1|2|» «a» «b» / «1» «2»",
        ],
    ),
    "CR alone": (
        "# A\r\r```\rc\r```\r\rb\rd\r",
        ["h1 «# A» «A» A", "fence «```\rc\r```» «c\r»", "paragraph «b\rd»"],
    ),
    "other separators are characters": (
        "a\u2028# b\x0b\x85- c\n",
        ["paragraph «a\u2028# b\x0b\x85- c»"],
    ),
    "lone surrogates and NUL": (
        "# a\udce9`b\x00`\n",
        ["h1 «# a\udce9`b\x00`» «a\udce9`b\x00`» a\ufffdb\x00", "code «`b\x00`» «b\x00» b\x00"],
    ),
    "nothing": ("\n \n", []),
}


@pytest.mark.parametrize("case", CASES)
def test_ranges(case: str) -> None:
    source, expected = CASES[case]
    assert shown(source) == expected


def test_ranges_count_from_the_start_of_the_document() -> None:
    source = "---\nname: é😀\n---\n# A `b`\n\n[c]\n\n[c]: d\n"
    assert shown(source, source.index("#")) == [
        "h1 «# A `b`» «A `b`» A b",
        "code «`b`» «b» b",
        "paragraph «[c]»",
        "reference «[c]» «c» «d» d",
        "definition «[c]: d» c «d» d",
    ]


def test_sections() -> None:
    source = "x\n# A\na\n### B\nb\n## C\nc\n# D\n"
    found = read_markdown(source)

    def cut(span: Span) -> str:
        return source[span.start : span.end]

    sections = found.sections
    assert [(cut(part.span), cut(part.own), part.parent) for part in sections] == [
        ("# A\na\n### B\nb\n## C\nc\n", "# A\na\n", None),
        ("### B\nb\n", "### B\nb\n", 0),
        ("## C\nc\n", "## C\nc\n", 0),
        ("# D\n", "# D\n", None),
    ]
    assert cut(sections[1].body) == "\nb\n"
    assert found.section_at(0) is None
    inner = found.section_at(source.index("b\n"))
    assert inner is not None
    assert inner.heading.text == "B"


def test_prose_masks_all_that_is_none() -> None:
    source = (
        "---\nname: x\n---\n# A `b`\n<!-- c -->\n> d\n\n```\ne\n```\n"
        '[f](g.md) <http://h.i> “j” "k" m\n\n[n]: o\n'
    )
    found = read_markdown(source, source.index("#"))
    hidden = "\ufffc"
    assert found.prose.replace(hidden, "") == '\n\n\n# A \n\n\n\n\n\n\n[f  “j” "k" m\n\n\n'
    assert found.unquoted.replace(hidden, "") == "\n\n\n# A \n\n\n\n\n\n\n[f    m\n\n\n"
    assert len(found.prose) == len(found.unquoted) == len(source)
    assert source.count("\n") == found.prose.count("\n")


def test_in_code() -> None:
    source = "a `b` c\n\n```\nd\n```\n"
    found = read_markdown(source)
    assert [
        char for index, char in enumerate(source) if char in "abcd" and found.in_code(index)
    ] == [
        "b",
        "d",
    ]
