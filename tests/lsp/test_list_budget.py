"""The list of skills in the editor: how full it is, where an entry is cut, what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillgauge.config import Config
from skillgauge.document.workspace import Workspace, summarise
from skillgauge.lsp.features._hover import about_lists, parts
from skillgauge.lsp.features._inlay_hints import hints
from skillgauge.lsp.session import Session
from skillgauge.lsp.snapshot import Around, Snapshot
from skillgauge.lsp.uris import Kind
from skillgauge.text import Text

TEXT = "---\nname: {name}\ndescription: {description}\n---\n# Title\n\n{body}"


def snapshot_of(*lengths: int, body: str = "Text.\n") -> Snapshot:
    """Return the first of several skills of one project, by the lengths of their descriptions."""
    config = Config.default(Path("/p"))
    made: list[Snapshot] = []
    for index, length in enumerate(lengths):
        path = Path(f"/p/.claude/skills/s{index}/SKILL.md")
        text = Text(TEXT.format(name=f"s{index}", description="word " * (length // 5), body=body))
        around = Around(config, ("claude-code",), None, None)
        made.append(Snapshot(path.as_uri(), 1, text, Kind.SKILL, path, around))
    workspace = Workspace(Path("/p"), tuple(summarise(item.skill) for item in made))
    first = made[0]
    around = Around(config, ("claude-code",), None, workspace)
    return Snapshot(first.uri, 1, first.text, first.kind, first.path, around)


def labels(snapshot: Snapshot) -> list[str]:
    return [label for _, label, _ in hints(snapshot) if not label.startswith("≈")]


def test_hover_says_how_full_the_list_is() -> None:
    assert about_lists(snapshot_of(395, 395)) == (
        "- Claude Code's list: 2 skills take 802 of 8,000 characters (10 %), this entry 401."
    )


def test_hover_names_what_is_longest_where_not_all_fit() -> None:
    text = about_lists(snapshot_of(100, *[1_000] * 9))
    assert "(115 %)" in text
    assert "skills used least lose their descriptions first. Entries of at most" in text
    assert text.endswith("The longest: `s1`, `s2`, `s3`, `s4`, `s5`.")


@pytest.mark.parametrize("needle", ["word word", "scription"])
def test_hover_over_the_description_shows_it(needle: str) -> None:
    """Over the text as over the key, which is explained first."""
    snapshot = snapshot_of(395, 395)
    offset = snapshot.text.content.index(needle)
    found = [text for _, text in parts(Session(), snapshot, offset)]
    assert found[-1] == (
        "This one has 394 characters, about 80 tokens.\n\n"
        "- Claude Code's list: 2 skills take 802 of 8,000 characters (10 %), this entry 401."
    )
    assert ("| client | effect |" in found[0]) is (needle == "scription")


def test_hint_where_the_list_is_half_full() -> None:
    assert labels(snapshot_of(*[990] * 3)) == []
    half = snapshot_of(*[990] * 5)
    assert labels(half) == ["Claude Code's list 62 % full"]
    value = half.skill.value("description")
    assert value is not None
    assert value.span.end in [offset for offset, _, _ in hints(half)]


def test_hint_where_the_entry_is_cut() -> None:
    snapshot = snapshot_of(2_000)
    assert labels(snapshot) == ["✂ Claude Code"]
    (place,) = (offset for offset, label, _ in hints(snapshot) if label == "✂ Claude Code")
    start = snapshot.text.content.index("word")
    assert place - start == 1_536


def test_hint_where_compaction_cuts_the_body() -> None:
    """About the first 5,000 tokens of a skill are kept; ten words and a break are about 10.7."""
    assert labels(snapshot_of(100, body="word " * 9 + "word\n")) == []
    long = snapshot_of(100, body=("word " * 9 + "word\n") * 940)
    assert labels(long) == ["✂ Claude Code after compaction"]
    (place,) = (offset for offset, label, _ in hints(long) if label.endswith("compaction"))
    line = long.text.line_of(place)
    assert 440 <= line <= 490
    assert long.text.line_span(line).end == place
