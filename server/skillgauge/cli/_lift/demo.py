"""`lift demo`: replays a recorded run, through the real journal, metrics and report."""

from __future__ import annotations

import tempfile
from argparse import Namespace as Values
from pathlib import Path

from skillgauge.cli._lift._result import report_on
from skillgauge.cli._output import say
from skillgauge.cli._parser import Namespace
from skillgauge.lift.demo import replay


def run(options: Namespace) -> int:
    """Replay the recording, report on it, and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="skillgauge-demo-") as folder:
        data = Path(folder)
        name = replay(data)
        status = report_on(options, data, name)
        if options.html:
            page = Values(format="html", output=options.html, fail_under=None)
            status = report_on(page, data, name)
            say(f"Wrote {options.html}")
    return status
