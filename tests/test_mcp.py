"""The server for agents: every line gets its answer, and the tools say what the commands say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge import mcp
from skillgauge.mcp_tools import TOOLS

BAD = "---\nname: cut\ndescription: Cuts files: all of them.\n---\n\n# Cut\n\nGo.\n"


def ask(method: str, **params: Any) -> Any:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    answer = mcp.answer_to(json.dumps(message).encode())
    assert isinstance(answer, dict)
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer.get("result", answer.get("error"))


def call(name: str, **arguments: Any) -> str:
    result = ask("tools/call", name=name, arguments=arguments)
    assert result["isError"] is False, result
    (content,) = result["content"]
    assert content["type"] == "text"
    return content["text"]


def refused(name: str, **arguments: Any) -> str:
    result = ask("tools/call", name=name, arguments=arguments)
    assert result["isError"] is True
    return result["content"][0]["text"]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "SKILL.md").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", mcp.VERSIONS[0])],
)
def test_initialize(asked: str, spoken: str) -> None:
    result = ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "x"})
    assert result["protocolVersion"] == spoken
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "skillgauge"


def test_every_tool_is_described() -> None:
    listed = ask("tools/list")["tools"]
    assert [tool["name"] for tool in listed] == ["check", "fix", "explain", "preview"]
    for tool in listed:
        assert tool["annotations"]["readOnlyHint"] is True
        assert set(tool["inputSchema"]["required"]) <= set(tool["inputSchema"]["properties"])


def test_check_is_the_json_report(repo: Path) -> None:
    (file,) = json.loads(call("check", path="cut"))["files"]
    assert file["path"] == "cut/SKILL.md"
    (found,) = (item for item in file["findings"] if item["code"] == "F011")
    assert found["range"]["start"] == {"line": 3, "column": 24}
    mended = BAD.replace("files: all", "files, all")
    (file,) = json.loads(call("check", path="cut/SKILL.md", text=mended))["files"]
    assert "F011" not in {item["code"] for item in file["findings"]}


def test_fix_shows_and_writes_nothing(repo: Path) -> None:
    (file,) = json.loads(call("fix"))["files"]
    assert [item["code"] for item in file["applied"]] == ["F011"]
    assert '-description: Cuts files: all of them.\n+description: "Cuts files' in file["diff"]
    assert "text" not in file
    assert (repo / "cut" / "SKILL.md").read_text() == BAD
    (file,) = json.loads(call("fix", path="cut", text=BAD))["files"]
    assert file["text"] == BAD.replace(": Cuts files: all of them.", ': "Cuts files: all of them."')


def test_explain_and_preview(repo: Path) -> None:
    assert call("explain", rule="f011").startswith("# yaml-unquoted-colon (F011)\n")
    text = call("preview", path="cut", text="---\nname: cut\n---\nCut $0.\n", arguments="a.txt")
    assert text.startswith("# What Claude Code shows its model of “cut”\n")
    assert text.endswith("\nCut a.txt.\n")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("check", {"path": "gone"}, "“gone” does not exist. Name a skill's folder or a SKILL.md"),
        ("check", {"pth": "cut"}, "`check` has no argument “pth”. Did you mean “path”?"),
        ("check", {"path": 3}, "“path” is a string"),
        ("fix", {"unsafe": "yes"}, "“unsafe” is a boolean"),
        ("explain", {}, "`explain` needs “rule”"),
        ("explain", {"rule": "F99"}, "No rule is called “F99”. Did you mean “F091”?"),
        ("preview", {"client": "codx"}, "No client is called “codx”. Did you mean “codex”?"),
    ],
)
def test_what_the_model_can_mend_is_a_result(
    repo: Path, name: str, arguments: dict[str, Any], message: str
) -> None:
    assert refused(name, **arguments) == message


def test_a_bug_in_a_tool_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> str:
        raise RuntimeError("boom")

    monkeypatch.setattr(type(TOOLS["check"]), "call", fail)
    assert refused("check") == "A fault of skillgauge itself: RuntimeError: boom"


def test_what_is_no_request() -> None:
    assert mcp.answer_to(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') is None
    assert mcp.answer_to(b'{"jsonrpc": "2.0", "id": 1, "result": {}}') is None
    parse: Any = mcp.answer_to(b"{")
    assert parse["error"]["code"] == -32700
    assert ask("nope")["code"] == -32601
    assert ask("tools/call", name="nope")["code"] == -32602
    both: Any = mcp.answer_to(
        b'[{"id": 1, "method": "ping"}, {"method": "x"}, {"id": 2, "method": "ping"}]'
    )
    assert [item["id"] for item in both] == [1, 2]


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_line_is_survived(line: bytes) -> None:
    answer = mcp.answer_to(line)
    assert answer is None or json.dumps(answer)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(values, values, values)
def test_any_request_gets_one_answer(method: Any, params: Any, arguments: Any) -> None:
    for name in (method, "initialize", "tools/call"):
        given = {"name": "explain", "arguments": arguments} if name == "tools/call" else params
        message = {"jsonrpc": "2.0", "id": 3, "method": name, "params": given}
        answer: Any = mcp.answer_to(json.dumps(message).encode())
        if name is not None:
            assert answer["id"] == 3
            assert ("result" in answer) != ("error" in answer)


def test_a_message_that_is_too_long_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "MAX_MESSAGE", 50)
    ping = b'{"id": 1, "method": "ping"}\n'
    sink = io.BytesIO()
    mcp.serve(io.BytesIO(ping + b"x" * 99 + b"\n" + ping), sink)
    assert sink.getvalue().count(b"\n") == 1


def test_a_whole_session(repo: Path) -> None:
    """Through the command: answers and nothing else on standard output, and an end."""
    lines = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\n\n'
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "check"}}\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "skillgauge", "mcp"], input=lines, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
