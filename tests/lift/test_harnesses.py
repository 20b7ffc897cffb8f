"""The agents' command lines: what each is given, and what of its output is a fault of the runner.

No agent is run here; the outputs are in the shapes that these versions print.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, get_args

import pytest

from skillgauge.clients import by_id
from skillgauge.errors import UserError
from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Harness, Setup, harness, names
from skillgauge.lift.prices import is_priced
from skillgauge.lift.trajectory import harnesses

PROMPT = "-x \"Count\"  'all' $HOME `id` \\ <b>\n\n\tend ü "
ALL = tuple(names())
AGENTS = tuple(name for name in ALL if harness(name).PACKAGE)


def setup(kit: Harness, prompt: str = PROMPT) -> Setup:
    return Setup(prompt, kit.MODEL, "true")


def ended(*events: Any, code: int = 1, stderr: str = "") -> Ended:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in events]
    return Ended(code, "exit", 1.0, "\n".join(lines).encode(), stderr.encode())


def test_which_there_are() -> None:
    assert ALL == ("claude-code", "codex", "gemini-cli", "opencode", "qwen-code", "script")
    assert harnesses() == ALL  # each has a converter
    with pytest.raises(UserError, match="no harness “codx”"):
        harness("codx")


@pytest.mark.parametrize("name", AGENTS)
def test_versions_are_pinned_and_prices_known(name: str) -> None:
    kit = harness(name)
    assert kit.PACKAGE
    assert re.fullmatch(r"\d+\.\d+\.\d+", kit.PACKAGE.version)
    assert kit.DIALECT in get_args(Dialect)
    assert is_priced(kit.MODEL)


@pytest.mark.parametrize("name", ALL)
def test_prompt_arrives_as_it_is(name: str) -> None:
    """As an argument of its own, behind an equals sign or in a file, never as a part of a line."""
    kit = harness(name)
    given = [
        *kit.command(setup(kit)),
        *kit.files(setup(kit)).values(),
        *kit.environment(setup(kit)).values(),
    ]
    assert [one for one in given if one in (PROMPT, f"--prompt={PROMPT}")]
    assert not any("Count" in one and PROMPT not in one for one in given)


@pytest.mark.parametrize("name", AGENTS)
def test_prompt_that_looks_like_an_option(name: str) -> None:
    command = harness(name).command(Setup("--version", "m"))
    if "--version" in command:
        assert command[command.index("--version") - 1] == "--"


@pytest.mark.parametrize("name", ALL)
def test_no_key_but_ours_and_one_way_out(name: str) -> None:
    kit = harness(name)
    environment = kit.environment(setup(kit))
    text = json.dumps([kit.files(setup(kit)), environment])
    assert {value for key, value in environment.items() if key.endswith("_KEY")} <= {KEY}
    assert set(re.findall(r"https?://[^/\"\\]+", text)) <= {BASE_URL, "https://opencode.ai"}
    assert BASE_URL in text
    assert KEY in text


@pytest.mark.parametrize("name", AGENTS)
def test_model_is_named_and_may_hold_anything(name: str) -> None:
    kit = harness(name)
    model = 'org/"m" 1\\2é'
    wanted = Setup("p", model)
    for path, text in kit.files(wanted).items():
        if path.endswith(".toml"):
            assert tomllib.loads(text)["model"] == model
        elif path.endswith(".json"):
            json.loads(text)
    text = json.dumps(
        [*kit.files(wanted).values(), kit.environment(wanted), kit.command(wanted)],
        ensure_ascii=False,
    ).replace("\\", "")
    assert 'org/"m" 1' in text


@pytest.mark.parametrize("name", ALL)
def test_skills_lie_where_it_looks(name: str) -> None:
    kit = harness(name)
    assert kit.SKILLS in kit.PLACES
    client = by_id(name)
    if client is None:
        assert name in ("qwen-code", "script")
        return
    told = [place.path.removeprefix("~/") for place in client.places]
    assert {path for path in told if path[0] not in "</"} <= set(kit.PLACES)


def test_claude_code_is_given() -> None:
    kit = harness("claude-code")
    environment = kit.environment(setup(kit))
    assert environment["CLAUDE_CODE_MAX_RETRIES"] == "2"
    for switch in ("BUNDLED_SKILLS", "NONESSENTIAL_TRAFFIC", "AUTO_MEMORY"):
        assert environment[f"CLAUDE_CODE_DISABLE_{switch}"] == "1"
    for switch in ("TELEMETRY", "AUTOUPDATER", "ERROR_REPORTING"):
        assert environment[f"DISABLE_{switch}"] == "1"
    models = [value for key, value in environment.items() if key.endswith("_MODEL")]
    assert models == [kit.MODEL] * 2
    settings = json.loads(kit.files(setup(kit))[".claude/settings.json"])
    assert settings == {"skillOverrides": {"plugin-authoring": "off"}}


def test_codex_is_given() -> None:
    kit = harness("codex")
    config = tomllib.loads(kit.files(setup(kit))[".codex/config.toml"])
    provider = config["model_providers"][config["model_provider"]]
    assert provider["base_url"] == f"{BASE_URL}/v1"
    assert provider["wire_api"] == "responses"
    assert kit.environment(setup(kit)) == {provider["env_key"]: KEY}
    assert (provider["request_max_retries"], provider["stream_max_retries"]) == (2, 2)
    assert config["skills"]["bundled"]["enabled"] is False
    assert config["analytics"]["enabled"] is False
    assert config["otel"]["exporter"] == "none"
    assert config["check_for_update_on_startup"] is False


def test_gemini_cli_is_given() -> None:
    kit = harness("gemini-cli")
    settings = json.loads(kit.files(setup(kit))[".gemini/settings.json"])
    assert settings["security"]["auth"]["selectedType"] == "gemini-api-key"
    assert settings["skills"]["disabled"] == ["antigravity-support", "skill-creator"]
    assert settings["general"]["maxAttempts"] == 3
    assert settings["general"]["enableAutoUpdate"] is False
    assert settings["telemetry"]["enabled"] is False
    assert settings["privacy"]["usageStatisticsEnabled"] is False
    assert kit.environment(setup(kit))["GEMINI_CLI_TRUST_WORKSPACE"] == "true"


def test_opencode_is_given() -> None:
    kit = harness("opencode")
    files = kit.files(setup(kit))
    config = json.loads(files[".config/opencode/opencode.json"])
    assert config["model"] == config["small_model"] == f"skillgauge/{kit.MODEL}"
    assert config["enabled_providers"] == list(config["provider"]) == ["skillgauge"]
    assert config["permission"]["skill"] == {"*": "allow", "customize-opencode": "deny"}
    assert (config["autoupdate"], config["share"]) == (False, "disabled")
    assert set(kit.environment(setup(kit)).values()) == {"1"}
    assert '<"$HOME/.skillgauge/prompt.txt"' in kit.command(setup(kit))[2]
    assert files[".skillgauge/prompt.txt"] == PROMPT


def test_qwen_code_is_given() -> None:
    kit = harness("qwen-code")
    settings = json.loads(kit.files(setup(kit))[".qwen/settings.json"])
    assert settings["security"]["auth"]["selectedType"] == "openai"
    assert settings["skills"]["disabledLevels"] == ["bundled"]
    assert settings["model"]["generationConfig"]["maxRetries"] == 0
    assert settings["privacy"]["usageStatisticsEnabled"] is False
    assert settings["telemetry"]["enabled"] is False
    assert not any(settings["memory"].values())
    assert kit.environment(setup(kit))["OPENAI_MODEL"] == kit.MODEL


CLAUDE_DONE = {"type": "result", "subtype": "success", "is_error": False, "result": "7 rows"}
CLAUDE_FAILED = CLAUDE_DONE | {
    "is_error": True,
    "api_error_status": 500,
    "result": "API Error: 500",
}
CLAUDE_BROKEN = {
    "type": "result",
    "subtype": "error_during_execution",
    "is_error": True,
    "errors": ["boom"],
}
CODEX_FAILED = {"type": "turn.failed", "error": {"message": "status 401"}}
QWEN_DONE = {"type": "result", "subtype": "success", "is_error": False, "result": "7 rows"}
QWEN_FAILED = {
    "type": "result",
    "subtype": "error_during_execution",
    "is_error": True,
    "error": {"message": "[API Error: 401 no such key]"},
}
GEMINI_BODY = json.dumps({"error": {"type": "overloaded_error", "message": "come back later"}})
GEMINI_FAILED = {
    "type": "result",
    "status": "error",
    "error": {"type": "unknown", "message": f"[API Error: {GEMINI_BODY}]"},
}
OPENCODE_ERROR = {"name": "APIError", "data": {"message": "no such key", "statusCode": 401}}
OPENCODE_STEP = {"type": "step_finish", "part": {"reason": "tool-calls"}}
RETRY = {"type": "error", "message": "Reconnecting... 1/2 (unexpected status 529)"}
TALK = {"type": "assistant", "message": {"content": [{"text": '{"type": "result"}'}]}}

FAULTS: list[tuple[str, Ended, str]] = [
    ("claude-code", ended(TALK, CLAUDE_FAILED), "API Error: 500"),
    ("claude-code", ended(CLAUDE_DONE | {"is_error": True, "result": ""}), "success"),
    ("claude-code", ended(CLAUDE_BROKEN), "boom"),
    ("codex", ended(RETRY, CODEX_FAILED), "status 401"),
    ("codex", ended({"type": "turn.failed", "error": {"message": GEMINI_BODY}}), "come back later"),
    ("codex", ended({"type": "error", "message": "no config"}), "ended with status 1: no config"),
    ("gemini-cli", ended(GEMINI_FAILED, code=244), "[API Error: come back later]"),
    ("gemini-cli", ended(code=41, stderr="Invalid auth method selected.\n"),
        "ended with status 41: Invalid auth method selected."),
    ("opencode", ended({"type": "error", "error": OPENCODE_ERROR}), "APIError 401: no such key"),
    ("opencode", ended(OPENCODE_STEP, {"type": "error", "error": {"name": "UnknownError"}}, code=0),
        "UnknownError"),
    ("qwen-code", ended(TALK, QWEN_FAILED), "[API Error: 401 no such key]"),
]  # fmt: skip
FAIR: list[tuple[str, Ended]] = [
    ("claude-code", ended(TALK, CLAUDE_DONE, code=0)),
    ("claude-code", ended({"type": "result", "subtype": "error_max_turns", "is_error": True})),
    ("claude-code", ended(CLAUDE_FAILED | {"result": "Prompt is too long · about 210000 tokens"})),
    ("claude-code", ended(CLAUDE_FAILED | {"stop_reason": "refusal"})),
    ("codex", ended(RETRY, {"type": "turn.completed", "usage": {}}, code=0)),
    ("codex", ended({"type": "turn.failed", "error": {
        "message": "Codex ran out of room in the model's context window."}})),
    ("gemini-cli", ended({"type": "result", "status": "success"}, code=0)),
    ("gemini-cli", ended(GEMINI_FAILED, code=53)),
    ("opencode", ended(OPENCODE_STEP, code=0)),
    ("opencode", ended({"type": "error", "error": OPENCODE_ERROR}, OPENCODE_STEP, code=0)),
    ("opencode", ended({"type": "error", "error": {"name": "ContextOverflowError"}})),
    ("qwen-code", ended(TALK, QWEN_DONE, code=0)),
    ("qwen-code", ended(QWEN_FAILED | {"subtype": "error_max_turns"})),
]  # fmt: skip


@pytest.mark.parametrize(("name", "end", "said"), FAULTS)
def test_faults_of_the_endpoint_or_the_harness(name: str, end: Ended, said: str) -> None:
    assert harness(name).fault(end) == said


@pytest.mark.parametrize(("name", "end"), FAIR)
def test_what_an_agent_does_is_no_fault(name: str, end: Ended) -> None:
    assert harness(name).fault(end) == ""


@pytest.mark.parametrize("name", ALL)
def test_any_output_can_be_read(name: str) -> None:
    kit = harness(name)
    odd = [
        "",
        "{",
        "[1]",
        "null",
        '{"type": []}',
        '{"type": "result", "error": 3}',
        "\x00\xff",
        "{" * 9_999,
    ]
    assert kit.fault(ended(*odd, '{"type": "error", "error": "e"}', code=0)) in ("", "an error")
    deep = '{"type": "result", "is_error": true, "result": "{' + "[" * 9_999 + '}"}'
    assert len(kit.fault(ended(deep, "x" * 5_000))) <= 400


@pytest.mark.parametrize("name", ALL)
def test_stopped_from_outside_is_no_fault(name: str) -> None:
    assert harness(name).fault(Ended(None, "timeout", 9.0, b"", b"working")) == ""


@pytest.mark.parametrize("name", ALL)
def test_crash_tells_its_last_words(name: str) -> None:
    said = harness(name).fault(ended(code=139, stderr="first\nSegmentation fault\n"))
    assert said == "ended with status 139: Segmentation fault"
