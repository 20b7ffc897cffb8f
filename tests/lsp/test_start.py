"""What is loaded when: an editor waits for the reply to `initialize`, and for nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from skillgauge.lsp.server import SkillgaugeServer
from tests.lsp.loopback import Loopback, until

async def main():
    client = Loopback(SkillgaugeServer())
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    reply = await client.request("initialize", params)
    assert reply["result"]["capabilities"]["hoverProvider"]
    before = sorted(sys.modules)
    client.notify("initialized", {})
    await until(lambda: "skillgauge.rules.links.link_target_missing" in sys.modules)
    print(json.dumps(before))

asyncio.run(main())
"""
LATER = ("yaml", "pyromark", "pydantic", "tomllib", "rich")
EARLY = ("skillgauge.lsp", "skillgauge.errors")


def test_the_reply_to_initialize_waits_for_no_parser_and_no_rule() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, ROOT], capture_output=True, check=True, timeout=100
    )
    loaded = json.loads(done.stdout)
    assert [name for name in loaded if name.partition(".")[0] in LATER] == []
    ours = [name for name in loaded if name.startswith("skillgauge.")]
    assert [name for name in ours if not name.startswith(EARLY)] == []
    answers = [name for name in ours if ".features._" in name]
    assert answers == [], "answers are worked out by modules that are loaded with a question"
