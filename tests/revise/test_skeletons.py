"""What each skeleton makes of a skill: the very text, in the very place."""

from __future__ import annotations

import json

import pytest

from skillgauge.revise import Candidate, candidates
from skillgauge.revise.skeletons import all_skeletons, metrics
from skillgauge.text import Text
from tests.revise.made import SKILL, skill


def made(name: str, text: str = SKILL, files: dict[str, str] | None = None) -> list[Candidate]:
    found = candidates(skill(text, files))
    return [item for item in found if item.name.partition(".")[0] == name]


def added(name: str, text: str = SKILL, files: dict[str, str] | None = None) -> str:
    """Return the text that the first candidate of a skeleton inserts in one place."""
    (edit,) = made(name, text, files)[0].edits
    return edit.text


def test_every_metric_has_a_skeleton() -> None:
    assert metrics() == ("A2", "B2", "C1", "C2", "D1")
    assert all(skeleton.__doc__ for _, skeleton in all_skeletons())


def test_inputs_and_outputs_of_a_script() -> None:
    (found,) = made("inputs_outputs")
    (edit,) = found.edits
    assert edit.span.start == SKILL.index("## Limitations"), "limitations belong at the end"
    assert edit.text == (
        "## Inputs and outputs\n\n"
        "`scripts/count_rows.py` takes:\n\n"
        "| Input | Type | Default | Meaning |\n"
        "| --- | --- | --- | --- |\n"
        "| `path` | text | required | the file to count |\n"
        "| `--format` | one of text, json | `text` | how to print \\| it |\n"
        "| `--strict` | flag | off | – |\n"
        "| `--limit` | int | required | – |\n\n"
        "It prints JSON with the keys `rows`, `token` to standard output. Exit status 0 means that"
        " it worked, 2 means that the arguments are wrong, 3 means that it failed.\n\n"
    )
    assert found.suggestions() == ("it failed",)


def test_fields_of_json_stand_below_it() -> None:
    (found,) = made("json_fields")
    (edit,) = found.edits
    assert SKILL[: edit.span.start].endswith("\n```")
    assert edit.text == (
        "\n\n| Field | Type | Example |\n| --- | --- | --- |\n"
        '| `rows` | integer | `3` |\n| `names` | list of strings | `["a", "b"]` |'
    )


def test_troubleshooting() -> None:
    messages, missing, both = made("troubleshooting")
    assert messages.edits[0].text.split("\n")[4:6] == [
        "| `no such file: …` | `count_rows.py`: `not os.path.exists(options.path)`"
        " | Tell the user the message; mend what it names, then run it again |",
        "| `the table … has no rows` | `count_rows.py`: `rows.empty`"
        " | Tell the user the message; mend what it names, then run it again |",
    ]
    assert "| `ROWS_TOKEN` is empty |" in missing.edits[0].text
    assert "No module named 'pandas'" in missing.edits[0].text
    assert both.edits[0].text.count("\n| `") == 4


def test_a_table_that_is_there_gets_rows() -> None:
    text = SKILL + "\n## Troubleshooting\n\n|What|Do|\n|--|--|\n|Nothing|Wait|\n\nAsk for help.\n"
    first, *_ = made("troubleshooting", text)
    (edit,) = first.edits
    assert text[: edit.span.start].endswith("|Nothing|Wait|")
    assert edit.text.split("\n")[1].startswith(
        "| `no such file: …` (`count_rows.py`: `not os.path.exists(options.path)`) | Tell"
    )


def test_steps_are_numbered_and_what_they_hold_moves_along() -> None:
    (found,) = made("ordered_steps")
    after = found.apply(SKILL)
    assert (
        "1. Get the file.\n2. Run `scripts/count_rows.py`.\n3. Report the number.\n"
        "   Name the file with it.\n"
    ) in after


@pytest.mark.parametrize(
    "items",
    ["- Get it.\n- Run it.\n", "- Fast\n- Small\n- Good\n", "- [ ] Get\n- [ ] Run\n- [x] Report\n"],
    ids=["two", "no orders", "tasks"],
)
def test_other_lists_stay(items: str) -> None:
    head = "---\nname: demo\ndescription: Does it.\n---\n# Demo\n\n## Workflow\n\n"
    assert made("ordered_steps", head + items, {}) == []


