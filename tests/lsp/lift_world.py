"""A skill with cases, and a command line of lift runs whose state lies in a folder of the test."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from .documents import make_skill
from .inprocess import PUSHES, Editor
from .loopback import Message

FAKE = Path(__file__).parent / "fake_lift.py"
DOCUMENT = {**PUSHES, "hover": {"contentFormat": ["markdown"]}}
WINDOW = {
    "workDoneProgress": True,
    "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
    "showDocument": {"support": True},
}
CASES: dict[str, Any] = {
    "skill_name": "demo",
    "evals": [
        {"id": "a", "prompt": "Convert", "assertions": ["It is a table", "It has a head"]},
        {"id": "b", "prompt": "Mail"},
    ],
}
UNSATISFIED = {
    "assertion": "It has a head",
    "index": 1,
    "arm": "with-skill",
    "quote": "1;2\n3;4",
    "reason": "The first line has values.",
    "failed": 2,
    "attempts": 3,
}
RESULTS: list[dict[str, Any]] = [
    {
        "id": "a",
        "line": 4,
        "harness": "codex",
        "treated": 0.5,
        "control": 0.25,
        "lift": 0.25,
        "unsatisfied": [UNSATISFIED, {**UNSATISFIED, "index": 0, "arm": "baseline"}],
        "blame": "skill",
        "reason": "it was loaded, and still the assertions failed",
    },
    {"id": "b", "line": 9, "harness": "codex", "treated": 0.75, "control": 1.0, "lift": -0.25,
     "unsatisfied": [], "blame": "", "reason": ""},
]  # fmt: skip
PLAN: dict[str, Any] = {
    "schema_version": 1,
    "skill": "demo",
    "cases": [{"id": "a", "line": 4}, {"id": "b", "line": 9}],
    "harnesses": ["codex"],
    "arms": ["with-skill", "baseline"],
    "trials": 4,
    "left_out": 0,
    "outlook": {"cost_usd": 0.12, "tokens": 41000, "seconds": 95},
    "problems": [],
    "missing": [],
}


class World:
    """A skill, its cases, and the state of its runs."""

    def __init__(self, root: Path) -> None:
        """Write a skill that nothing has been run of."""
        self.root = root
        self.state = root / "state"
        self.state.mkdir()
        self.skill = make_skill(root / "skills", "demo")
        self.folder = self.skill.parent
        self.evals = self.folder / "evals" / "evals.json"
        self.evals.parent.mkdir()
        self.evals.write_text(json.dumps(CASES, indent=1), encoding="utf-8")
        self.data = root / "data"
        self.write("plan.json", PLAN)

    def write(self, name: str, value: Any) -> None:
        """Write a file of the state, at once."""
        draft = self.state / "draft"
        draft.write_text(json.dumps(value), encoding="utf-8")
        draft.replace(self.state / name)

    def mode(self, word: str) -> None:
        """Have the command line misbehave, or not with an empty word."""
        (self.state / "mode").write_text(word)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs as they are."""
        return json.loads((self.state / "runs.json").read_text(encoding="utf-8"))

    def calls(self, action: str) -> list[list[str]]:
        """Return the calls of one action, each as its words behind it."""
        path = self.state / "calls"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [words[2:] for words in map(json.loads, lines) if words[1] == action]

    def follows(self) -> list[str]:
        """Return the runs that were followed, once for each child."""
        return [words[0] for words in self.calls("status") if "--follow" in words]

    def put(self, name: str = "run-1", **values: Any) -> None:
        """Write a run of the skill, by default one that has ended with results."""
        made = {
            "run": name,
            "state": "done",
            "working": False,
            "created": 1772360100.0,
            "skill": "demo",
            "path": str(self.folder),
            "stale": False,
            "counts": {"done": 4},
            "trials": 4,
            "cost_usd": 0.31,
            "eta_seconds": 0.0,
            "lift": {"estimate": 0.42, "interval": [0.1, 0.74], "n_cases": 2, "precision": "low"},
            "cases": RESULTS,
            **values,
        }
        runs = self.runs if (self.state / "runs.json").is_file() else []
        self.write("runs.json", [*(one for one in runs if one["run"] != name), made])
        self.touch()

    def touch(self) -> None:
        """Have the journal look as if somebody had written to it."""
        journal = self.data / "lift" / "journal.sqlite"
        journal.parent.mkdir(parents=True, exist_ok=True)
        with journal.open("a") as file:
            file.write("x")


class LiftEditor(Editor):
    """An editor that answers what it is asked."""

    choice: str | None = "Run"
    """The button that its user presses."""
    refuses: tuple[str, ...] = ()
    """The requests that it doesn't know."""

    def _reply(self, message: Message) -> None:
        if message["method"] in self.refuses:
            error = {"code": -32601, "message": "not known"}
            self.send({"id": message["id"], "error": error})
        else:
            super()._reply(message)

    def result_for(self, message: Message) -> Any:
        """Return the answer to a question of the server."""
        if message["method"] == "window/showMessageRequest":
            return {"title": self.choice} if self.choice else None
        if message["method"] == "window/showDocument":
            return {"success": True}
        return None

    async def command(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Ask for a command and return its result."""
        params = {"command": f"skillgauge.lift.{name}", "arguments": list(arguments)}
        reply = await self.request("workspace/executeCommand", params)
        assert "error" not in reply, reply
        return reply["result"]

    def progress(self) -> list[dict[str, Any]]:
        """Return what was told of progress."""
        return [message["params"] for message in self.of("$/progress")]

    def messages(self) -> list[str]:
        """Return the messages that were shown."""
        return [message["params"]["message"] for message in self.of("window/showMessage")]

    async def lenses(self, uri: str) -> list[tuple[str, int]]:
        """Return the titles of the lenses of lift with their lines."""
        found = await self.about("codeLens", uri)
        return [
            (lens["command"]["title"], lens["range"]["start"]["line"])
            for lens in found
            if lens["command"]["command"].startswith("skillgauge.lift")
        ]

    def shown(self, uri: str) -> list[tuple[str, int, str]]:
        """Return code, severity and message of the results of lift that were published last."""
        last = self.published(uri)[-1]["diagnostics"] if self.published(uri) else []
        return [
            (item["code"], item["severity"], item["message"])
            for item in last
            if item["source"] == "skillgauge lift"
        ]


@contextlib.asynccontextmanager
async def lifting(world: World, *, own: bool = False, **options: Any) -> AsyncIterator[LiftEditor]:
    """Open a session whose lift runs are those of a world."""
    editor = LiftEditor()
    lift = editor.server.lift
    lift.quiet, lift.every, lift.news.pause = 0.001, 0.02, 0.01
    lift.command.command = [sys.executable, str(FAKE), str(world.state)]
    if own:
        editor.experimental = {"skillgaugeLift": True}
    await editor.start(world.root, **{"document": DOCUMENT, "window": WINDOW, **options})
    try:
        yield editor
        await editor.request("shutdown")
    finally:
        await lift.close()
    assert lift.command.busy == 0, "no child is left"


async def settled(editor: LiftEditor) -> None:
    """Wait until nothing of lift is on its way."""
    async with asyncio.timeout(20):
        await asyncio.sleep(0.01)
        while not (editor.server.lift.idle and editor.server.lift.news.idle):
            await asyncio.sleep(0.005)
    await editor.settled()
