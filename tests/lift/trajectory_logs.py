"""Small logs in the shapes of the real ones, written for these tests."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

SHELL = (
    "Output: Exit Code: 9\nExit Code: 9 \nExit Code: 4\nProcess Group PGID: 2\n</untrusted_context>"
)
MILLIS = 1767323045000
AT = "2026-01-02T03:04:{:02}.000Z"


def write(path: Path, rows: list[object]) -> Path:
    """Write JSON lines; texts go in as they are, for broken lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def claude_turn(second: int, name: str, *content: object, **more: object) -> dict:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3}
    message = {"id": name, "role": "assistant", "model": "m-1", "content": list(content)}
    message["usage"] = usage | {"output_tokens": second}
    return {
        "type": "assistant",
        "uuid": f"u{second}",
        "timestamp": AT.format(second),
        "sessionId": "s1",
        "version": "2.0",
        "cwd": "/w",
        "message": message,
    } | more


def claude_user(second: int, content: object, **more: object) -> dict:
    return {
        "type": "user",
        "uuid": f"u{second}",
        "timestamp": AT.format(second),
        "sessionId": "s1",
        "message": {"role": "user", "content": content},
    } | more


def text(said: str) -> dict:
    return {"type": "text", "text": said}


def tool(name: str, call: str, **given: object) -> dict:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def result(call: str, content: object, **more: object) -> dict:
    return {"type": "tool_result", "tool_use_id": call, "content": content} | more


def claude() -> list[object]:
    return [
        {"type": "queue-operation", "sessionId": "s1"},
        claude_user(1, "Count it"),
        claude_turn(2, "msg1", {"type": "thinking", "thinking": "Hm."}, text("With the skill.")),
        claude_turn(3, "msg1", tool("Skill", "t1", skill="count")),
        claude_user(5, [result("t1", "Launching")], toolUseResult={"success": True}),
        claude_user(4, [text("Base directory: /w\n")], isMeta=True),
        claude_turn(6, "msg2", tool("Bash", "t2", command="false")),
        claude_user(7, [result("t2", "Exit code 3\nno", is_error=True)]),
        claude_turn(8, "msg3", text("3 rows")),
        {"type": "cost-state", "sessionId": "s1", "totalCostUSD": 0.25},
    ]


def item(second: int, **payload: object) -> dict:
    return {"timestamp": AT.format(second), "type": "response_item", "payload": payload}


def event(second: int, **payload: object) -> dict:
    return {"timestamp": AT.format(second), "type": "event_msg", "payload": payload}


def said(role: str, *texts: str) -> dict:
    return {
        "type": "message",
        "role": role,
        "content": [{"type": "input_text", "text": one} for one in texts],
    }


def codex_meta(name: str = "th1", **more: object) -> dict:
    payload = {"id": name, "cli_version": "0.9", "cwd": "/w", "timestamp": AT.format(0)} | more
    return {"timestamp": AT.format(0), "type": "session_meta", "payload": payload}


def codex_usage(second: int, prompt: int, done: int) -> dict:
    usage = {"input_tokens": prompt, "output_tokens": done, "cached_input_tokens": 1}
    return event(second, type="token_count", info={"last_token_usage": usage})


def codex_ran(second: int, name: str, line: str, output: str, code: int = 0) -> dict:
    ran = {
        "type": "CommandExecution",
        "id": name,
        "command": ["/bin/bash", "-lc", line],
        "aggregated_output": output,
        "exit_code": code,
    }
    return event(second, type="item_completed", item=ran)


def codex() -> list[object]:
    call = json.dumps({"cmd": "cat x"})
    return [
        codex_meta(),
        {"type": "turn_context", "payload": {"model": "m-2", "turn_id": "turn1"}},
        item(1, **said("developer", "<a>", "<b>")),
        item(2, **said("user", "Count it")),
        event(2, type="item_completed", item={"type": "UserMessage", "id": "u"}),
        item(3, type="reasoning", summary=[{"type": "summary_text", "text": "Hm."}]),
        item(4, **said("assistant", "Reading.")),
        item(5, type="function_call", name="exec_command", call_id="c1", arguments=call),
        codex_ran(6, "c1", "cat x", "hi", 2),
        item(7, type="function_call_output", call_id="c1", output="Process exited with code 2\nhi"),
        codex_usage(8, 50, 5),
        item(9, **said("assistant", "3 rows")),
        codex_usage(10, 60, 6),
    ]


