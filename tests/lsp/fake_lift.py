"""The command line of lift runs for tests, as far as editors use it: a folder has all its state.

`fake_lift.py WORLD lift …`: WORLD/runs.json has the runs, WORLD/plan.json the plan, WORLD/calls one
line for each call. WORLD/mode has a word that makes it misbehave: crash, garbage, hang, refuse.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

WORLD = Path(sys.argv[1])


def read(name: str, default: Any) -> Any:
    path = WORLD / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default


def write(name: str, value: Any) -> None:
    draft = WORLD / f"{name}.{os.getpid()}"
    draft.write_text(json.dumps(value), encoding="utf-8")
    draft.replace(WORLD / name)


def say(value: Any) -> None:
    print(json.dumps(value), flush=True)


def misbehave(mode: str) -> None:
    if mode == "crash":
        print("Traceback: boom", file=sys.stderr)
        sys.exit(1)
    if mode == "garbage":
        print('[1, 2\n{"kind": "state", "run": 7}\nnonsense \x00')
        sys.exit(0)
    if mode == "hang":
        time.sleep(600)
    if mode == "refuse":
        print("skillgauge: There is no engine. Start Docker", file=sys.stderr)
        sys.exit(2)


def follow(run: str) -> None:
    """Tell the run's state whenever it has changed, with an event before each but the first."""
    told: Any = None
    while True:
        (known,) = (one for one in read("runs.json", []) if one["run"] == run)
        if known != told:
            if told is not None:
                say({"kind": "event", "event": "done", "run": run, "seq": 1, "case": "a"})
            say({"kind": "state", **known})
            told = known
        if known["state"] != "open" or not known["working"]:
            return
        time.sleep(0.02)


def change(run: str, **values: Any) -> None:
    runs = read("runs.json", [])
    write("runs.json", [{**one, **values} if one["run"] == run else one for one in runs])


def begin(path: str) -> None:
    folder = Path(path)
    folder = folder.parent.parent if folder.name == "evals.json" else folder
    runs = read("runs.json", [])
    made = {
        "run": f"run-{len(runs) + 1}",
        "state": "open",
        "working": True,
        "created": float(len(runs) + 1),
        "skill": folder.name,
        "path": str(folder),
        "stale": False,
        "counts": {"planned": 4},
        "trials": 4,
        "cost_usd": None,
        "eta_seconds": None,
        "lift": None,
        "cases": [],
    }
    write("runs.json", [*runs, made])
    say({"schema_version": 1, "run": made["run"], "pid": 1})


def main(words: list[str]) -> None:
    with (WORLD / "calls").open("a", encoding="utf-8") as calls:
        calls.write(f"{json.dumps(words)}\n")
    mode = WORLD / "mode"
    if mode.is_file():
        misbehave(mode.read_text(encoding="utf-8").strip())
    action, subject = words[1], words[2]
    if action == "plan":
        say(read("plan.json", {}))
    elif action == "run":
        begin(subject)
    elif action == "cancel":
        change(subject, state="cancelled", working=False)
        say({"schema_version": 1, "run": subject})
    elif action == "resume":
        change(subject, working=True)
        say({"schema_version": 1, "run": subject, "pid": 1})
    elif action == "report":
        Path(words[words.index("--output") + 1]).write_text("<html></html>", encoding="utf-8")
    elif "--follow" in words:
        follow(subject)
    else:
        runs = read("runs.json", [])
        if "--path" in words:
            path = words[words.index("--path") + 1]
            runs = [one for one in runs if one["path"] == path]
        elif not subject.startswith("-"):
            runs = [one for one in runs if one["run"] == subject]
        say({"schema_version": 1, "runs": runs})


main(sys.argv[2:])
