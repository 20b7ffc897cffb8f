"""The scripted model server, asked by the vendors' own clients and by the harnesses' shapes."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.lift.model_server import Case, Fault, ModelServer, Script, Turn, load
from tests.lift.model_server.tools import concrete

SCRIPT = Script(
    cases=(
        Case(
            "Count",
            "counter",
            (
                Turn(
                    "With the skill.",
                    (("skill", {"name": "counter", "path": "/s/SKILL.md"}),),
                    (500, 20, 0),
                ),
                Turn("", (("shell", {"command": "wc -l data.csv"}),)),
                Turn("There are 3 rows, and 2 of them are “odd”.", tokens=(900, 12, 300)),
            ),
            (Turn("I guess 7."),),
        ),
    ),
)
LISTED = "Skills:\n- counter: Counts rows (file: r0/counter/SKILL.md)\n"


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": "", "input_schema": {"type": "object"}}


def function(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


async def post(server: ModelServer, path: str, body: object) -> Any:
    async with (
        aiohttp.ClientSession() as session,
        session.post(server.url + path, json=body) as answer,
    ):
        return await answer.json()


async def test_anthropic_streams_the_turns_that_its_client_understands() -> None:
    tools: Any = [tool("Skill"), tool("Bash")]
    messages: list[Any] = [{"role": "user", "content": LISTED + "Count the rows"}]
    said: list[Any] = []
    async with (
        ModelServer(SCRIPT) as server,
        AsyncAnthropic(base_url=server.url, api_key="k", max_retries=0) as client,
    ):
        for _ in range(3):
            async with client.messages.stream(
                model="m", max_tokens=99, messages=messages, tools=tools
            ) as stream:
                final = await stream.get_final_message()
            said.append(final)
            calls = [block for block in final.content if block.type == "tool_use"]
            messages.append({"role": "assistant", "content": final.content})
            results = [{"type": "tool_result", "tool_use_id": c.id, "content": "3"} for c in calls]
            messages.append({"role": "user", "content": results or "Thanks"})
    assert [block.type for block in said[0].content] == ["text", "tool_use"]
    assert (said[0].content[1].name, said[0].content[1].input) == ("Skill", {"skill": "counter"})
    assert said[1].content[0].input["command"] == "wc -l data.csv"
    assert said[2].content[0].text == "There are 3 rows, and 2 of them are “odd”."
    usage = said[2].usage
    assert (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens) == (
        600,
        300,
        12,
    )
    assert [one.dialect for one in server.asked] == ["anthropic"] * 3


async def test_chat_streams_and_does_not() -> None:
    tools: Any = [function("bash")]
    messages: Any = [{"role": "user", "content": LISTED + "Count the rows"}]
    async with (
        ModelServer(SCRIPT) as server,
        AsyncOpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0) as client,
    ):
        whole = await client.chat.completions.create(model="m", messages=messages, tools=tools)
        text, arguments, usage = "", "", None
        async for chunk in await client.chat.completions.create(
            model="m",
            messages=messages,
            tools=tools,
            stream=True,
            stream_options={"include_usage": True},
        ):
            usage = chunk.usage or usage
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for call in choice.delta.tool_calls or ():
                    arguments += call.function.arguments or "" if call.function else ""
    call: Any = whole.choices[0].message.tool_calls
    assert text == whole.choices[0].message.content == "With the skill."
    assert json.loads(arguments) == json.loads(call[0].function.arguments)
    assert json.loads(arguments)["command"] == "cat /s/SKILL.md"  # no tool for skills is listed
    assert usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (500, 20)


async def test_responses_in_both_shapes() -> None:
    user: Any = {"role": "user", "content": LISTED + "Count the rows"}
    inner = {"type": "custom", "name": "exec"}
    space = {"type": "namespace", "name": "functions", "tools": [inner]}
    extra: Any = {"type": "additional_tools", "role": "developer", "tools": [space]}
    plain: Any = {"type": "function", "name": "exec_command", "parameters": {}, "strict": False}
    async with (
        ModelServer(SCRIPT) as server,
        AsyncOpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0) as client,
    ):
        async with client.responses.stream(model="m", input=[user], tools=[plain]) as stream:
            told = [event.type async for event in stream]
            final: Any = await stream.get_final_response()
        code: Any = await client.responses.create(model="m", input=[extra, user])
    assert final.output[0].content[0].text == "With the skill."
    assert json.loads(final.output[1].arguments) == {"cmd": "cat /s/SKILL.md"}
    assert told[0] == "response.created"
    assert told[-1] == "response.completed"
    assert code.output[1].type == "custom_tool_call"
    assert "tools.exec_command" in code.output[1].input


async def test_gemini() -> None:
    tools = [{"functionDeclarations": [{"name": "activate_skill"}, {"name": "run_shell_command"}]}]
    system = {"parts": [{"text": "<skill><name>counter</name></skill>"}]}
    user = {"role": "user", "parts": [{"text": "Count the rows"}]}
    body = {"contents": [user], "systemInstruction": system, "tools": tools}
    async with ModelServer(SCRIPT) as server:
        first = await post(server, "/v1beta/models/g:generateContent", body)
        body["contents"] += [first["candidates"][0]["content"]]
        second = await post(server, "/v1beta/models/g:generateContent", body)
    parts = first["candidates"][0]["content"]["parts"]
    assert parts[1] == {"functionCall": {"name": "activate_skill", "args": {"name": "counter"}}}
    assert second["candidates"][0]["content"]["parts"][0]["functionCall"]["args"] == {
        "command": "wc -l data.csv",
        "description": "as scripted",
        "is_background": False,
    }


async def test_without_the_skill_it_answers_otherwise() -> None:
    body = {
        "messages": [{"role": "user", "content": "Count the rows with counter"}],
        "tools": [function("bash")],
    }
    async with ModelServer(SCRIPT) as server:
        said = await post(server, "/v1/chat/completions", body)
        del body["tools"]
        aside = await post(server, "/v1/chat/completions", body)
    assert said["choices"][0]["message"]["content"] == "I guess 7."
    assert aside["choices"][0]["message"]["content"] == "A title"


async def test_faults_come_when_they_are_due() -> None:
    faults = (Fault(1, status=529, headers={"retry-after": "1"}), Fault(2, cut=2))
    body = {"messages": [], "tools": [function("bash")]}
    async with ModelServer(Script(faults=faults)) as server, aiohttp.ClientSession() as session:
        url = f"{server.url}/v1/chat/completions"
        async with session.post(url, json=body) as answer:
            assert (answer.status, answer.headers["retry-after"]) == (529, "1")
        with pytest.raises(aiohttp.ClientPayloadError):
            async with session.post(url, json=body) as answer:
                await answer.read()
        async with session.post(url, json=body) as answer:
            assert answer.status == 200


async def test_a_judge_answers_by_tool_by_schema_and_with_nonsense() -> None:
    def judge(text: str) -> object:
        return "nonsense" if "bad" in text else {"verdicts": [text.count("claim")]}

    ask: dict[str, Any] = {"messages": [{"role": "user", "content": "claim claim"}]}
    form = {"type": "json_schema", "json_schema": {"name": "v", "schema": {"type": "object"}}}
    async with ModelServer(Script(judge=judge)) as server:
        path = "/v1/chat/completions"
        called = await post(server, path, ask | {"tools": [function("final_result")]})
        written = await post(server, path, ask | {"response_format": form})
        ask["messages"][0]["content"] = "bad"
        bad = await post(server, path, ask | {"response_format": form})
    call = called["choices"][0]["message"]["tool_calls"][0]["function"]
    assert call == {"name": "final_result", "arguments": '{"verdicts": [2]}'}
    assert written["choices"][0]["message"]["content"] == '{"verdicts": [2]}'
    assert bad["choices"][0]["message"]["content"] == "nonsense"


def test_each_harness_gets_its_own_tool() -> None:
    write = {"path": "/w/a b.txt", "content": "it's"}
    assert concrete("write", write, ["Write"]) == (
        "Write",
        {"file_path": "/w/a b.txt", "content": "it's"},
    )
    name, arguments = concrete("write", write, ["exec_command"])
    assert name == "exec_command"
    assert arguments == {"cmd": "printf %s 'it'\"'\"'s' > '/w/a b.txt'"}
    skill = {"name": "counter", "path": "/s"}
    assert concrete("skill", skill, ["skill", "bash"])[1] == {"name": "counter"}
    assert concrete("skill", skill, ["skill", "run_shell_command"])[1] == {"skill": "counter"}
    assert concrete("mcp__x__y", {"a": 1}, ["bash"]) == ("mcp__x__y", {"a": 1})


async def test_it_runs_as_a_process(tmp_path: Path) -> None:
    turns = [{"text": "Hi", "calls": [["shell", {"command": "ls"}]], "tokens": [5, 2, 1]}]
    body = {"cases": [{"when": "Say", "with": turns}], "judge": [{"when": "?", "reply": {"a": 1}}]}
    body |= {"faults": [{"nth": "all", "when": "down", "status": 500}], "pace": 0.01}
    script = tmp_path / "script.json"
    script.write_text(json.dumps(body), encoding="utf-8")
    loaded = load(script)
    assert loaded.cases[0].with_skill[0].tokens == (5, 2, 1)
    assert loaded.judge
    assert loaded.judge("so?") == {"a": 1}
    assert loaded.fault("it is down", 3)
    command = (sys.executable, "-m", "tests.lift.model_server", "--script", str(script))
    log = tmp_path / "log.jsonl"
    process = await asyncio.create_subprocess_exec(
        *command,
        "--log",
        str(log),
        "--key",
        "right",
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdout
        url = (await process.stdout.readline()).decode().strip()
        ask = {"messages": [{"role": "user", "content": "Say"}], "tools": [function("bash")]}
        async with aiohttp.ClientSession() as session:
            async with session.post(f"{url}/v1/chat/completions", json=ask) as answer:
                assert answer.status == 401
            headers = {"authorization": "Bearer right"}
            async with session.post(
                f"{url}/v1/chat/completions", json=ask, headers=headers
            ) as answer:
                said = await answer.json()
    finally:
        process.terminate()
        await process.wait()
    assert said["choices"][0]["message"]["content"] == "Hi"
    assert "right" not in log.read_text(encoding="utf-8")
    assert [json.loads(line)["status"] for line in log.read_text().splitlines()] == [401, 200]
