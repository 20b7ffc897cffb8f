"""The document as the ACES checks see it: text, frontmatter, values and files."""

from __future__ import annotations

import datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.aces_view import find_tag, terms
from skillgauge.document.folder import MemoryFolder
from skillgauge.document.legacy_yaml import load_legacy, text_of
from skillgauge.document.skill import Skill
from skillgauge.text import Text


def _skill(text: str, *files: str) -> Skill:
    return Skill(Text(text), None, MemoryFolder("demo", dict.fromkeys(files, "")))


@given(st.text(alphabet="a\r\n é", max_size=40), st.data())
def test_places_survive_the_change_of_line_ends(source: str, data: st.DataObject) -> None:
    view = _skill(source).aces
    assert "\r" not in view.text
    start = data.draw(st.integers(0, len(view.text)))
    end = data.draw(st.integers(start, len(view.text)))
    span = view.span(start, end)
    seen = source[span.start : span.end].replace("\r\n", "\n").replace("\r", "\n")
    assert seen == view.text[start:end]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("---\nname: x\n---\n", {"name": "x"}),
        ("---   \n\n\nname: x\n---\n", {"name": "x"}),
        ("---\nname: x\n-----more\n", {"name": "x"}),
        ("---\nname: x\n---no line end", {"name": "x"}),
        ("---\r\nname: x\r\n---\r\n", {"name": "x"}),
        ("---\nname: x\nname: y\n---\n", {"name": "y"}),
        ("---\nname: yes\nversion: 010\n---\n", {"name": True, "version": 8}),
        ("---\na: &x {b: 1}\nc: {<<: *x, d: 2}\n---\n", {"a": {"b": 1}, "c": {"b": 1, "d": 2}}),
        ("---\nname: {a:, b: c}\n---\n", {"name": {"a": None, "b": "c"}}),
        ("---\nname: x\n", {}),
        ("---\nname: x\n  ---\n", {}),
        ("---\nname: x\n...\n", {}),
        ("---x\nname: x\n---\n", {}),
        (" ---\nname: x\n---\n", {}),
        ("\ufeff---\nname: x\n---\n", {}),
        ("---\n---\n", {}),
        ("---\n\n\n---\n", {}),
        ("---\nname: a\tb\n---\n", {}),
        ("---\n" + "[" * 100 + "]" * 100 + "\n---\n", {}),
        ("---\n? [a]\n: b\n---\n", {}),
        ("---\n" + "a: 1\n" * 40_000 + "---\n", {}),
    ],
)
def test_fields(text: str, fields: dict[str, object]) -> None:
    assert _skill(text).aces.fields == fields


def test_values_are_what_str_makes_of_them() -> None:
    view = _skill("---\nname:\ndescription: [use, 'when']\n---\n").aces
    assert view.name == "None"
    assert view.description == "['use', 'when']"
    assert view.string("license") == ""


@pytest.mark.parametrize("source", ["2024-13-45", "0b_", "9" * 5000, "1:" * 40_000 + "1"])
def test_no_number_after_all(source: str) -> None:
    """PyYAML raises at the first two; the others take it long. Here they are texts."""
    assert load_legacy(f"k: {source}\n") == {"k": source}


def test_dates() -> None:
    assert load_legacy("k: 2024-01-02") == {"k": datetime.date(2024, 1, 2)}


def test_a_bomb_of_aliases_has_no_text() -> None:
    levels = "a0: &a0 [x, x]\n" + "".join(
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
    )
    values = load_legacy(levels)
    assert text_of(values["a0"]) == "['x', 'x']"
    assert text_of(values["a11"]) == ""
    assert _skill(f"---\nname: x\n{levels}---\n").aces.fields["name"] == "x"


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(_VALUES)
def test_loads_what_the_safe_loader_loads(value: object) -> None:
    source = yaml.safe_dump({"key": value}, allow_unicode=True)
    assert load_legacy(source) == yaml.safe_load(source)


@given(st.text(alphabet="ab:-[]{}&*!|>'\"# \n\t,?%", max_size=40))
def test_never_raises(source: str) -> None:
    loaded = load_legacy(source)
    try:
        assert loaded == yaml.safe_load(source)
    except (yaml.YAMLError, ValueError, TypeError):
        assert loaded is None or isinstance(loaded, str)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<b>", "<b>"),
        ("a </x-1 y='2' /> b", "</x-1 y='2' />"),
        ("Vec<T>", "<T>"),
        ("see <b and more", "<b and more"),
        ("a < b and c > d", None),
        ("<ada@example.com>", None),
        ("<https://example.com>", None),
        ("<1>", None),
        ("<b <c", None),
    ],
)
def test_tags(text: str, found: str | None) -> None:
    match = find_tag(text)
    assert (match and match[0]) == found


def test_terms() -> None:
    pattern = terms("use", "not for")
    assert all(pattern.search(text) for text in ("USE it", "re-use", "é-useé", "not for x"))
    assert not any(
        pattern.search(text) for text in ("used", "_use", "use2", "not  for", "not\nfor")
    )


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("\n## Usage\nRun.\n\n## Next\n", "Run.\n"),
        ("\n## Usage\nRun.\n### Deeper\n", "Run.\n### Deeper\n"),
        ("\n## Usage\nA.\n\n## Instructions\nB.\n", "B.\n"),
        ("\n## Usage\n", ""),
        ("## Usage\nRun.\n", None),
        ("\n## Usage \nRun.\n", None),
        ("\n## Usage\nA.\n\n### Instructions\nB.\n", None),
        ("Run.\n", None),
    ],
)
def test_instructions(text: str, section: str | None) -> None:
    found = _skill(text).aces.instructions
    assert (found[1] if found else None) == section


def test_direct_entries() -> None:
    view = _skill("", "scripts/b.py", "scripts/a.py", "scripts/c.d.py/x", "scriptsx/e.py").aces
    assert view.direct("scripts", ".py") == ["scripts/a.py", "scripts/b.py", "scripts/c.d.py"]
    assert view.direct("scripts/c.d.py") == ["scripts/c.d.py/x"]
    assert view.direct("references") == []
    assert Skill(Text("")).aces.direct("scripts") == []


def test_a_broken_block_without_a_line_in_column_zero() -> None:
    skill = _skill("---\n a: b: c\n---\n")
    assert skill.frontmatter is not None
    assert skill.frontmatter.entries == ()
    assert [broken.cause for broken in skill.frontmatter.broken] == ["stray"]
    assert skill.aces.fields == {}
