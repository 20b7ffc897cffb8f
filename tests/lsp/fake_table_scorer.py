"""A scorer for tests that likes tables: C2 rises with each of their rows, D1 with “What to do”.

B1 falls where the text has the word `fragile` and a table. `SLOW` makes scores of texts with a
table take their time, and `FAIL` makes them fail.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

ABOUT = {"dimension": "", "meaning": "Good.", "low": "These lines are weak", "hint": "Mend them."}
METRICS = [("A1", True), ("B1", True), ("C2", True), ("D1", False)]


def score(text: str) -> dict[str, Any]:
    lines = text.split("\n")
    rows = sum(line.startswith("| `") for line in lines)
    weak = next((at for at, line in enumerate(lines, 1) if "Reply" in line), 1)
    worst = {"title": "Reply", "line": weak, "end_line": weak, "contribution": -1.0}
    shares: dict[str, Any] = {"lines": [], "sections": [worst]}
    fallen = "fragile" in text and rows > 0
    return {
        "tokens": len(text.split()),
        "truncated": False,
        "bundle": "fake",
        "metrics": {
            "A1": {"passed": True, "reasons": []},
            "B1": {"z": -1.0 * fallen, "probability": 0.5, **shares},
            "C2": {"z": 0.25 * rows, "probability": 0.9 if rows else 0.1, **shares},
            "D1": {"z": 1.0 * ("What to do" in text), "probability": 0.5, **shares},
        },
    }


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "describe":
        metrics = [
            {"code": code, "name": code, "sees": "body", "label": "", "shown": shown, **ABOUT}
            for code, shown in METRICS
        ]
        about = {"title": "Fake", "bundle": "fake", "max_tokens": 9, "metrics": metrics}
        return {"result": about}
    if method != "score":
        return {"result": {"same": 1.0, "pairs": []}}
    text = params["text"]
    if "\n| `" in text and "SLOW" in text:
        time.sleep(0.4)
    if "\n| `" in text and "FAIL" in text:
        return {"error": {"what": "It fails", "why": "", "how": ""}}
    return {"result": score(text)}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] != "cancel":
        reply = {"id": asked["id"], **answer(asked["method"], asked["params"])}
        print(json.dumps(reply), flush=True)
