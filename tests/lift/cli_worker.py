"""The command line with a worker in a process of its own, on a stage without containers.

`cli WORDS…` is `skillgauge lift WORDS…`, and `work RUN --data FOLDER` the worker that it starts.
All is real but the stage, on which each trial takes as long as STAGE_SECONDS says.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from skillgauge.cli import main
from skillgauge.cli._lift import _asked
from skillgauge.lift import start, trial, worker

from .stages import KIT, ToldStage

ROOT = Path(__file__).parents[2]
SECONDS = "STAGE_SECONDS"


def command(*words: object) -> list[str]:
    """Return how this module is started."""
    return [sys.executable, "-m", __name__ if __name__ != "__main__" else "tests.lift.cli_worker",
            *map(str, words)]  # fmt: skip


def cli(words: list[str]) -> int:
    real = subprocess.Popen

    def popen(started: list[str], **options: Any) -> Any:
        assert started[1:3] == ["-m", "skillgauge.lift"]
        return real(command("work", *started[3:]), **{**options, "cwd": ROOT})

    _asked.missing_of = lambda settings, cells: []
    subprocess.Popen = popen  # type: ignore[assignment, misc]
    return main(["lift", *words])


def work(run: str, _: str, data: str) -> int:
    stage = ToldStage(seconds=float(os.environ[SECONDS]))
    asyncio.run(worker.work(Path(data), run, lambda *_: stage))
    return 0


if __name__ == "__main__":
    for module in (trial, start):
        module.harness = lambda name: KIT  # type: ignore[assignment]
    action, *rest = sys.argv[1:]
    sys.exit(cli(rest) if action == "cli" else work(*rest))
