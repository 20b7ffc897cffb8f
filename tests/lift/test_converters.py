"""The logs of each harness, whole and damaged, and what becomes of them."""

from __future__ import annotations

import contextlib
import json
import os
import random
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.trajectory import Told, convert, find_logs, harnesses
from skillgauge.lift.trajectory.atif import Step, Trajectory, dump, read
from tests.lift import trajectory_logs as logs

ALL = {
    "claude-code": logs.claude,
    "codex": logs.codex,
    "gemini-cli": logs.gemini,
    "opencode": logs.opencode,
    "qwen-code": logs.qwen,
}


def made(harness: str, tmp_path: Path, rows: list[object], told: Told | None = None) -> Trajectory:
    """Convert a log, and see that what comes of it is valid."""
    found = convert(harness, [logs.write(tmp_path / "log.jsonl", rows)], told)
    assert read(dump(found)) == found
    return found


def shape(found: Trajectory) -> list[tuple[str, str, list[str]]]:
    return [
        (step.source, step.text, [call.function_name for call in step.tool_calls or ()])
        for step in found.steps
    ]


def tokens(step: Step) -> tuple[int | None, int | None, int | None]:
    metrics = step.metrics
    assert metrics
    return metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens


def test_every_harness_has_its_case() -> None:
    assert harnesses() == tuple(sorted((*ALL, "script")))  # test_script.py has its own


def test_claude(tmp_path: Path) -> None:
    found = made("claude-code", tmp_path, logs.claude())
    assert shape(found) == [
        ("user", "Count it", []),
        ("agent", "With the skill.", ["Skill"]),
        ("user", "Base directory: /w\n", []),
        ("agent", "", ["Bash"]),
        ("agent", "3 rows", []),
    ]
    skill, bash = found.steps[1], found.steps[3]
    assert tokens(skill) == (123, 3, 20)  # the usage of the last line of the turn
    assert skill.reasoning_content == "Hm."
    assert skill.acts[0].arguments == {"skill": "count"}
    told = bash.result(bash.acts[0])
    assert told
    assert (told.exit_code, told.failed) == (3, True)
    assert found.final_metrics
    assert found.final_metrics.total_cost_usd == 0.25
    assert found.final_metrics.total_prompt_tokens == 3 * 123
    assert (found.agent.version, found.agent.model_name) == ("2.0", "m-1")


def test_claude_sub_agent_is_a_trajectory_of_its_own(tmp_path: Path) -> None:
    call = logs.claude_turn(2, "m1", logs.tool("Agent", "t1", prompt="look"))
    back = logs.claude_user(9, [logs.result("t1", "done")], toolUseResult={"agentId": "a7"})
    side = {"isSidechain": True, "agentId": "a7"}
    inner = [
        logs.claude_user(3, "look", **side),
        logs.claude_turn(4, "m2", logs.tool("Read", "t2"), **side),
    ]
    found = made("claude-code", tmp_path, [logs.claude_user(1, "Go"), call, *inner, back])
    assert shape(found) == [("user", "Go", []), ("agent", "", ["Agent"])]
    assert found.subagent_trajectories
    assert shape(found.subagent_trajectories[0]) == [("user", "look", []), ("agent", "", ["Read"])]
    step = found.steps[1]
    refs = (step.observation and step.observation.results[0].subagent_trajectory_ref) or ()
    assert [ref.trajectory_id for ref in refs] == ["a7"]
    assert found.final_metrics
    assert found.final_metrics.total_completion_tokens == 2 + 4
    assert len(list(found.walk())) == 4


def test_claude_faults_of_the_endpoint_are_no_turn_of_the_model(tmp_path: Path) -> None:
    row = logs.claude_turn(2, "e1", logs.text("API Error: 500"), isApiErrorMessage=True)
    row["message"]["model"] = "<synthetic>"
    found = made("claude-code", tmp_path, [logs.claude_user(1, "Go"), row])
    assert found.steps[1].llm_call_count == 0
    assert found.steps[1].metrics is None
    assert found.extra == {"errors": ["API Error: 500"]}


