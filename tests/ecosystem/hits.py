"""Shows what a rule finds on real skills, to be read by eye.

python -m tests.ecosystem.hits CORPUS RULE [--sample N] [--show N]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from skillgauge.engine import Document, run
from skillgauge.rule import Rule
from skillgauge.rules import by_key

from .corpus import read, read_evals


def main() -> None:
    """Print the rate of a rule and a sample of its hits, each with its line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("rule")
    parser.add_argument("--sample", type=int, help="look at that many skills only")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    rule = by_key()[options.rule]
    total = with_hits = 0
    shown: list[str] = []
    for name, document in _documents(rule, options.corpus, options.sample):
        total += 1
        findings = run(rule, document)
        with_hits += bool(findings)
        for finding in findings[:2]:
            text = document.text
            line, column = text.position(finding.span.start)
            source = text.line(line)
            cut = source[max(column - 70, 0) : column + 90]
            found = text.slice(finding.span)[:60].replace("\n", "⏎")
            shown.append(
                f"{name}:{line + 1}:{column + 1} «{found}»\n    {finding.message}\n    | {cut}"
            )
    noun = "evaluation files" if rule.target == "evals" else "skills"
    print(f"{rule.code} {rule.name}: {with_hits} of {total} {noun} ({with_hits / total:.1%})\n")
    for text in random.Random(7).sample(shown, min(options.show, len(shown))):
        print(text)


def _documents(rule: Rule, corpus: Path, sample: int | None) -> Iterator[tuple[str, Document]]:
    """Yield what a rule judges: skills, or the evaluation files beside them."""
    if rule.target == "evals":
        for found in read_evals(corpus, sample):
            yield found.id, found.file
    else:
        for entry in read(corpus, sample):
            yield entry.id, entry.skill


if __name__ == "__main__":
    main()
