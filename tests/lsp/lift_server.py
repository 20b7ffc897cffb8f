"""The language server, but that its lift runs are on a stage without containers.

`lift_server.py` serves; `lift_server.py lift WORDS…` is the command line that it asks. All is real
but the stage: the command line, the journal, and a worker in a process of its own.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def serve() -> int:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.transport import Stdio

    server = SkillgaugeServer()
    server.scores.off = True
    server.lift.every = 0.2
    server.lift.command.command = [sys.executable, __file__]
    return server.start(Stdio())


def main() -> int:
    if sys.argv[1:2] != ["lift"]:
        return serve()
    sys.path.insert(0, str(ROOT))
    sys.argv = ["cli_worker", "cli", *sys.argv[2:]]
    runpy.run_module("tests.lift.cli_worker", run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