def test_images_stay_images(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"media_type": "image/png", "data": "aGk="}}
    paper = {"type": "document", "source": {"media_type": "application/pdf", "data": "aGk="}}
    found = made("claude-code", tmp_path, [logs.claude_user(1, [logs.text("See"), image, paper])])
    parts = found.steps[0].message
    assert isinstance(parts, tuple)
    assert [part.type for part in parts] == ["text", "image", "text"]
    assert parts[1].source
    assert parts[1].source.path == "data:image/png;base64,aGk="
    assert parts[2].text == "[application/pdf, 32 characters]"


def test_codex(tmp_path: Path) -> None:
    found = made("codex", tmp_path, logs.codex())
    assert shape(found) == [
        ("system", "<a><b>", []),
        ("user", "Count it", []),
        ("agent", "Reading.", ["exec_command"]),
        ("agent", "3 rows", []),
    ]
    step = found.steps[2]
    assert step.timestamp == logs.AT.format(3)
    assert tokens(step) == (50, 5, 1)
    assert (step.reasoning_content, step.model_name) == ("Hm.", "m-2")
    told = step.result(step.acts[0])
    assert told
    assert (told.text, told.exit_code) == ("Process exited with code 2\nhi", 2)


def test_codex_exec_shows_what_ran(tmp_path: Path) -> None:
    source = (
        'const files = ["a", "b"];\n'
        "for (const f of files) { text(await tools.exec_command({cmd: `cat ${f}`})); }\n"
        'await tools.apply_patch("*** Begin Patch");\n'
        'if (false) await tools.exec_command({cmd: "rm -rf /"});'
    )
    ran = [
        logs.codex_ran(4, "exec-1", "cat a", "A"),
        logs.codex_ran(5, "exec-2", "cat b", "B", 1),
    ]
    found = made("codex", tmp_path, logs.codex_exec(source, *ran))
    step = found.steps[1]
    wrapper, first, second, patch, skipped = step.tool_calls or ()
    assert (wrapper.function_name, wrapper.is_wrapper) == ("exec", True)
    assert wrapper.arguments == {"input": source}
    assert step.acts == (first, second, patch, skipped)
    assert [call.arguments for call in step.acts] == [
        {"cmd": "cat a"},
        {"cmd": "cat b"},
        {"input": "*** Begin Patch"},
        {"cmd": "rm -rf /"},
    ]
    assert skipped.extra == {"decoded": "source", "literal": True, "seen_to_run": False}
    assert patch.extra == {"decoded": "source", "literal": True}
    results = [step.result(call) for call in step.tool_calls or ()]
    assert [one and (one.text, one.exit_code) for one in results] == [
        ("Script completed\n{}", None),
        ("A", 0),
        ("B", 1),
        None,
        None,
    ]


def test_codex_exec_without_events_is_read_from_the_source(tmp_path: Path) -> None:
    found = made("codex", tmp_path, logs.codex_exec('await tools.exec_command({cmd: "ls"})'))
    step = found.steps[1]
    assert [(call.function_name, call.arguments) for call in step.acts] == [
        ("exec_command", {"cmd": "ls"})
    ]


def test_codex_spawned_threads_hang_below_their_call(tmp_path: Path) -> None:
    spawn = logs.item(
        3, type="function_call", name="spawn_agent", call_id="c1", arguments='{"message": "look"}'
    )
    back = logs.item(4, type="function_call_output", call_id="c1", output='{"agent_id": "th2"}')
    main = logs.write(tmp_path / "rollout-1.jsonl", [logs.codex_meta(), spawn, back])
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "th1", "depth": 1}}}
    child = logs.write(
        tmp_path / "rollout-2.jsonl",
        [logs.codex_meta("th2", source=source), logs.item(1, **logs.said("assistant", "seen"))],
    )
    found = convert("codex", [child, main])
    assert read(dump(found)) == found
    assert found.session_id == "th1"
    assert [one.trajectory_id for one in found.subagent_trajectories or ()] == ["th2"]
    results = found.steps[0].observation
    assert results
    refs = results.results[0].subagent_trajectory_ref or ()
    assert [ref.trajectory_id for ref in refs] == ["th2"]


