"""The files around the package: versions, pins, the pre-commit hook and the action."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

import skillgauge

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)", re.MULTILINE)
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return {match["name"].lower(): match["version"] for match in PINNED.finditer(text)}


def test_package_json_has_the_version_of_the_package() -> None:
    manifest = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == skillgauge.__version__


def test_there_are_requirements_to_look_at() -> None:
    assert [path.name for path in REQUIREMENTS] == [
        "cpu.txt",
        "dev.txt",
        "e2e.txt",
        "runtime.txt",
    ]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_are_pinned_with_hashes_and_name_no_host(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert "index" not in text
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert PINNED.match(entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("runtime.txt", project()["dependencies"]),
        ("cpu.txt", project()["dependencies"] + project()["optional-dependencies"]["cpu"]),
        ("dev.txt", project()["dependencies"] + project()["optional-dependencies"]["dev"]),
        ("dev.txt", project()["optional-dependencies"]["cpu"]),
    ],
)
def test_pins_satisfy_what_the_project_asks_for(name: str, wanted: list[str]) -> None:
    pinned = pins(name)
    for requirement in map(Requirement, wanted):
        version = pinned.get(requirement.name.lower())
        assert version, f"{requirement.name} is not in {name}: run make lock"
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_tests_run_with_the_runtime_versions() -> None:
    dev = pins("dev.txt")
    for fewer in (pins("runtime.txt"), pins("cpu.txt")):
        assert {name: dev.get(name) for name in fewer} == fewer


@pytest.mark.parametrize(
    ("path", "matches"),
    [
        ("SKILL.md", True),
        ("skills/one/SKILL.md", True),
        ("a/b/c/d/SKILL.md", True),
        ("one/skill.md", True),
        ("evals/evals.json", True),
        ("skills/one/evals/evals.yaml", True),
        ("skills/one/evals/config.yml", True),
        ("README.md", False),
        ("docs/MY-SKILL.md", False),
        ("SKILL.md.orig", False),
        ("skills/one/evals/files/orders.json", False),
        ("retrievals/evals.json", False),
    ],
)
def test_hook_runs_on_skills_at_any_depth(path: str, matches: bool) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "skillgauge"
    assert hook["entry"] == "skillgauge check --force-exclude"
    assert bool(re.search(hook["files"], path)) is matches


def test_action_passes_inputs_as_variables_only() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]
    given = "\n".join(str(step.get("env", "")) for step in action["runs"]["steps"])
    assert [name for name in action["inputs"] if f"inputs.{name} " not in given] == []


def run_action(folder: Path, **inputs: str) -> tuple[int, list[str], list[str]]:
    """Run the action's last step as a runner does; return status, arguments and outputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    program = folder / "skillgauge-venv" / "bin" / "skillgauge"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" | tee "{folder}/arguments"\nexit 1\n')
    program.chmod(0o755)
    outputs = folder / "outputs"
    outputs.touch()
    defaults = {
        name.upper().replace("-", "_"): str(entry["default"])
        for name, entry in action["inputs"].items()
    }
    result = subprocess.run(
        [
            "bash",
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            action["runs"]["steps"][-1]["run"],
        ],
        cwd=folder,
        env=os.environ
        | defaults
        | inputs
        | {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(outputs)},
        check=False,
    )
    arguments = (folder / "arguments").read_text().splitlines()
    return result.returncode, arguments, outputs.read_text().splitlines()


def test_action_reports_the_status_of_the_check(tmp_path: Path) -> None:
    assert run_action(tmp_path) == (
        1,
        ["check", "--format", "github", "--", "."],
        ["exit-code=1"],
    )


def test_action_splits_its_inputs_without_running_them(tmp_path: Path) -> None:
    code, arguments, outputs = run_action(
        tmp_path,
        PATHS="skills\n$(touch stolen) more/*",
        FORMAT="sarif",
        FAIL_ON="error",
        ARGS="--profile spec",
        SARIF_FILE="out.sarif",
    )
    assert code == 1
    assert " ".join(arguments) == (
        "check --format sarif --fail-on error --profile spec -- skills $(touch stolen) more/*"
    )
    assert outputs == ["sarif-file=out.sarif", "exit-code=1"]
    assert (tmp_path / "out.sarif").read_text().splitlines() == arguments
    assert not (tmp_path / "stolen").exists()


def test_ci_script_can_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
