"""What each format promises, beyond how it looks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Annotated, Literal
from xml.etree import ElementTree

import pytest
from pydantic import BaseModel, ConfigDict, Field

from skillgauge.records import FileReport, Item, Run
from skillgauge.report import render
from skillgauge.report.markdown import MAX_CHARACTERS, literal
from skillgauge.rules import all_rules

# --- JSON: the contract of docs/json-output.md ---------------------------------------------------

Count = Annotated[int, Field(ge=1)]
Dimension = Literal["correctness", "discoverability", "reliability", "efficiency"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Place(_Strict):
    line: Count
    column: Count


class _Range(_Strict):
    start: _Place
    end: _Place


class _Finding(_Strict):
    code: Annotated[str, Field(pattern=r"^[FCDRELTSXV]\d{3}$")]
    rule: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    severity: Literal["error", "warning", "info", "hint"]
    message: str
    range: _Range
    fix: Literal["safe", "unsafe"] | None
    url: str


class _Deduction(_Strict):
    code: str
    rule: str
    points: int
    message: str


class _Dimension(_Strict):
    score: Annotated[float, Field(ge=0, le=100)]
    deductions: list[_Deduction]


class _Structure(_Strict):
    score: Annotated[float, Field(ge=0, le=100)]
    grade: Literal["A", "B", "C", "D", "F"]
    dimensions: dict[Dimension, _Dimension]


class _File(_Strict):
    path: str
    findings: list[_Finding]
    structure: _Structure | None


class _Report(_Strict):
    schema_version: Literal[1]
    files: list[_File]


def test_json_is_what_the_page_promises(run: Run) -> None:
    report = _Report.model_validate_json(render("json", run))
    assert [file.path for file in report.files] == [file.shown for file in run.files]
    first = report.files[2].findings[0]
    # Code points from 1: “description: Cuts 文字 and 😀” has 27 of them, all before the colon.
    assert first.range.model_dump() == {
        "start": {"line": 3, "column": 27}, "end": {"line": 3, "column": 32}
    }  # fmt: skip
    assert [item.fix for item in report.files[2].findings] == ["safe", "unsafe", None, None, None]
    assert report.files[0].structure is None


# --- SARIF ---------------------------------------------------------------------------------------


@pytest.fixture
def real(run: Run) -> Run:
    """The same run with codes that rules really have."""
    rules = {rule.code: rule.name for rule in all_rules()}
    codes = iter(sorted(rules))
    for file in run.files:
        file.items = [
            item._replace(code=code, rule=rules[code])
            for item, code in zip(file.items, codes, strict=False)
        ]
    return run


def test_sarif_results_point_to_their_rules_and_files(real: Run) -> None:
    (only,) = json.loads(render("sarif", real))["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert only["columnKind"] == "unicodeCodePoints"
    assert len(only["results"]) == 7
    for result in only["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["markdown"].startswith(f"# {rule['name']}\n")
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[\x21-\x7e]+", uri)
    uris = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in only["results"]
    }
    assert "skills/demo/SKILL.md" in uris


def test_sarif_fingerprints_differ_and_stay_when_lines_move(real: Run) -> None:
    def marks(run: Run) -> list[str]:
        (only,) = json.loads(render("sarif", run))["runs"]
        return [result["partialFingerprints"]["skillgauge/v1"] for result in only["results"]]

    before = marks(real)
    assert len(set(before)) == 7
    for file in real.files:
        file.data = b"\n" + file.data if file.data else b""
        file._text = None
        file.items = [
            item._replace(line=item.line + 1, end_line=item.end_line + 1, start=item.start + 1,
                          end=item.end + 1)
            if file.data else item for item in file.items
        ]  # fmt: skip
    assert marks(real) == before


def test_sarif_of_a_file_elsewhere_is_absolute(real: Run) -> None:
    file = replace(real.files[2], shown="../else where/SKILL.md")
    (only,) = json.loads(render("sarif", replace(real, files=[file])))["runs"]
    place = only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"].startswith("file:///")
    assert place["uri"].endswith("/else%20where/SKILL.md")
    assert "uriBaseId" not in place


def test_sarif_fix_is_the_edit(real: Run) -> None:
    (only,) = json.loads(render("sarif", real))["runs"]
    (fixed,) = [result for result in only["results"] if "fixes" in result]
    (change,) = fixed["fixes"][0]["artifactChanges"]
    assert [item["deletedRegion"]["startColumn"] for item in change["replacements"]] == [14, 41]
    assert [item["insertedContent"]["text"] for item in change["replacements"]] == ['"', '"']


# --- the others ----------------------------------------------------------------------------------


def test_github_lines_are_one_command_each(run: Run) -> None:
    run.files[1].items = [Item("F001", "x", "error", "a\r\n%::b", 0, 1, 1, 1, 1, 2)]
    lines = render("github", run).splitlines()
    assert len(lines) == 8
    assert all(re.match(r"::(error|warning|notice) file=", line) for line in lines)
    assert lines[1] == (
        "::error file=skills/clean%2C a/SKILL.md,line=1,endLine=1,col=1,endColumn=2,"
        "title=F001 x::a%0A%25::b"
    )


def test_junit_is_xml_with_a_case_for_each_file(run: Run) -> None:
    run.files[0].items = [Item("F001", "x", "error", "NUL \0 and <&\"'> \ufffe", 0, 0, 1, 1, 1, 1)]
    suite = ElementTree.fromstring(render("junit", run)).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("4", "3")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [file.shown for file in run.files]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.text == "bad/SKILL.md:1:1: error F001 x: NUL \ufffd and <&\"'> \ufffd"
    demo = cases[2]
    assert demo.find("failure").get("message") == "1 finding"  # pyright: ignore
    assert demo.find("system-out").text.count("\n") == 4  # pyright: ignore


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[x](javascript:1)", r"\[x\](javascript:1)"),
        ("`x` *y* _z_", r"\`x\` \*y\* \_z\_"),
        ("@octocat", "<!-- -->@<!-- -->octocat"),
        ("#12", "<!-- -->#<!-- -->12"),
        ("https://x.y", "https:<!-- -->//<!-- -->x.y"),
        ("www.x.y", "www<!-- -->.<!-- -->x.y"),
        ("&lt;", r"\&lt;"),
        ("a\nb\u202e", "a␊b\\<U+202E\\>"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, shown: str) -> None:
    assert literal(text) == shown


def test_markdown_fits_into_a_comment(run: Run) -> None:
    many = replace(run, files=run.files * 300)
    text = render("markdown", many)
    assert len(text) < MAX_CHARACTERS + 1_000
    left = re.search(r"… and (\d+) further findings\.", text)
    assert left
    assert int(left[1]) + text.count("](https://") == 300 * 7


def test_an_unreadable_file_has_no_excerpt(run: Run) -> None:
    text = render("text", replace(run, files=run.files[:1], quiet=True))
    assert text == "bad/SKILL.md:1:1: error F000 unreadable-file: It is a binary file.\n"


def test_nothing_in_a_text_report_can_drive_a_terminal(run: Run) -> None:
    names = FileReport(
        "/x", "a\x1b]0;x\x07.md", "skill", run.files[2].items, None, b"\x9b31m\x07\n"
    )
    text = render("text", replace(run, files=[*run.files, names]))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)