def test_codex_cut_off_before_the_output_keeps_what_ran(tmp_path: Path) -> None:
    found = made("codex", tmp_path, logs.codex()[:9])
    step = found.steps[-1]
    told = step.result(step.acts[0])
    assert told
    assert (told.text, told.exit_code) == ("hi", 2)


def test_gemini(tmp_path: Path) -> None:
    found = made("gemini-cli", tmp_path, logs.gemini(), Told(version="0.1"))
    assert shape(found) == [
        ("system", "<session_context>", []),
        ("user", "Count it", []),
        ("agent", "Reading.", ["run_shell_command"]),
        ("agent", "3 rows", []),
    ]
    step = found.steps[2]
    assert tokens(step) == (90, 7, 10)
    assert step.reasoning_content == "Plan: read"
    assert step.observation
    assert len(step.observation.results) == 1
    told = step.observation.results[0]
    assert (told.text, told.exit_code, told.failed) == (logs.SHELL, 4, True)
    assert found.agent.version == "0.1"


def test_gemini_reads_the_older_shape(tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"
    messages = [row for row in logs.gemini() if isinstance(row, dict) and "type" in row]
    path.write_text(json.dumps({"sessionId": "s3", "messages": messages}, indent=2))
    found = convert("gemini-cli", [path])
    assert [step.source for step in found.steps] == ["user", "agent", "agent"]
    assert found.session_id == "s3"


def test_opencode(tmp_path: Path) -> None:
    found = made("opencode", tmp_path, logs.opencode(), Told(prompt="Count it", model="p/m-4"))
    assert shape(found) == [
        ("user", "Count it", []),
        ("agent", "m1.", ["bash"]),
        ("agent", "m2.", ["bash"]),
    ]
    step = found.steps[1]
    assert tokens(step) == (77, 7, 5)
    assert step.model_name == "p/m-4"
    told = step.result(step.acts[0])
    assert told
    assert (told.text, told.exit_code, told.failed) == ("x", 1, True)
    assert found.final_metrics
    assert found.final_metrics.total_cost_usd == 1.0


def test_opencode_database(tmp_path: Path) -> None:
    path = logs.opencode_database(tmp_path / ".local/share/opencode/opencode.db")
    assert find_logs("opencode", tmp_path) == [path]
    found = convert("opencode", [path])
    assert read(dump(found)) == found
    assert shape(found) == [("user", "Count it", []), ("agent", "m1.", ["bash"])]
    assert [one.session_id for one in found.subagent_trajectories or ()] == ["s5"]
    assert (found.agent.version, found.agent.model_name) == ("1.2", "p/m-4")


def test_opencode_database_that_is_damaged(tmp_path: Path) -> None:
    path = logs.opencode_database(tmp_path / "opencode.db")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match=r"no step could be read. opencode.db could not be read"):
        convert("opencode", [path])


def test_qwen(tmp_path: Path) -> None:
    found = made("qwen-code", tmp_path, logs.qwen())
    assert shape(found) == [
        ("user", "Count it", []),
        ("agent", "Reading.", ["run_shell_command"]),
        ("agent", "3 rows", []),
    ]
    step = found.steps[1]
    assert tokens(step) == (30, 6, None)
    assert step.reasoning_content == "Hm."
    told = step.result(step.acts[0])
    assert told
    assert (told.exit_code, told.failed) == (1, True)


def test_broken_lines_are_counted_and_the_rest_is_kept(tmp_path: Path) -> None:
    rows = logs.claude()
    whole = made("claude-code", tmp_path, rows)
    broken = [*rows[:3], '{"type": "assist', "\x00\xff", "[" * 5000, "17", *rows[3:]]
    found = made("claude-code", tmp_path, broken)
    assert found.steps == whole.steps
    assert found.extra == {"unread_lines": 4}
    assert found.notes == "4 lines of log.jsonl could not be read (first: 4)."


