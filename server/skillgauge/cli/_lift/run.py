"""`lift run`: shows what it will do, asks, begins, and follows the run or leaves it."""

from __future__ import annotations

import sys

from skillgauge.cli._lift._asked import expected, hidden, prepared_of, refuse_missing
from skillgauge.cli._lift._work import work_on
from skillgauge.cli._lift.plan import COULD_NOT, to_text
from skillgauge.cli._output import plain, say
from skillgauge.cli._parser import Namespace
from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.start import Prepared, begin


def run(options: Namespace) -> int:
    """Run, and return the exit status."""
    prepared = prepared_of(options)
    refuse_missing(prepared.settings, prepared.plan.request.cells)
    if not _agreed(options, prepared):
        say("Nothing was begun")
        return COULD_NOT
    data = folders.data_folder()
    return work_on(options, data, begin(data, prepared, hidden()))


def _agreed(options: Namespace, prepared: Prepared) -> bool:
    """Return whether the user wants the run, as said with --yes or in answer to a question."""
    if not options.yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "A run asks models that may cost money, and there is nobody to agree to it",
            how="Give --yes, and --max-cost for a bound; `skillgauge lift plan` shows the plan",
        )
    print(plain(to_text(prepared, expected(prepared)), sys.stderr), end="", file=sys.stderr)
    if options.yes:
        return True
    print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
