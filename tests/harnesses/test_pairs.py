"""Each agent, from npm, with a skill and without one, and with an endpoint that fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift.harnesses import harness
from tests.harnesses.conftest import AGENTS
from tests.harnesses.page import Row
from tests.lift.model_server import Fault
from tests.lift.model_server.shapes import strings
from tests.lift.real_pairs import MARK, NAME, Pair, play

LOADS = {
    "claude-code": "Skill",
    "codex": "exec_command",
    "gemini-cli": "activate_skill",
    "opencode": "skill",
    "qwen-code": "skill",
}
SHELLS = {
    "claude-code": "Bash",
    "codex": "exec_command",
    "gemini-cli": "run_shell_command",
    "opencode": "bash",
    "qwen-code": "run_shell_command",
}
WRONG = {"type": "invalid_request_error", "message": "There is no such model"}
REFUSED = (Fault(0, status=400, body={"type": "error", "error": WRONG}),)


def announced(text: str) -> set[str]:
    """Return the skills that a request lists, in any of the harnesses' manners."""
    tagged = re.findall(r"<skill>\s*<name>\s*(\S+?)\s*</name>", text)
    listed = re.search(r"(?:Skill tool:|Available skills)\n+((?:- [^\n]+\n?)+)", text)
    lines = re.findall(r"(?m)^- ([\w-]+):", listed[1]) if listed else []
    return {*tagged, *lines}


def is_gone(pair: Pair, sdk: Any) -> bool:
    label = f"skillgauge.run={pair.run}"
    return not sdk.containers(all=True, filters={"label": label}) and not list(
        Path("/tmp").glob(f"skillgauge-*/{pair.run}")
    )


@pytest.mark.parametrize("name", AGENTS)
async def test_skill_makes_the_difference(
    name: str, agents: str, docker_host: str, sdk: Any, tmp_path: Path, rows: dict[str, Row]
) -> None:
    pair = await play(name, agents, docker_host, tmp_path)
    assert pair.status == 0, pair.log
    assert pair.report["run"]["counts"] == {"done": 2}, pair.report["cases"]
    treated, control = pair.attempt("with-skill"), pair.attempt("baseline")
    assert treated["metrics"]["accuracy"]["value"] == 1.0
    assert control["metrics"]["accuracy"]["value"] == 0.0
    assert treated["metrics"]["skill_execution"]["value"] == 1.0
    assert pair.report["lift"]["estimate"] > 0.5
    calls = [call for call in pair.calls("with-skill") if call != "exec"]
    assert calls == [LOADS[name], SHELLS[name]]
    assert [call for call in pair.calls("baseline") if call != "exec"] == [SHELLS[name]]
    lists = [announced("\n".join(strings(one.body))) for one in pair.asked]
    assert sorted(map(sorted, lists)) == [[]] * 2 + [[NAME]] * 3  # those it brings itself are off
    assert MARK in pair.exchanges["with-skill"]
    assert NAME not in pair.exchanges["baseline"]
    assert pair.leaks == ()
    assert is_gone(pair, sdk)
    ran = treated["ran"], control["ran"]
    loads = "the shell" if name == "codex" else f"`{LOADS[name]}`"
    took = max(one["overhead"] for one in ran)
    rows[name] = Row(name, ran[0]["version"], loads, ran[0]["seconds"], ran[1]["seconds"], took)


@pytest.mark.parametrize("name", AGENTS)
async def test_endpoint_that_refuses_is_no_failed_case(
    name: str, agents: str, docker_host: str, sdk: Any, tmp_path: Path
) -> None:
    pair = await play(name, agents, docker_host, tmp_path, faults=REFUSED, retries=0)
    assert pair.report["run"]["counts"] == {"infra-error": 2}
    for arm in ("with-skill", "baseline"):
        reason = pair.attempt(arm)["reason"]
        assert reason.startswith(f"{harness(name).TITLE}: ")
        assert "There is no such model" in reason
    assert pair.report["lift"] is None
    assert is_gone(pair, sdk)
