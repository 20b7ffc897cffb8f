"""The ecosystem check: what the rules find on a pinned sample of real skills, and what changed.

python -m tests.ecosystem.snapshot CORPUS [--update]

The snapshot holds, for each skill of the sample, the hash of its text and how often each rule
fires. Without `--update` the differences are printed and the exit status is 1 if there are any.
Read them before you update: each is what a rule change does to real files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from skillgauge.engine import check, profile_settings
from skillgauge.rules import all_rules

from .corpus import read

SNAPSHOT = Path(__file__).parent / "findings.json"
SAMPLE = 300


def measure(corpus: Path) -> dict[str, Any]:
    """Return hash and findings of each skill of the sample, all rules on."""
    settings = profile_settings("strict")
    found: dict[str, Any] = {}
    for entry in read(corpus, SAMPLE):
        result = check(entry.skill, settings)
        counts = Counter(finding.code for finding in result.findings)
        text = entry.skill.source.encode("utf-8", "surrogateescape")
        found[entry.id] = {
            "sha256": hashlib.sha256(text).hexdigest()[:16],
            "structure": result.structure.score if result.structure else None,
            "findings": dict(sorted(counts.items())),
        }
    return found


def rates(found: dict[str, Any]) -> str:
    """Return how many skills of the sample each rule fires on, with its severity in default."""
    total = len(found)
    lines = [f"{'code':6}{'default':9}{'skills':>7} {'rate':>7}  rule"]
    for rule in all_rules():
        if rule.target != "skill":
            continue
        hit = sum(rule.code in item["findings"] for item in found.values())
        severity = rule.severity("default")
        label = severity.label if severity else "off"
        lines.append(f"{rule.code:6}{label:9}{hit:>7} {hit / total:>7.1%}  {rule.name}")
    return "\n".join(lines)


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return a line for each rule and skill whose count changed."""
    lines: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before is None or after is None or before["sha256"] != after["sha256"]:
            lines.append(f"{name}: not the same text")
            continue
        for code in sorted(before["findings"].keys() | after["findings"].keys()):
            was, now = before["findings"].get(code, 0), after["findings"].get(code, 0)
            if was != now:
                lines.append(f"{name}: {code} {was} → {now}")
        if before["structure"] != after["structure"]:
            lines.append(f"{name}: structure {before['structure']} → {after['structure']}")
    return lines


def main() -> int:
    """Print rates and differences; write the snapshot if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    new = measure(options.corpus)
    print(rates(new))
    old = json.loads(SNAPSHOT.read_text(encoding="utf-8")) if SNAPSHOT.is_file() else {}
    changed = differences(old, new)
    print(f"\n{len(changed)} differences from the snapshot of {len(old)} skills")
    print("\n".join(changed[:200]))
    if options.update:
        SNAPSHOT.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