def codex_exec(source: str, *events: object) -> list[object]:
    output = [{"type": "input_text", "text": "Script completed"}, {"text": "{}"}]
    return [
        codex_meta(),
        {"type": "turn_context", "payload": {"model": "m-2"}},
        item(2, **said("user", "Count it")),
        item(3, type="custom_tool_call", name="exec", call_id="c1", input=source),
        *events,
        item(7, type="custom_tool_call_output", call_id="c1", output=output),
        codex_usage(8, 50, 5),
    ]


def gemini() -> list[object]:
    turn = {
        "id": "g1",
        "type": "gemini",
        "timestamp": AT.format(2),
        "content": "Reading.",
        "model": "m-3",
        "thoughts": [{"subject": "Plan", "description": "read"}],
        "tokens": {"input": 90, "output": 4, "thoughts": 2, "tool": 1, "cached": 10},
    }
    back = {
        "functionResponse": {
            "id": "c1",
            "name": "read_file",
            "response": {"output": SHELL},
        }
    }
    call = {"id": "c1", "name": "run_shell_command", "args": {"p": "x"}, "status": "error"}
    context = {"id": "x", "type": "user", "content": [{"text": "<session_context>"}]}
    return [
        {"sessionId": "s3", "startTime": AT.format(0), "kind": "main"},
        {"$set": {"messages": [context], "lastUpdated": AT.format(0)}},
        {"id": "p", "type": "user", "timestamp": AT.format(1), "content": [{"text": "Count it"}]},
        turn,
        turn | {"toolCalls": [call | {"result": [back]}]},
        {"id": "r", "type": "user", "timestamp": AT.format(3), "content": [back]},
        {"id": "g2", "type": "gemini", "timestamp": AT.format(4), "content": "3 rows"},
    ]


def opencode_parts(turn: str) -> list[dict]:
    state = {
        "status": "completed",
        "input": {"command": "ls"},
        "output": "x",
        "metadata": {"exit": 1},
    }
    tokens = {"input": 70, "output": 7, "reasoning": 3, "cache": {"read": 5, "write": 2}}
    return [
        {"type": "step-start"},
        {"type": "text", "text": f"{turn}."},
        {"type": "tool", "tool": "bash", "callID": f"c-{turn}", "state": state},
        {"type": "step-finish", "reason": "stop", "tokens": tokens, "cost": 0.5},
    ]


def opencode() -> list[object]:
    kinds = ("step_start", "text", "tool_use", "step_finish")
    return [
        {
            "type": kind,
            "timestamp": 1767323045000,
            "sessionID": "s4",
            "part": part | {"messageID": m},
        }
        for m in ("m1", "m2")
        for kind, part in zip(kinds, opencode_parts(m), strict=True)
    ]


def opencode_database(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            "CREATE TABLE session (id, parent_id, version, time_created);"
            "CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, time_created, data);"
            "INSERT INTO session VALUES ('s4', NULL, '1.2', 1), ('s5', 's4', '1.2', 2);"
        )
        asked = [{"type": "text", "text": "Count it"}]
        model = {"role": "assistant", "providerID": "p", "modelID": "m-4"}
        for number, (name, session, data, parts) in enumerate(
            (
                ("m0", "s4", {"role": "user"}, asked),
                ("m1", "s4", model, opencode_parts("m1")),
                ("m2", "s5", model, opencode_parts("m2")),
            )
        ):
            row = (name, session, number, json.dumps(data))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            for index, part in enumerate(parts):
                row = (f"{name}-{index}", name, MILLIS, json.dumps(part))
                database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    return path


def qwen() -> list[object]:
    def row(second: int, kind: str, *parts: object, **more: object) -> dict:
        common = {"type": kind, "sessionId": "s6", "version": "0.2", "timestamp": AT.format(second)}
        return common | {"message": {"parts": list(parts)}} | more

    usage = {"promptTokenCount": 30, "candidatesTokenCount": 4, "thoughtsTokenCount": 2}
    call = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}}}
    back = {"functionResponse": {"id": "c1", "response": {"output": "Exit Code: 1"}}}
    outcome = {"status": "error", "resultDisplay": {"exitCode": 1}}
    return [
        row(1, "user", {"text": "Count it"}),
        row(
            2,
            "assistant",
            {"text": "Hm.", "thought": True},
            {"text": "Reading."},
            call,
            model="m-5",
            usageMetadata=usage | {"totalTokenCount": 36},
        ),
        row(3, "tool_result", back, toolCallResult=outcome),
        row(4, "assistant", {"text": "3 rows"}, model="m-5"),
    ]
