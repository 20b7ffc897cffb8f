"""Scores skill folders with SkillEvaluator; run by an interpreter which has what that needs.

The folders come on standard input, one a line; one JSON object a folder goes to standard output.
The checkout's `src` folder is the only argument.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    logging.disable(logging.CRITICAL)
    from skillevaluator.validators.quality_score import (  # pyright: ignore[reportMissingImports]
        QualityScoreValidator,
    )

    validator = QualityScoreValidator()
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        print(json.dumps({"folder": str(folder), **_scores(validator, folder)}), flush=True)


def _scores(validator, folder: Path) -> dict:
    # Some files make the validator raise; that is a result of the comparison, not its end.
    try:
        scores = validator.validate(folder).metadata["quality_scores"]
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {
        "score": scores["overall_score"],
        "grade": scores["grade"],
        "dimensions": {
            name: {
                "score": dimension["score"],
                "issues": [[issue["message"], issue["deduction"]] for issue in dimension["issues"]],
            }
            for name, dimension in scores["dimensions"].items()
        },
    }


if __name__ == "__main__":
    main()
