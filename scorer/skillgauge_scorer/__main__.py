"""Answers requests in JSON lines on standard input until it ends, or until nobody asks any more.

A request is `{"id", "method", "params"}`. Answers carry its id: any number of
`{"progress": {"step", "done", "total"}}`, then one `{"result": …}`, or
`{"error": {"what", "why", "how"}}`, or `{"cancelled": true}` for what was cancelled or overtaken by
a newer request on the same document. Standard error is for traces of bugs.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Final, TextIO

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.inbox import URGENT, Inbox, Request, lines_of
from skillgauge_scorer.service import Overtaken, Service

_PAUSE: Final = 0.1
"""Seconds between two tellings of a step's progress."""

Tell = Callable[[dict[str, Any]], None]


def main() -> int:
    """Serve standard input, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=float, help="seconds without a request before it ends")
    options = parser.parse_args()
    # Ending on SIGTERM as on Ctrl-C lets an installation clean up behind itself.
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        serve(lines_of(sys.stdin.fileno()), sys.stdout, options.idle)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 141
    return 0


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def serve(source: Iterable[str], target: TextIO, idle: float | None = None) -> None:
    """Answer each line of a stream."""
    inbox = Inbox(source)
    service = Service(inbox)

    def urgent() -> None:
        while (request := inbox.next(0, URGENT)) is not None:
            _answer(request, inbox, service, target)

    service.between = urgent
    while (request := inbox.next(idle)) is not None:
        _answer(request, inbox, service, target)


def _answer(request: Request, inbox: Inbox, service: Service, target: TextIO) -> None:
    def tell(message: dict[str, Any]) -> None:
        print(json.dumps({"id": request.id, **message}), file=target, flush=True)

    try:
        if not request.method:
            raise ScorerError("A request that can't be read")
        if inbox.overtaken(request):
            raise Overtaken
        tell({"result": service.answer(request, _progress(tell))})
    except Overtaken:
        tell({"cancelled": True})
    except ScorerError as error:
        tell({"error": {"what": error.what, "why": error.why, "how": error.how}})
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        traceback.print_exc()
        what = f"A fault of skillgauge itself ({type(error).__name__}: {error})"
        tell({"error": {"what": what, "why": "", "how": "Please report it"}})
    finally:
        inbox.answered(request)


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
