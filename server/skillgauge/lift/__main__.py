"""The process that works on a lift run: `python -m skillgauge.lift RUN --data FOLDER`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path

from skillgauge.errors import UserError


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
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        asyncio.run(work(options.data, options.run, make_stage, hidden_of(os.environ)))
    except UserError as error:
        print(f"skillgauge: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