def test_procedure_from_sections() -> None:
    text = (
        "---\nname: demo\ndescription: Does it.\n---\n# Demo\n\nText.\n\n"
        "## Step 1: Install\n\n```bash\nnpm ci\n```\n\n## Step 2: Build\n\n- Run the build.\n\n"
        "## Step 3: The report\n\nText.\n"
    )
    assert added("procedure", text, {}) == (
        "## Workflow\n\n1. Install: run `npm ci`.\n2. Build: run the build.\n3. The report.\n\n"
    )
    assert made("procedure", text + "\n## Process\n\nAs above.\n", {}) == []


def test_commands_and_requirements() -> None:
    assert added("commands").startswith(
        "## Commands\n\n```bash\n# Count the rows of a CSV file.\n"
        "python3 scripts/count_rows.py path --limit LIMIT [--format text|json] [--strict]\n```\n"
    )
    assert added("requirements").startswith(
        "## Requirements\n\n- `pandas` importable in Python\n"
        "- `ROWS_TOKEN` set in the environment\n"
    )


def test_files_that_are_not_named() -> None:
    files = {"references/limits.md": "# What it can't do\n", "LICENSE": ""}
    assert "| `references/limits.md` | reference | What it can't do |" in added(
        "commands", SKILL, files
    )


@pytest.mark.parametrize(
    "written",
    [
        "Counts the rows of CSV files.",
        "'Counts the rows of CSV files.'",
        '"Counts the rows of CSV files"',
        ">-\n  Counts the rows\n  of CSV files.",
        "|\n  Counts the rows of CSV files.\n",
    ],
    ids=["plain", "single", "double", "folded", "literal"],
)
def test_when_in_every_style_of_yaml(written: str) -> None:
    text = SKILL.replace("Counts the rows of CSV files.", written, 1)
    found, short = made("when_to_use", text)
    assert short.edits[0].text.endswith(" Use when the user asks how many rows a file has.")
    described = skill(found.apply(text)).description
    assert described is not None
    assert described.strip() == (
        "Counts the rows of CSV files. Use when the user asks how many rows a file has,"
        " or when checking an export before an import."
    )


def test_when_from_prompts() -> None:
    cases = [{"id": 1, "prompt": "How many rows has orders.csv? I need it today."}]
    text = SKILL.replace("## When to use", "## Notes")
    files = {"evals/evals.json": json.dumps({"evals": cases})}
    assert added("when_to_use", text, files) == (
        " Use when the user asks for something like “How many rows has orders.csv?”."
    )


def test_when_is_not_said_twice() -> None:
    text = SKILL.replace("CSV files.", "CSV files. Use when asked for rows.")
    assert made("when_to_use", text) == []


def test_line_breaks_are_those_of_the_document() -> None:
    text = SKILL.replace("\n", "\r\n")
    for found in candidates(skill(text)):
        assert "\n" not in found.apply(text).replace("\r\n", "")


def test_a_text_with_open_code_takes_nothing() -> None:
    assert candidates(skill(SKILL + "\n```bash\nls\n")) == []


def test_tab_stops() -> None:
    first = made("troubleshooting")[0]
    (snippet,) = first.snippets()
    stop = "${1:Tell the user the message; mend what it names, then run it again}"
    assert snippet.count(stop) == 2, "equal suggestions are changed together"
    text = SKILL + "\n```bash\ngh api $GH_OWNER}\n```\n"
    (snippet,) = made("requirements", text, {})[0].snippets()
    assert "\\$GH_OWNER\\}" in snippet


def test_nothing_is_drafted_twice() -> None:
    """What was applied is there, and its skeleton has nothing more to add."""
    for found in candidates(skill()):
        again = candidates(skill(found.apply(SKILL)))
        texts = {edit.text.strip() for item in again for edit in item.edits}
        assert not {edit.text.strip() for edit in found.edits if len(edit.text) > 5} & texts
        assert Text(found.apply(SKILL)) != Text(SKILL)