def test_two_objects_on_a_line_are_both_read(tmp_path: Path) -> None:
    rows = [json.dumps(row) for row in logs.claude()]
    joined = made("claude-code", tmp_path, ["".join(rows)])
    assert joined.steps == made("claude-code", tmp_path, logs.claude()).steps


def test_a_result_without_its_call_is_kept(tmp_path: Path) -> None:
    found = made("claude-code", tmp_path, [logs.claude_user(1, [logs.result("gone", "kept")])])
    step = found.steps[0]
    assert step.source == "system"
    assert step.observation
    assert step.observation.results[0].text == "kept"
    assert step.observation.results[0].extra == {"call_id": "gone"}


def test_call_ids_stay_apart(tmp_path: Path) -> None:
    twice = [
        logs.claude_turn(1, "m1", logs.tool("A", "t1")),
        logs.claude_user(2, [logs.result("t1", "first")]),
        logs.claude_turn(3, "m2", logs.tool("B", "t1")),
        logs.claude_user(4, [logs.result("t1", "second")]),
    ]
    found = made("claude-code", tmp_path, list(twice))
    told = [(call.function_name, step.result(call)) for step in found.steps for call in step.acts]
    assert [(name, one and one.text) for name, one in told] == [("A", "first"), ("B", "second")]


def test_half_surrogates_and_odd_numbers_can_be_written(tmp_path: Path) -> None:
    line = json.dumps(logs.claude_turn(1, "m1", logs.tool("A", "t1", n=1))).replace(
        '"n": 1', '"n": NaN, "m": 1e999, "s": "\\ud83d x \\ud83d\\ude00"'
    )
    found = made("claude-code", tmp_path, [line])
    assert found.steps[0].acts[0].arguments == {"n": "NaN", "m": "1e999", "s": "\ufffd x 😀"}


@pytest.mark.parametrize("harness", sorted(ALL))
def test_no_damage_raises_more_than_a_user_error(harness: str, tmp_path: Path) -> None:
    """Wrong types at every place, and a cut at every 211th byte."""
    chance = random.Random(harness)
    rows = ALL[harness]()
    strange: list[object] = [None, 0, -1, True, 1.5, 10**30, "", "x", [], [[]], {}, {"type": 1}]
    for _ in range(60):
        damaged = json.loads(json.dumps(rows))
        for _ in range(chance.randint(1, 6)):
            spoil(damaged, chance, strange)
        attempt(harness, tmp_path, damaged)
    data = "\n".join(json.dumps(row) for row in rows)
    for end in range(0, len(data), 211):
        attempt(harness, tmp_path, [data[:end]])


def attempt(harness: str, tmp_path: Path, rows: list[object]) -> None:
    with contextlib.suppress(UserError):
        made(harness, tmp_path, rows, Told(session="s1"))


def spoil(value: object, chance: random.Random, strange: list[object]) -> None:
    """Put something strange at a random place."""
    while isinstance(value, dict | list) and value:
        key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if not isinstance(value[key], dict | list) or chance.random() < 0.2:
            value[key] = chance.choice(strange)
            return
        value = value[key]


def test_logs_are_found_without_following_links(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    own = logs.write(home / ".claude/projects/-w/s1.jsonl", logs.claude())
    inner = logs.write(home / ".claude/projects/-w/s1/subagents/agent-a.jsonl", [])
    secret = logs.write(outside / "s2.jsonl", logs.claude())
    (home / ".claude/projects/link").symlink_to(outside, target_is_directory=True)
    (home / ".claude/projects/-w/s3.jsonl").symlink_to(secret)
    assert find_logs("claude-code", home) == sorted([own, inner])
    with pytest.raises(UserError, match="no step could be read"):
        convert("claude-code", [home / ".claude/projects/-w/s3.jsonl"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_in_a_log_s_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    with pytest.raises(UserError, match="no step could be read"):
        convert("codex", [tmp_path / "log.jsonl"])


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match="The log of codex can't be converted: there is no log"):
        convert("codex", [])
    with pytest.raises(UserError, match="no converter for the logs of “vim”"):
        convert("vim", [])
