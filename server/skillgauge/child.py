"""Asks a child that answers in JSON lines: the way to the scorer, which is never imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import IO, Any, Final, cast

from skillgauge.errors import UserError

SCORER: Final = ("skillgauge_scorer",)

Progress = Callable[[str, int, int], None]
"""Told (step, done, total)."""


def ask(
    method: str,
    params: dict[str, Any],
    progress: Progress,
    *,
    module: Sequence[str] = SCORER,
) -> Any:
    """Start a child, ask it one thing, and return the result; UserError if it says so."""
    command = [sys.executable, "-m", *module]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        source, target = cast("IO[bytes]", child.stdout), cast("IO[bytes]", child.stdin)
        request = json.dumps({"id": 1, "method": method, "params": params})
        target.write(request.encode() + b"\n")
        target.close()
        for line in source:
            message = cast("dict[str, Any]", json.loads(line))
            if (step := message.get("progress")) is not None:
                progress(step["step"], step["done"], step["total"])
            elif (error := message.get("error")) is not None:
                raise UserError(error["what"], error["why"], error["how"])
            else:
                return message["result"]
    except BrokenPipeError:
        pass  # it ended before it had read the request; its status is told below
    finally:
        _end(child)
    raise UserError(
        f"The scorer ended with status {child.returncode} and no answer",
        how=f"`{' '.join(command)} < /dev/null` may say why",
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    """Let a child that is done end by itself, and one that isn't clean up behind itself."""
    if child.stdout is not None:
        child.stdout.close()
    try:
        child.wait(2)
    except subprocess.TimeoutExpired:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
