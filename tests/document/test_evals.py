"""Evaluation files: every dialect read into the same cases, with the place of each part."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.eval_keys import ROLES
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import walk
from skillgauge.text import Span, Text

from ..helpers import skill

AGENTSKILLS = """{
  "skill_name": "fill-forms",
  "evals": [
    {
      "id": 1,
      "prompt": "Fill in the W-9 “now” 🙂",
      "expected_output": "A filled form.",
      "assertions": ["The PDF has a name", {"name": "signed", "text": "It is signed"}],
      "files": ["evals/files/w9.pdf"],
      "expected_script": "scripts/fill.py",
      "should_trigger": true
    },
    {"id": "other", "prompt": "Write a poem", "expected_skill": null}
  ]
}
"""
FLAT = """[
  {"id": "a", "question": "Fill it", "ground_truth": "Filled",
   "expected_behavior": ["Runs the script"], "expected_skill": "fill-forms",
   "acceptable_alternates": ["forms"]}
]
"""
CREATOR = """{"skill_name": "x", "evals": [
  {"id": 0, "prompt": "p", "expected_output": "o", "expectations": ["one", "two"]}]}"""
BENCHFLOW = """{"version": "1", "skill": "x", "cases": [
  {"id": "c", "question": "q", "ground_truth": "g", "expected_behavior": ["b"]}]}"""
SINGLE = '{"id": "s", "question": "q", "ground_truth": "g", "expected_behavior": ["b"]}'
TRIGGER = '[{"query": "q1", "should_trigger": true}, {"query": "q2", "should_trigger": false}]'
YAML = """skill_name: fill-forms
evals:
  - id: 1
    prompt: >
      Fill in
      the form
    expected_output: A filled form
    assertions:
      - The PDF has a name
    should_trigger: no
