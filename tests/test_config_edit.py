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
