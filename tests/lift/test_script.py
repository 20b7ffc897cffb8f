"""The harness for commands of the user's: what becomes of what they leave and print."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from skillgauge.errors import InputError
from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Setup, script
from skillgauge.lift.trajectory import Told, convert, find_logs, reads_output
from skillgauge.lift.trajectory.atif import Agent, Step, ToolCall, Trajectory, dump, read

TOLD = Told("Count", "m-1")
STEPS = (Step(1, "user", "Count"), Step(2, "agent", "3", tool_calls=(ToolCall("c", "sh", {}),)))
OWN = Trajectory(Agent("mine", "2.0"), STEPS, schema_version="ATIF-v1.7")


def kept(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_output_is_the_answer(tmp_path: Path) -> None:
    found = convert("script", [kept(tmp_path / "stdout", "One.\n{not json}\nThree.\n")], TOLD)
    assert [(step.source, step.text) for step in found.steps] == [
        ("user", "Count"),
        ("agent", "One.\n{not json}\nThree."),
    ]
    assert (found.agent.name, found.agent.model_name) == ("script", "m-1")
    assert read(dump(found)) == found


def test_silence_is_an_answer_too(tmp_path: Path) -> None:
    found = convert("script", [kept(tmp_path / "stdout", "")], TOLD)
    assert [(step.source, step.text) for step in found.steps] == [("user", "Count"), ("agent", "")]


def test_json_without_a_schema_is_text(tmp_path: Path) -> None:
    found = convert("script", [kept(tmp_path / "stdout", '{"rows": 3}')], TOLD)
    assert found.steps[-1].text == '{"rows": 3}'


def test_printed_atif_is_read(tmp_path: Path) -> None:
    assert convert("script", [kept(tmp_path / "stdout", dump(OWN))], TOLD) == OWN


def test_file_has_precedence(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    file = kept(home / "trajectory.json", dump(OWN))
    assert find_logs("script", home) == [file]
    assert convert("script", [kept(tmp_path / "stdout", "said"), file], TOLD) == OWN


@pytest.mark.parametrize("text", ["", "no JSON", '{"schema_version": "ATIF-v1.7"}', "[" * 100_000])
def test_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    file = kept(tmp_path / "trajectory.json", text)
    with pytest.raises(InputError, match="is not valid ATIF"):
        convert("script", [file], TOLD)


def test_broken_atif_on_the_output_is_refused(tmp_path: Path) -> None:
    text = '{"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": []}'
    file = kept(tmp_path / "stdout", text)
    with pytest.raises(InputError, match="steps"):
        convert("script", [file], TOLD)


def test_link_is_not_followed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "trajectory.json").symlink_to(kept(tmp_path / "secret", dump(OWN)))
    assert find_logs("script", home) == []


def test_only_the_script_falls_back_on_its_output() -> None:
    assert reads_output("script")
    assert not reads_output("codex")


@pytest.mark.skipif(os.name == "nt", reason="there is no /bin/sh")
def test_command_finds_its_task_and_no_key(tmp_path: Path) -> None:
    line = 'echo "$SKILLGAUGE_PROMPT|$SKILLGAUGE_MODEL"; env | grep -c _BASE_URL; exit 3'
    setup = Setup('say "hi" $HOME\n; exit 9', "m-1", line)
    given = {**script.environment(setup), "HOME": str(tmp_path), "PATH": os.defpath}
    done = subprocess.run(script.command(setup), env=given, capture_output=True, text=True)
    assert done.stdout == 'say "hi" $HOME\n; exit 9|m-1\n3\n'
    assert done.returncode == 3
    keys = {name: value for name, value in given.items() if name.endswith("_KEY")}
    assert set(keys.values()) == {KEY}
    assert given["OPENAI_BASE_URL"] == f"{BASE_URL}/v1"


def test_exit_status_says_whether_it_counts() -> None:
    assert script.fault(Ended(0, "exit", 1, b"wrong answer", b"noise")) == ""
    said = script.fault(Ended(127, "exit", 1, b"", b"sh: 1: agent: not found\n"))
    assert said == "ended with status 127: sh: 1: agent: not found"
    assert script.fault(Ended(None, "timeout", 9, b"", b"still at work")) == ""
