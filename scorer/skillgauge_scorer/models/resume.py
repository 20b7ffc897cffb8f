"""Runs pip so that a download which breaks off goes on where it stopped, in the next run too.

What pip receives of one file is kept in a second place of ours. pip is a library to nobody, so all
that is changed is the `request` of the HTTP library that it brings: when it asks for that file, the
rest is asked for, and pip reads what is kept and then the rest. Whatever doesn't fit (another
size, a server without ranges, a pip without that library) ends in an ordinary download, and the
hash of the whole is checked by the caller, not here.

    python -m skillgauge_scorer.models.resume PART SIZE PREFIX pip-arguments…
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import unquote, urlsplit

_PIECE: Final = 1 << 18
_PARTIAL: Final = 206


def main(arguments: list[str]) -> None:
    """Run pip; the exit status is pip's."""
    part, size, prefix, *rest = arguments
    file = _claim(Path(part))
    if file is not None:
        _patch(_Download(file, int(size), prefix))
    sys.argv = ["pip", *rest]
    runpy.run_module("pip", run_name="__main__", alter_sys=True)


def _claim(path: Path) -> IO[bytes] | None:
    """Open the file of what is kept; None if it can't be, or another process writes to it."""
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)), "r+b")
        _lock(file.fileno())
    except OSError:
        return None
    return file


def _lock(number: int) -> None:
    """Lock a file until this process ends; OSError if another one has done so."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _patch(download: _Download) -> None:
    try:
        session: Any = import_module("pip._vendor.requests.sessions").Session
        request = session.request
    except (ImportError, AttributeError):
        return

    def patched(self: Any, method: str, url: str, *args: Any, **named: Any) -> Any:
        def ask(headers: dict[str, str]) -> Any:
            return request(self, method, url, *args, **{**named, "headers": headers})

        headers = dict(named.get("headers") or {})
        if method.upper() != "GET" or not download.is_of(url):
            return request(self, method, url, *args, **named)
        return download.answer(ask, headers)

    session.request = patched


class _Download:
    """The file that is downloaded, and what is kept of it."""

    def __init__(self, file: IO[bytes], size: int, prefix: str) -> None:
        self._file, self._size, self._prefix = file, size, prefix

    def is_of(self, url: str) -> bool:
        parts = urlsplit(url)
        name = unquote(parts.path).rpartition("/")[2].lower().replace("-", "_")
        wanted = self._prefix.lower().replace("-", "_")
        return parts.scheme in ("http", "https") and name.startswith(wanted) and name[-4:] == ".whl"

    def answer(self, ask: Any, headers: dict[str, str]) -> Any:
        """Return a response that pip can't tell from one that has all of the file."""
        kept = self._kept()
        if "Range" in headers:  # newer versions of pip go on by themselves within a run
            return self._theirs(ask(headers), headers["Range"])
        if not 0 < kept < self._size:
            return self._whole(ask(headers))
        response = ask({**headers, "Range": f"bytes={kept}-"})
        if response.status_code == 200:
            return self._whole(response)
        expected = f"bytes {kept}-{self._size - 1}/{self._size}"
        if response.status_code != _PARTIAL or response.headers.get("Content-Range") != expected:
            response.close()
            return self._whole(ask(headers))
        response.status_code, response.reason = 200, "OK"
        response.headers["Content-Length"] = str(self._size)
        response.raw = _Body(response.raw, self._before(kept), self._keep)
        return response

    def _theirs(self, response: Any, wanted: str) -> Any:
        if response.status_code == _PARTIAL and wanted == f"bytes={self._kept()}-":
            response.raw = _Body(response.raw, iter(()), self._keep)
            return response
        return self._whole(response)

    def _whole(self, response: Any) -> Any:
        """Keep a response from its begin, if it is the file at all."""
        length = response.headers.get("Content-Length", str(self._size))
        if response.status_code == 200 and length == str(self._size):
            self._file.truncate(0)
            response.raw = _Body(response.raw, iter(()), self._keep)
        return response

    def _kept(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _before(self, count: int) -> Iterator[bytes]:
        self._file.seek(0)
        while count > 0 and (piece := self._file.read(min(_PIECE, count))):
            count -= len(piece)
            yield piece

    def _keep(self, piece: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        self._file.write(piece[: max(self._size - end, 0)])
        self._file.flush()


class _Body:
    """The body of a response: what was kept, then what comes, which is kept too."""

    def __init__(self, raw: Any, before: Iterator[bytes], keep: Any) -> None:
        self._raw, self._before, self._keep = raw, before, keep

    def stream(self, amount: int = _PIECE, decode_content: bool | None = None) -> Iterator[bytes]:
        """Yield the pieces, as the HTTP library's own bodies do."""
        yield from self._before
        for piece in self._raw.stream(amount, decode_content=decode_content):
            self._keep(piece)
            yield piece

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


if __name__ == "__main__":
    main(sys.argv[1:])
