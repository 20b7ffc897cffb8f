"""Compares our trajectories with those that Harbor made of the same sessions.

    python tests/differential/harbor_atif.py SAMPLES

SAMPLES has a folder a harness (claude, codex, codex-codemode, gemini, opencode, qwen), in it one a
run, in it the raw log and Harbor's `harbor_atif.json`. Differences that
docs/design/atif-converters.md argues for are counted by name; any other makes the exit status 1.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from skillgauge.lift.trajectory import Told, convert
from skillgauge.lift.trajectory.atif import Trajectory, dump, read, to_json

LOGS = {
    "claude": ("claude-code", "session.jsonl"),
    "codex": ("codex", "session.jsonl"),
    "codex-codemode": ("codex", "session.jsonl"),
    "gemini": ("gemini-cli", "session.jsonl"),
    "opencode": ("opencode", "stdout.jsonl"),
    "qwen": ("qwen-code", "session.jsonl"),
}
"""The converter and the raw log of each folder."""
SHORTENED = "left out]"
"""What the samples have where a text was shortened, on either side at another place."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    samples: Path = parser.parse_args().samples
    same = known = wrong = 0
    for folder, (harness, log) in LOGS.items():
        for theirs in sorted(samples.glob(f"{folder}/*/harbor_atif.json")):
            wanted = json.loads(theirs.read_text())
            # A printed stream doesn't tell the model: whoever starts the run does, here as there.
            told = Told(model=wanted["agent"]["model_name"] if log == "stdout.jsonl" else "")
            found = convert(harness, [theirs.parent / log], told)
            read(dump(found))  # what we write has to be valid
            reasons: Counter[str] = Counter()
            faults = list(compare(to_json(found), wanted, reasons))
            steps = len(wanted["steps"])
            if harness == "opencode":
                faults += database_faults(theirs.parent / "session_db.json", found)
            different = {fault.partition(":")[0] for fault in faults}
            same += steps - len(different & {f"step {n}" for n in range(1, steps + 1)})
            same -= reasons["empty user steps of responses"]
            known += sum(reasons.values())
            wrong += len(faults)
            why = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
            print(f"{folder}/{theirs.parent.name}: {steps} steps; argued: {why or 'none'}")
            print("".join(f"  {fault}\n" for fault in faults), end="")
    print(f"{same} steps agree, {known} argued differences, {wrong} others")
    sys.exit(bool(wrong) or not same)


def database_faults(rows: Path, printed: Trajectory) -> list[str]:
    """Compare the trajectory of OpenCode's database with that of what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "opencode.db"
        with closing(sqlite3.connect(path)) as database, database:
            for table, records in json.loads(rows.read_text())["rows"].items():
                names = [f'"{name}"' for name in records[0]]
                database.execute(f"CREATE TABLE {table} ({', '.join(names)})")
                marks = ", ".join("?" for _ in names)
                for record in records:
                    values = [
                        json.dumps(value) if isinstance(value, dict | list) else value
                        for value in record.values()
                    ]
                    database.execute(f"INSERT INTO {table} VALUES ({marks})", values)
        found = convert("opencode", [path])
    told = [replace(step, step_id=0, timestamp=None) for step in found.steps]
    wanted = [replace(step, step_id=0, timestamp=None) for step in printed.steps]
    if told[0].source != "user" or found.agent.version == "unknown":
        return ["database: has no turn of the user, or no version"]
    return [] if told[1:] == wanted else ["database: its steps differ from the printed ones"]


def compare(ours: dict, theirs: dict, reasons: Counter[str]):
    """Yield what differs without an argued reason."""
    for key in ("name", "version", "model_name"):
        yield from differs(f"agent.{key}", ours["agent"].get(key), theirs["agent"].get(key))
    yield from differs("session_id", ours.get("session_id"), theirs.get("session_id"))
    left = list(ours["steps"])
    for step in theirs["steps"]:
        if step["source"] == "user" and not step["message"]:
            reasons["empty user steps of responses"] += 1
            continue
        while left and left[0]["source"] == "system" and step["source"] != "system":
            reasons["session context put in by the CLI"] += 1
            left.pop(0)
        if not left:
            yield f"step {step['step_id']}: is missing"
            continue
        for fault in compare_steps(left.pop(0), step, reasons):
            yield f"step {step['step_id']}: {fault}"
    yield from (f"step {step['step_id']} of ours: is too much" for step in left)
    totals = ours.get("final_metrics", {}), theirs.get("final_metrics", {})
    for key in ("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens"):
        yield from differs(key, totals[0].get(key) or 0, totals[1].get(key) or 0)
    if "total_cost_usd" in totals[0]:
        cost = totals[1].get("total_cost_usd") or 0
        yield from differs("cost", round(totals[0]["total_cost_usd"], 6), round(cost, 6))
    elif totals[1].get("total_cost_usd"):
        reasons["cost from a price table"] += 1


def compare_steps(ours: dict, theirs: dict, reasons: Counter[str]):
    for key in ("source", "timestamp", "model_name", "reasoning_content"):
        yield from differs(key, ours.get(key), theirs.get(key))
    if "llm_call_count" in theirs:
        yield from differs("llm_call_count", ours.get("llm_call_count"), theirs["llm_call_count"])
    elif "llm_call_count" in ours:
        reasons["call count told"] += 1
    yield from differs("message", *shortened(ours["message"], theirs["message"]))
    calls = ours.get("tool_calls", [])
    inner = [call for call in calls if "decoded" in call.get("extra", {})]
    if inner:
        reasons["calls inside of exec added"] += len(inner)
    plain = [call for call in calls if call not in inner]
    for key in ("tool_call_id", "function_name", "arguments"):
        wanted = [call[key] for call in theirs.get("tool_calls", [])]
        yield from differs(key, [call[key] for call in plain], wanted)
    yield from compare_results(ours, theirs, {call["tool_call_id"] for call in inner}, reasons)
    mine, other = ours.get("metrics", {}), theirs.get("metrics", {})
    for key in ("prompt_tokens", "completion_tokens", "cached_tokens"):
        yield from differs(key, mine.get(key) or 0, other.get(key) or 0)


def compare_results(ours: dict, theirs: dict, inner: set[str], reasons: Counter[str]):
    results = ours.get("observation", {}).get("results", [])
    results = [one for one in results if one["source_call_id"] not in inner]
    wanted = theirs.get("observation", {}).get("results", [])
    ids = [one["source_call_id"] for one in wanted]
    yield from differs("results", [one["source_call_id"] for one in results], ids)
    for one, other in zip(results, wanted, strict=False):
        if other["content"].startswith(
            (f"{one['content']}\n\n[stdout]", f"{one['content']}\n\n[m")
        ):
            reasons["structured result not repeated in the text"] += 1
        else:
            yield from differs("content", *shortened(one["content"], other["content"]))


def shortened(ours, theirs) -> tuple:
    """Cut both where either was shortened when the samples were made."""
    if isinstance(ours, str) and isinstance(theirs, str):
        for text in (ours, theirs):
            if SHORTENED in text:
                end = text.index("[", max(0, text.index(SHORTENED) - 24)) - 2
                return ours[:end], theirs[:end]
    return ours, theirs


def differs(what: str, ours: object, theirs: object):
    if ours != theirs:
        yield f"{what}: ours {str(ours)[:300]!r}, Harbor's {str(theirs)[:300]!r}"


if __name__ == "__main__":
    main()
