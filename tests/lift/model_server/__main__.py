"""Serves a script as a process: python -m tests.lift.model_server --script FILE [--port N]."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from pathlib import Path

from tests.lift.model_server import ModelServer, Script, load


async def _serve(script: Script, options: argparse.Namespace) -> None:
    async with ModelServer(
        script, options.key, options.port, unix=options.unix, log=options.log
    ) as server:
        print(server.url or server.unix, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="model_server", description=__doc__)
    parser.add_argument("--script", type=Path, required=True, help="the answers, as JSON")
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; 0 for a free one")
    parser.add_argument("--unix", type=Path, help="a Unix socket in a port's place")
    parser.add_argument("--log", type=Path, help="where to write what is asked, as JSON lines")
    parser.add_argument("--key", default="", help="the credential that is wanted")
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(load(options.script), options))


main()
