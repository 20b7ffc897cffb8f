"""The example skills say what is true: shown output, files of the cases, links."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SKILLS = Path(__file__).parent.parent / "examples" / "skills"
PROFILE = SKILLS / "csv-profile"
MODELS = ["changelog-entry", "csv-profile", "incident-review"]


def profile(path: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, str(PROFILE / "scripts/profile_csv.py"), str(path)]
    result = subprocess.run(
        [*command, "--format", "json", *options], capture_output=True, encoding="utf-8", check=True
    )
    return json.loads(result.stdout)


def columns(report: dict[str, Any], key: str) -> dict[str, Any]:
    return {column["name"]: column[key] for column in report["columns"]}


def test_output_shown_in_the_skill_is_what_the_script_prints(tmp_path: Path) -> None:
    text = (PROFILE / "SKILL.md").read_text(encoding="utf-8")
    source, shown = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    command, _, expected = shown.partition("\n")
    assert command == "$ python3 scripts/profile_csv.py cinemas.csv"
    path = tmp_path / "cinemas.csv"
    path.write_text(source, encoding="utf-8")
    script = PROFILE / "scripts/profile_csv.py"
    result = subprocess.run(
        [sys.executable, str(script), str(path)], capture_output=True, encoding="utf-8", check=True
    )
    assert result.stdout == expected


def test_orders_have_the_faults_that_the_cases_expect() -> None:
    report = profile(PROFILE / "evals/files/orders.csv")
    assert (report["rows"], report["repeated_rows"], report["broken_rows"]) == (10, 1, [])
    assert {k: v for k, v in columns(report, "missing").items() if v} == {"customer": 2, "paid": 1}
    assert {k: v for k, v in columns(report, "odd_values").items() if v} == {
        "ordered_on": ["04/02/2024"],
        "quantity": ["n/a"],
    }


def test_contacts_break_on_the_lines_that_the_cases_expect() -> None:
    report = profile(PROFILE / "evals/files/contacts.csv")
    assert report["broken_rows"] == [{"line": 3, "fields": 4}, {"line": 5, "fields": 2}]


def test_sensors_are_read_in_their_encoding() -> None:
    report = profile(PROFILE / "evals/files/sensors.csv", "--encoding", "cp1252")
    assert (report["rows"], report["delimiter"]) == (4, ";")
    assert columns(report, "lowest") == {"sensor": "S-1", "place": "Genève", "reading": "19.8"}
    assert columns(report, "highest") == {"sensor": "S-4", "place": "Zürich", "reading": "27.4"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("evals/files/sensors.csv", "cannot decode byte 27 as utf-8"),
        ("evals/files/nowhere.csv", "no such file"),
        (os.devnull, "has no header row"),
    ],
)
def test_script_says_what_is_wrong(name: str, problem: str) -> None:
    script = PROFILE / "scripts/profile_csv.py"
    result = subprocess.run(
        [sys.executable, str(script), str(PROFILE / name)], capture_output=True, encoding="utf-8"
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(f": {problem}\n")


def test_cases_are_complete() -> None:
    cases = json.loads((PROFILE / "evals/evals.json").read_text(encoding="utf-8"))["evals"]
    assert len(cases) == len({case["id"] for case in cases}) == 8
    assert sum(case.get("should_trigger") is False for case in cases) == 3
    for case in cases:
        assert case["assertions"], case["id"]
        assert all((PROFILE / name).is_file() for name in case["files"]), case["id"]


@pytest.mark.parametrize("name", MODELS)
def test_links_of_the_models_lead_to_files(name: str) -> None:
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text)]
    assert [target for target in targets if not (SKILLS / name / target).is_file()] == []
