"""Applies every fix to every real skill, and counts what doesn't settle or makes things worse.

python -m tests.ecosystem.fixes CORPUS [--sample N] [--unsafe]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from skillgauge.engine import check, profile_settings
from skillgauge.fix import fix, with_text

from .corpus import read


def main() -> int:
    """Print what was fixed and each skill with a fault; exit status 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--unsafe", action="store_true")
    options = parser.parse_args()
    settings = profile_settings("strict")
    applied: Counter[str] = Counter()
    faults: list[str] = []
    total = 0
    for entry in read(options.corpus, options.sample):
        total += 1
        before = check(entry.skill, settings).findings
        mended = fix(entry.skill, settings, unsafe=options.unsafe)
        applied.update(finding.code for finding in mended.applied)
        again = with_text(entry.skill, mended.text)
        if fix(again, settings, unsafe=options.unsafe).text != mended.text:
            faults.append(f"{entry.id}: a second run changes more")
        after = check(again, settings).findings
        revealing = any(finding.code.startswith("F0") for finding in mended.applied)
        if len(after) > len(before) and not revealing:
            faults.append(f"{entry.id}: {len(before)} findings became {len(after)}")
    print(f"{total} skills, {sum(applied.values())} fixes applied: {dict(applied.most_common())}")
    print("\n".join(faults) or "every skill settles, none gets more findings")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
