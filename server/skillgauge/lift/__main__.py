"""The process that works on a lift run: `python -m skillgauge.lift RUN --data FOLDER`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path

from skillgauge.errors import UserError
from skillgauge.lift.redaction import redact


def main() -> int:
    """Work on a run, and return the exit status: 0 when it came to its end, 2 if it could not."""
    from skillgauge.lift.folders import VARIABLE
    from skillgauge.lift.live import hidden_of, make_stage
    from skillgauge.lift.worker import work

    parser = argparse.ArgumentParser(prog="python -m skillgauge.lift", description=__doc__)
    parser.add_argument("run")
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    os.environ[VARIABLE] = str(options.data)  # the engine's labels name it
    hidden = hidden_of(os.environ)
    _log(hidden)
    try:
        asyncio.run(work(options.data, options.run, make_stage, hidden))
    except UserError as error:
        print(f"skillgauge: {redact(str(error), hidden)}", file=sys.stderr)
        return 2
    return 0


class _Clean(logging.Formatter):
    """Writes no secret: what a library says of a fault may hold an address with a password."""

    def __init__(self, hidden: tuple[str, ...]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")
        self._hidden = hidden

    def format(self, record: logging.LogRecord) -> str:
        """Return a line for the log."""
        return redact(super().format(record), self._hidden)


def _log(hidden: tuple[str, ...]) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_Clean(hidden))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])  # libraries tell each request
    logging.getLogger("skillgauge").setLevel(logging.INFO)


if __name__ == "__main__":
    sys.exit(main())
