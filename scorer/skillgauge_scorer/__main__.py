"""Answers requests in JSON lines on standard input until it ends.

A request is `{"id", "method", "params"}`. Answers carry its id: any number of
`{"progress": {"step", "done", "total"}}`, then one `{"result": …}` or
`{"error": {"what", "why", "how"}}`. Standard error is for traces of bugs.
"""

from __future__ import annotations

import json
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, Final, TextIO, cast

from skillgauge_scorer.errors import ScorerError

_PAUSE: Final = 0.1
"""Seconds between two tellings of a step's progress."""

Tell = Callable[[dict[str, Any]], None]


def main() -> int:
    """Serve standard input, and return the exit status."""
    # Ending on SIGTERM as on Ctrl-C lets an installation clean up behind itself.
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        serve(sys.stdin, sys.stdout)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 141
    return 0


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def serve(source: TextIO, target: TextIO) -> None:
    """Answer each line of a stream."""
    for line in source:
        if line.strip():
            _answer(line, target)


def _answer(line: str, target: TextIO) -> None:
    identity: Any = None

    def tell(message: dict[str, Any]) -> None:
        print(json.dumps({"id": identity, **message}), file=target, flush=True)

    try:
        request = json.loads(line)
        identity = request.get("id")
        method = str(request["method"])
        params = cast("dict[str, Any]", request.get("params") or {})
    except (ValueError, AttributeError, KeyError, RecursionError):
        tell({"error": {"what": "A request that can't be read", "why": "", "how": ""}})
        return
    try:
        tell({"result": _call(method, params, _progress(tell))})
    except ScorerError as error:
        tell({"error": {"what": error.what, "why": error.why, "how": error.how}})
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        traceback.print_exc()
        what = f"A fault of skillgauge itself ({type(error).__name__}: {error})"
        tell({"error": {"what": what, "why": "", "how": "Please report it"}})


def _call(method: str, params: dict[str, Any], progress: Callable[[str, int, int], None]) -> Any:
    if method.startswith("model."):
        from skillgauge_scorer.models import requests

        return requests.answer(method.removeprefix("model."), params, progress)
    raise ScorerError(f"The scorer has no method “{method}”")


def _progress(tell: Tell) -> Callable[[str, int, int], None]:
    """Return a callback that tells of a step's begin, its end, and now and then in between."""
    last: dict[str, float] = {}

    def progress(step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if step in last and done < total and now - last[step] < _PAUSE:
            return
        last[step] = now
        tell({"progress": {"step": step, "done": done, "total": total}})

    return progress


if __name__ == "__main__":
    sys.exit(main())
