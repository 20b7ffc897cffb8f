"""A scorer for tests: as quick as can be, with scores that can be told from the text.

Words in a text make it misbehave: `CRASH`, `HANG`, `GARBAGE`, and `SLOW`, which waits for a newer
request. Its metrics are A2 (the description), C2 (weak where a line says “weak”), and D1, hidden.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import Any

ABOUT = {"meaning": "It is good.", "low": "These lines are weak", "hint": "Mend them."}
METRICS = [
    ("A1", "Format validity", "file", "", True),
    ("A2", "Trigger clarity", "description", "substance", True),
    ("C2", "Input and output explicitness", "body", "surface", True),
    ("D1", "Failure awareness", "body", "substance", False),
]
waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()


def read() -> None:
    for line in sys.stdin:
        waiting.put(json.loads(line))
    waiting.put(None)


def score(text: str) -> dict[str, Any]:
    lines = text.split("\n")
    weak = [number for number, line in enumerate(lines, 1) if "weak" in line]
    shares = [{"line": number, "contribution": -1.5} for number in weak]
    sections = [
        {"title": "Weak", "line": number, "end_line": number, "contribution": -1.5}
        for number in weak
    ]
    described = next((at for at, line in enumerate(lines, 1) if line[:12] == "description:"), 0)
    trigger = {"line": described, "contribution": 2.0}
    metrics: dict[str, Any] = {"A1": {"passed": bool(described), "reasons": []}}
    if described:
        metrics["A2"] = {"z": 2.0, "probability": 0.9, "lines": [trigger], "sections": []}
    else:
        why = "The skill has no description"
        metrics["A2"] = {
            "z": None,
            "probability": None,
            "lines": [],
            "sections": [],
            "reason": why,
        }
    low = {"z": -1.5 * len(weak), "lines": shares, "sections": sections}
    metrics["C2"] = {**low, "probability": 0.1 if weak else 0.6}
    metrics["D1"] = {**low, "probability": 0.1}
    return {"tokens": len(text), "truncated": False, "bundle": "fake", "metrics": metrics}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if os.environ.get("FAKE_SCORER") == "missing":
        return {"error": {"what": "There is no model", "why": "", "how": "Run this"}}
    if method == "describe":
        metrics = [
            {
                "code": code,
                "name": name,
                "dimension": "",
                "sees": sees,
                "label": label,
                "shown": shown,
                **ABOUT,
            }
            for code, name, sees, label, shown in METRICS
        ]
        facts = {"title": "Fake", "bundle": "fake", "max_tokens": 9}
        return {"result": {**facts, "metrics": metrics}}
    if method == "collisions":
        names = [item["description"] for item in params["skills"]]
        pairs = [
            [one, other, 0.9]
            for other in range(len(names))
            for one in range(other)
            if names[one].partition(" ")[0] == names[other].partition(" ")[0]
        ]
        return {"result": {"same": 0.8, "pairs": pairs}}
    if method == "score":
        return {"result": score(params["text"])}
    return {"error": {"what": f"no method {method}", "why": "", "how": ""}}


def main() -> None:
    threading.Thread(target=read, daemon=True).start()
    while (asked := waiting.get()) is not None:
        identity, params = asked["id"], asked["params"]
        if asked["method"] == "cancel":
            continue
        text = params.get("text", "")
        if "CRASH" in text:
            os._exit(3)
        if "HANG" in text:
            time.sleep(60)
        if "GARBAGE" in text:
            print("[]", flush=True)
        if "SLOW" in text:
            step = {"step": "score", "done": 1, "total": 2}
            print(json.dumps({"id": identity, "progress": step}), flush=True)
            while waiting.empty():
                time.sleep(0.005)
            print(json.dumps({"id": identity, "cancelled": True}), flush=True)
            continue
        print(json.dumps({"id": identity, **answer(asked["method"], params)}), flush=True)


main()
