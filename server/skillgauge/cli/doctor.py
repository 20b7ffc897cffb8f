"""Look at what is installed and found, and say how to mend what is missing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from skillgauge.cli._output import use_color, write
from skillgauge.cli._parser import Namespace, Parser
from skillgauge.report._terminal import paint, safe

MARKS: Final = {"ok": ("ok", "good"), "note": ("note", "warning"), "fault": ("FAULT", "error")}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="by default “.”")


def run(options: Namespace) -> int:
    """Print what was found; status 1 if something keeps Skillgauge from working."""
    from skillgauge.doctor import examine
    from skillgauge.lift.doctor import observations

    color = use_color("auto", sys.stdout)
    found = [*examine(Path(options.folder)), *observations(os.environ)]
    wide = max(len(item.label) for item in found)
    for item in found:
        mark, style = MARKS[item.state]
        write(f"{paint(f'{mark:<5}', style, color)}  {item.label:<{wide}}  {safe(item.value)}\n")
        if item.mend:
            write(f"{'':<5}  {'':<{wide}}  → {safe(item.mend)}\n")
    return 1 if any(item.state == "fault" for item in found) else 0
