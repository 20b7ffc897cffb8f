"""`lift report`: the result of a run in any format."""

from __future__ import annotations

from skillgauge.cli._lift._result import report_on
from skillgauge.cli._lift._runs import id_of
from skillgauge.cli._parser import Namespace
from skillgauge.lift import folders


def run(options: Namespace) -> int:
    """Report, and return what the result comes to as an exit status."""
    return report_on(options, folders.data_folder(), id_of(options.subject))
