"""`lift demo`: replays a recorded run, through the real journal, metrics and report."""

from __future__ import annotations

import tempfile
from pathlib import Path

from skillgauge.cli._lift._result import made, show
from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace
from skillgauge.lift.demo import replay
from skillgauge.lift.report import render


def run(options: Namespace) -> int:
    """Replay the recording, report on it, and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="skillgauge-demo-") as folder:
        data = Path(folder)
        report = made(data, replay(data), trajectories=True)
        if options.html:
            write(render(report, "html"), options.html)
        status = show(options, report)
    if options.html:
        say(f"Wrote {options.html}")
    return status
