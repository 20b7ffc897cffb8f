"""Adding a code to `ignore` as an edit of the file's text: it does that, or there is no edit."""

from __future__ import annotations

import tomllib

import pytest

from skillgauge.config_edit import ignore_rule
from skillgauge.fix import apply_edits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'ignore = ["F011"]\n'),
        ("ignore = []\n", 'ignore = ["F011"]\n'),
        ('ignore = ["A001"] # why\n', 'ignore = ["F011", "A001"] # why\n'),
        ('ignore = [\n  "A001",\n]\n', 'ignore = [\n  "F011",\n  "A001",\n]\n'),
        ('[severity]\nD002 = "hint"\n', 'ignore = ["F011"]\n\n[severity]\nD002 = "hint"\n'),
    ],
)
def test_the_code_is_added_and_the_rest_stays(text: str, expected: str) -> None:
    edit = ignore_rule(text, "F011")
    assert edit is not None
    assert apply_edits(text, [edit]) == expected


@pytest.mark.parametrize(
    "text",
    [
        'profile = "spec"\n',
        'profile = "spec"',
        'ignore = [\n  "A001",\n]\n',
        '[severity]\nD002 = "hint"\n',
        '[project]\nname = "x"\n',
        '[tool.skillgauge]\nprofile = "spec"\n',
        "[tool.skillgauge]",
    ],
)
@pytest.mark.parametrize("pyproject", [False, True], ids=["own", "pyproject"])
def test_new_lines_end_as_the_others_do(text: str, pyproject: bool) -> None:
    plain = ignore_rule(text, "F011", pyproject=pyproject)
    assert plain is not None
    dos = text.replace("\n", "\r\n")
    edit = ignore_rule(dos, "F011", pyproject=pyproject)
    assert edit is not None
    wanted = apply_edits(text, [plain]).replace("\n", "\r\n")
    if "\n" not in text:  # nothing says how lines end
        dos, wanted = text, apply_edits(text, [plain])
    assert apply_edits(dos, [edit]) == wanted


@pytest.mark.parametrize(
    "text", ['[project]\nname = "x"\n', '[tool.skillgauge]\nprofile = "spec"\n']
)
def test_in_pyproject_it_goes_into_our_table(text: str) -> None:
    edit = ignore_rule(text, "F011", pyproject=True)
    assert edit is not None
    document = tomllib.loads(apply_edits(text, [edit]))
    assert document["tool"]["skillgauge"]["ignore"] == ["F011"]


@pytest.mark.parametrize(
    ("text", "pyproject"),
    [
        ('ignore = ["F011"]\n', False),
        ('ignore = "A"\n', False),
        ("ignore = [\n", False),
        ('x = """\n[table]\n"""\n', False),
        ('[tool]\nskillgauge = {profile = "spec"}\n', True),
        ('tool.skillgauge.profile = "spec"\n', True),
    ],
)
def test_no_edit_rather_than_one_that_breaks_the_file(text: str, pyproject: bool) -> None:
    assert ignore_rule(text, "F011", pyproject=pyproject) is None