"""


def read(text: str, name: str = "evals.json") -> EvalFile:
    return EvalFile(Text(text), Path("/s/demo/evals") / name)


def shown(file: EvalFile, span: Span) -> str:
    return file.text.slice(span)


def test_agentskills_parts_and_their_places() -> None:
    file = read(AGENTSKILLS)
    assert (file.dialect, len(file.cases), file.complete, file.faults) == (
        "agentskills",
        2,
        True,
        (),
    )
    assert file.skill_name is not None
    assert shown(file, file.skill_name.span) == '"fill-forms"'
    assert shown(file, file.top) == '"evals"'
    case, other = file.cases
    assert case.id is not None
    assert (case.id.text, case.id.type, shown(file, case.id.span)) == ("1", "int", "1")
    assert case.prompt is not None
    assert case.prompt.text == "Fill in the W-9 “now” 🙂"
    assert shown(file, case.prompt.span) == '"Fill in the W-9 “now” 🙂"'
    assert case.expected_output is not None
    assert shown(file, case.expected_output.span) == '"A filled form."'
    assert [item.text for item in case.assertions] == ["The PDF has a name", "It is signed"]
    assert [shown(file, item.span) for item in case.assertions] == [
        '"The PDF has a name"',
        '"It is signed"',
    ]
    assert [shown(file, item.span) for item in case.files] == ['"evals/files/w9.pdf"']
    assert case.expected_script is not None
    assert case.expected_script.text == "scripts/fill.py"
    assert case.should_trigger is True
    assert shown(file, case.span).startswith('{\n      "id": 1')
    assert shown(file, case.span).endswith('"should_trigger": true\n    }')
    assert (other.expects_none, other.expected_skill, other.label) == (True, None, "case “other”")
    assert other.is_negative("fill-forms")
    assert not case.is_negative("fill-forms")


@pytest.mark.parametrize(
    ("text", "name", "dialect", "count"),
    [
        (AGENTSKILLS, "evals.json", "agentskills", 2),
        (FLAT, "evals.json", "flat", 1),
        (CREATOR, "evals.json", "skill-creator", 1),
        (BENCHFLOW, "evals.json", "benchflow", 1),
        (SINGLE, "evals.json", "single", 1),
        (TRIGGER, "evals.json", "trigger", 2),
        (YAML, "evals.yaml", "agentskills", 1),
        (SINGLE + "\n" + SINGLE + "\n", "evals.jsonl", "flat", 2),
        ('{"evals": []}', "evals.json", "agentskills", 0),
        ("[]", "evals.json", "flat", 0),
        ('{"tests": [{"prompt": "p"}]}', "evals.json", "unknown", 0),
        ('{"evals": {"a": 1}}', "evals.json", "unknown", 0),
        ("", "evals.yml", "unknown", 0),
        ('"text"', "evals.json", "unknown", 0),
        ("schema_version: 1\nevals: []\n", "config.yml", "config", 0),
    ],
)
def test_dialects(text: str, name: str, dialect: str, count: int) -> None:
    file = read(text, name)
    assert (file.dialect, len(file.cases)) == (dialect, count)


@pytest.mark.parametrize("text", [FLAT, BENCHFLOW, SINGLE])
def test_flat_names_mean_the_same(text: str) -> None:
    file = read(text)
    case = file.cases[0]
    assert case.prompt is not None
    assert case.expected_output is not None
    assert shown(file, case.prompt.span) in ('"Fill it"', '"q"')
    assert shown(file, case.expected_output.span) in ('"Filled"', '"g"')
    assert [item.text for item in case.assertions] in (["Runs the script"], ["b"])


def test_expectations_are_assertions() -> None:
    assert [item.text for item in read(CREATOR).cases[0].assertions] == ["one", "two"]


def test_acceptable_skills() -> None:
    assert [item.text for item in read(FLAT).cases[0].acceptable_skills] == ["forms"]


def test_yaml_places() -> None:
    file = read(YAML, "evals.yaml")
    case = file.cases[0]
    assert case.prompt is not None
    assert case.prompt.text == "Fill in the form\n"
    assert shown(file, case.prompt.span) == ">\n      Fill in\n      the form"
    assert shown(file, case.assertions[0].span) == "The PDF has a name"
    assert shown(file, case.head) == "id"
    assert case.should_trigger is False


def test_jsonl_places_are_those_of_the_file() -> None:
    file = read('{"prompt": "a"}\r\n\r\n  {"prompt": "b🙂"}\n', "evals.jsonl")
    spans = [case.prompt.span for case in file.cases if case.prompt]
    assert [shown(file, span) for span in spans] == ['"a"', '"b🙂"']


def test_reading_goes_on_behind_faults() -> None:
    file = read('{"evals": [\n {"id": 1, "prompt": "a",},\n {"id": 2, "prompt": \'b\'} // end\n]}')
    assert [case.prompt.text for case in file.cases if case.prompt] == ["a", "b"]
    assert [fault.cause for fault in file.faults] == ["comma-extra", "quotes", "comment"]
    assert file.complete
    assert file.reading.fault is not None


def test_what_was_read_before_a_fault_stays() -> None:
    file = read('{"evals": [\n {"id": 1, "prompt": "a"},\n {"id": 2, "prompt": "b')
    assert [case.id.text for case in file.cases if case.id] == ["1", "2"]
    assert [case.partial for case in file.cases] == [False, True]
    assert not file.complete
    assert not file.cases[1].lacks("expected_output")
    assert file.cases[0].lacks("expected_output")


def test_yaml_reading_goes_on_behind_a_colon() -> None:
    file = read("evals:\n  - prompt: do this: now\n    id: 1\n  - prompt: b\n", "evals.yml")
    assert [fault.cause for fault in file.faults] == ["colon"]
    assert [case.prompt.text for case in file.cases if case.prompt] == ["do this_ now", "b"]


def test_one_broken_line_does_not_hide_the_others() -> None:
    file = read('{"prompt": "a"}\n{"prompt": [}\n{"prompt": "c"}\n', "evals.jsonl")
    assert [case.prompt.text if case.prompt else None for case in file.cases] == ["a", None, "c"]


def test_aliases_are_not_followed() -> None:
    file = read("a: &a\n  prompt: p\nevals:\n  - *a\n  - <<: *a\n    id: 1\n", "evals.yaml")
    assert [case.partial for case in file.cases] == [True, True]
    assert not any(case.lacks("prompt") for case in file.cases)


def test_doubled_keys_count_last() -> None:
    case = read('[{"prompt": "a", "prompt": "b"}]').cases[0]
    assert case.prompt is not None
    assert case.prompt.text == "b"


@pytest.mark.parametrize(
    ("case", "negative"),
    [
        ('{"should_trigger": false, "expected_skill": "demo"}', True),
        ('{"should_trigger": true, "expected_skill": null}', False),
        ('{"expected_skill": ""}', True),
        ('{"expected_skill": "other"}', True),
        ('{"expected_skill": "demo"}', False),
        ('{"should_trigger": "false"}', True),
        ("{}", False),
        ("7", False),
    ],
)
def test_negative_cases(case: str, negative: bool) -> None:
    assert read(f"[{case}]").cases[0].is_negative("demo") is negative


def test_the_own_name_is_that_of_the_skill_beside() -> None:
    assert read("[]").own_name is None
    assert EvalFile(Text("[]"), None, skill("---\nname: a-b\n---\n")).own_name == "a-b"
    assert EvalFile(Text("[]"), None, skill("# no name", folder="c-d")).own_name == "c-d"


def test_deep_nesting_is_a_fault_and_no_error() -> None:
    file = read("[" * 5000)
    assert [fault.cause for fault in file.faults] == ["depth"]


PIECES = st.sampled_from(
    [
        *"{}[],:\"'\\ \n\r\t#-/*`“”",
        *("\r\n", '"evals"', '"cases"', '"prompt"', '"id"', '"files"', '"should_trigger"', "null"),
        *("true", "True", "None", "1", "- ", "id: 1", "evals:\n", "  prompt: a: b\n", "&a ", "*a "),
        *(
            "// x\n",
            "/* y */",
            '"a"',
            "'b'",
            "🙂",
            "\ufeff",
            "\x00",
            "\udc80",
            "<<<<<<< x\n",
            "---\n",
        ),
    ]
)


def every_span(case: EvalCase) -> list[Span]:
    parts = [case.id, case.prompt, case.expected_output, case.expected_skill, case.expected_script]
    spans = [part.span for part in parts if part]
    spans += [item.span for item in (*case.assertions, *case.files, *case.acceptable_skills)]
    entries = [entry for entry in map(case.entry, ROLES) if entry]
    return [*spans, case.span, case.head, *(entry.span for entry in entries)]


@given(
    st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80),
    st.sampled_from(["evals.json", "evals.jsonl", "evals.yaml", "config.yml"]),
)
def test_any_text_is_read_and_all_places_lie_inside(text: str, name: str) -> None:
    file = read(text, name)
    size = len(text)
    spans = [file.top, *(node.span for node in walk(file.reading.root))]
    spans += [span for case in file.cases for span in every_span(case)]
    for fault in file.faults:
        spans += [fault.at, *(repair.span for repair in fault.repairs)]
        assert fault.opened is None or 0 <= fault.opened < size
    assert all(0 <= span.start <= span.end <= size for span in spans)
    assert file.complete or file.faults
    assert (file.reading.fault is None) == (not file.faults)
