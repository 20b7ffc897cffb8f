"""Evaluation files as a whole: found, judged and mended like skills."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillgauge import discover
from skillgauge.cli import main
from skillgauge.document.eval_keys import ROLES, Dialect
from skillgauge.document.evals import EvalFile
from skillgauge.engine import check, profile_settings
from skillgauge.fix import fix, with_text
from skillgauge.lsp import session
from skillgauge.rule import Severity
from skillgauge.rules import by_key
from skillgauge.text import Text

from .helpers import skill

OWNER = skill(
    "---\nname: demo\ndescription: Fills forms.\n---\n",
    {"evals/files/a.csv": "", "scripts/fill.py": ""},
)
STRICT = profile_settings("strict")
NO_FORMAT = ("config", "unknown")

PARTS = (
    '"id": 1',
    '"id": "a b"',
    '"id": null',
    '"ID": 7',
    '"prompt": "Fill it"',
    '"promt": "Fill it"',
    '"question": "Use demo"',
    '"input": "x"',
    '"prompt": ""',
    "'prompt': 'say \"x\"'",
    '"expected_output": 5',
    '"expected_output": "Fill it again please now"',
    '"expectations": ["good"]',
    '"assertions": "The output is good"',
    '"expected_behavior": ["Knows it", 3]',
    '"files": ["a.csv", "..\\/x", {"path": "evals/files/a.csv"}]',
    '"files": "A.CSV"',
    '"should_trigger": "false"',
    '"should_trigger": True',
    '"expected_skill": "None"',
    '"expected_skill": "other"',
    '"expected_skill": "demo"',
    '"expected_script": "scripts/fil.py"',
    '"must_not": [1,]',
    '"notes": "a "quoted" word"',
    '// a comment\n"name": "x"',
    '"path": "C:\\data"',
)
HEADS = ("[", '{"evals": [', '{"skill_name": "Demo", "evals": [', '{"tests": [', '{"cases": [')


@st.composite
def json_files(draw: st.DrawFn) -> str:
    """Draw a file out of faults that fixes mend, maybe torn."""
    head = draw(st.sampled_from(HEADS))
    cases = draw(st.lists(st.lists(st.sampled_from(PARTS), max_size=5), max_size=4))
    comma = draw(st.sampled_from([",", ",\n", ",,", "\n"]))
    body = comma.join(
        "{" + ",\n ".join(parts) + draw(st.sampled_from(["}", ",}"])) for parts in cases
    )
    tail = "]}" if head.startswith("{") else "]"
    text = draw(st.sampled_from(["", "\ufeff"])) + head + body + tail
    cut = draw(st.integers(0, 3))
    text = text[: len(text) - cut]
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


YAML_PARTS = (
    "id: 1",
    "id: a/b",
    "id:",
    "prompt: Do this: now",
    "promt: a",
    "question: b",
    "expected_output: @x",
    "assertions: [a, The text is good]",
    "assertions: one, two",
    "expectations:\n      - a",
    "files: A.csv",
    "should_trigger: 'false'",
    "expected_skill: none",
    "expected-script: scripts/fill.py",
)


@st.composite
def yaml_files(draw: st.DrawFn) -> str:
    """Draw a YAML file out of faults that fixes mend."""
    head = draw(st.sampled_from(["", "skill_name: x\nevals:\n", "eval:\n", "tests:\n"]))
    cases = draw(
        st.lists(st.lists(st.sampled_from(YAML_PARTS), min_size=1, max_size=4), max_size=3)
    )
    body = "".join("  - " + "\n    ".join(parts) + "\n" for parts in cases)
    return (head + body).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def made(text: str, name: str) -> EvalFile:
    return EvalFile(Text(text), Path("/workspace/demo/evals") / name, OWNER)


FILES = st.tuples(json_files(), st.sampled_from(["evals.json", "evals.jsonl"])) | st.tuples(
    yaml_files(), st.just("evals.yaml")
)


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@given(file=FILES)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_fixes_settle(unsafe: bool, file: tuple[str, str]) -> None:
    """A second run changes nothing, and no fix makes a new finding."""
    before = made(*file)
    mended = fix(before, STRICT, unsafe=unsafe)
    after = with_text(before, mended.text)
    assert fix(after, STRICT, unsafe=unsafe).text == mended.text
    if not any(by_key()[finding.code].reveals for finding in mended.applied):
        left = Counter(finding.code for finding in check(after, STRICT).findings)
        had = Counter(finding.code for finding in check(before, STRICT).findings)
        assert not left - had, "a fix made a new finding"


@given(file=FILES)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_ranges_and_edits_lie_inside(file: tuple[str, str]) -> None:
    """Every range of every finding, related place and edit lies in the text."""
    document = made(*file)
    for finding in check(document, STRICT).findings:
        spans = [finding.span, *(item.span for item in finding.related if item.span)]
        if finding.fix:
            spans += [edit.span for edit in finding.fix.edits]
            starts = sorted(edit.span for edit in finding.fix.edits)
            assert all(a.end <= b.start for a, b in itertools.pairwise(starts))
        for span in spans:
            assert 0 <= span.start <= span.end <= len(document.source), finding


def test_safe_fixes_make_json_of_what_is_nearly_json() -> None:
    case = "{'id': 1, 'prompt': 'a', 'should_trigger': False,}"
    text = "{'skill_name': 'demo', \"evals\": [\n" + case + ",\n]}\n"
    mended = fix(made(text, "evals.json"), STRICT)
    assert json.loads(mended.text) == {
        "skill_name": "demo",
        "evals": [{"id": 1, "prompt": "a", "should_trigger": False}],
    }


def test_many_faults_are_all_mended() -> None:
    text = (
        '{"evals": [\n' + "".join(f'{{"id": {n}, "prompt": "p{n}",}},\n' for n in range(60)) + "]}"
    )
    mended = fix(made(text, "evals.json"), STRICT)
    assert len(json.loads(mended.text)["evals"]) == 60


def test_the_level_follows_the_case() -> None:
    def levels(text: str, code: str) -> list[Severity]:
        found = check(made(text, "evals.json")).findings
        return [finding.severity for finding in found if finding.code == code]

    bare = '[{"id": 1, "prompt": "a"}, {"id": 2, "prompt": "b", "assertions": ["c"]}]'
    assert levels(bare, "V012") == [Severity.WARNING]
    assert levels('[{"id": 1, "prompt": "a", "expected_output": "b"}]', "V012") == [Severity.HINT]
    assert levels('[{"id": 1, "prompt": "a"}, {"id": 2}]', "V006") == [Severity.ERROR]
    assert levels('[{"id": 1}, {"id": 2}]', "V006") == [Severity.WARNING]
    assert levels('[{"id": 1, "prompt": "a", "files": "a.csv"}]', "V021") == [Severity.INFO]


def test_an_id_may_have_128_characters() -> None:
    def codes(length: int) -> set[str]:
        file = made(json.dumps([{"id": "a" * length, "prompt": "p"}]), "evals.json")
        return {finding.code for finding in check(file).findings}

    assert "V009" not in codes(128)
    assert "V009" in codes(129)


def test_only_its_own_rule_runs_on_a_file_that_cannot_be_read() -> None:
    file = EvalFile(
        Text(""), Path("/workspace/demo/evals/evals.json"), OWNER, "it is a binary file"
    )
    found = check(file, STRICT).findings
    assert [finding.rule for finding in found] == ["evals-unreadable"]
    assert "V001" not in {
        finding.code for finding in check(skill("", problem="x"), STRICT).findings
    }


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/s/demo/evals/evals.json", "evals"),
        ("/s/demo/evals/evals.jsonl", "evals"),
        ("/s/demo/evals/config.yml", "evals"),
        ("/s/demo/evals/config.yaml", "evals"),
        ("/s/demo/config.yml", None),
        ("/s/demo/evals/other.json", None),
    ],
)
def test_which_files_are_looked_at(path: str, kind: str | None) -> None:
    assert discover.kind_of(path) == kind
    known = session.kind_of(f"file://{path}")
    assert known is (session.Kind.EVALS if kind else session.Kind.RESOURCE)


def test_a_folder_is_judged_with_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line finds the files beside a skill and knows what lies around them."""
    folder = tmp_path / "demo"
    (folder / "evals" / "files").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: demo\ndescription: Fills forms.\n---\n# Demo\n")
    (folder / "evals" / "files" / "a.csv").write_text("x\n")
    cases = [{"id": 1, "prompt": "a", "files": ["evals/files/a.csv", "evals/files/b.csv"]}]
    (folder / "evals" / "evals.json").write_text(json.dumps({"skill_name": "x", "evals": cases}))
    (folder / "evals" / "config.yml").write_text("schema_version: 1\nharbor:\n  n_atempts: 2\n")
    main(["check", str(folder), "--format", "json", "--select", "V", "--isolated", "--no-cache"])
    found = {
        (Path(file["path"]).name, finding["code"])
        for file in json.loads(capsys.readouterr().out)["files"]
        for finding in file["findings"]
    }
    assert {("evals.json", "V010"), ("evals.json", "V017"), ("config.yml", "V023")} <= found


def test_the_page_for_users_is_complete() -> None:
    """It names every part and format, its example has no finding, and its links lead somewhere."""
    page = Path(__file__).parent.parent / "docs" / "evals.md"
    text = page.read_text(encoding="utf-8")
    for keys in ROLES.values():
        assert all(f"`{key}`" in text for key in keys)
    assert all(f"| `{name}` |" in text for name in get_args(Dialect) if name not in NO_FORMAT)
    for target in re.findall(r"\]\((rules/[^)#]+)\)", text):
        assert (page.parent / target).is_file(), target
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert example
    owner = skill("---\nname: fill-forms\ndescription: x\n---\n", {"evals/files/letter.pdf": None})
    found = check(EvalFile(Text(example[1]), None, owner), STRICT).findings
    assert [finding.rule for finding in found] == ["too-few-cases"]
