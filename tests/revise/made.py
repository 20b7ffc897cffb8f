"""Skills made for tests, and a stand-in for the scorer that likes some words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from skillgauge.document.folder import MemoryFolder
from skillgauge.document.skill import Skill
from skillgauge.scores import Profile, Score
from skillgauge.text import Text

SCRIPT: Final = '''\
"""Count the rows of a CSV file."""
import argparse
import json
import os
import sys

import pandas

parser = argparse.ArgumentParser()
parser.add_argument("path", help="the file to count")
parser.add_argument("--format", choices=["text", "json"], default="text", help="how to print | it")
parser.add_argument("--strict", action="store_true")
parser.add_argument("--limit", type=int, required=True)


def main() -> int:
    options = parser.parse_args()
    token = os.environ["ROWS_TOKEN"]
    if not os.path.exists(options.path):
        print(f"no such file: {options.path}", file=sys.stderr)
        return 3
    rows = pandas.read_csv("data/rows.csv")
    if rows.empty:
        raise ValueError("the table %s has no rows" % token)
    print(json.dumps({"rows": len(rows), "token": token}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''
SKILL: Final = """\
---
name: row-count
description: Counts the rows of CSV files.
---

# Row count

## When to use

- User asks how many rows a file has
- Checking an export before an import

## Instructions

- Get the file.
- Run `scripts/count_rows.py`.
- Report the number.
  Name the file with it.

## Reply

```json
{"rows": 3, "names": ["a", "b"]}
```

## Limitations

Only CSV.
"""


def skill(text: str = SKILL, files: Mapping[str, str] | None = None) -> Skill:
    """Return a skill with a script, or with the files that are given."""
    known = {"scripts/count_rows.py": SCRIPT} if files is None else files
    return Skill(Text(text), folder=MemoryFolder("row-count", {"SKILL.md": text, **known}))


_LIKED: Final = {
    "A2": r"\bUse (?:when|after|before)\b",
    "B2": r"python3 scripts/|on the path|importable",
    "C1": r"(?m)^\d+\. ",
    "C2": r"\| `[^`]+` \| ",
    "D1": r"What to do|Correct the arguments|Tell the user",
}


def profile(text: str) -> Profile:
    """Return scores that count words: the more of a metric's, the higher it is."""
    scores = {
        code: Score(found / 2 - 1, min(0.9, 0.1 + found / 10), {}, ())
        for code, pattern in _LIKED.items()
        for found in [len(re.findall(pattern, text))]
    }
    return Profile(len(text.split()), False, "made", True, (), scores)
