"""Profiles on disk, by what was scored and by what: a text that comes again is not read again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final, cast

FORMAT: Final = "1"
MAX_FILES: Final = 4_000
"""Files kept; those used longest ago go first."""
EVERY: Final = 200
"""Writes between two looks at how many there are."""
_MAX_BYTES: Final = 1 << 23


class Kept:
    """A folder of profiles. One that can't be read, or written, is as good as none."""

    def __init__(self, folder: Path, *basis: str) -> None:
        """`basis` is everything but the text that a profile depends on."""
        self._folder = folder
        self._basis = "\0".join((FORMAT, *basis)).encode()
        self._writes = 0

    def key(self, *parts: str) -> str:
        """Return the name that a text is kept under."""
        made = hashlib.sha256(self._basis)
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            made.update(len(data).to_bytes(8, "little") + data)
        return made.hexdigest()[:40]

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what was kept."""
        path = self._folder / key
        try:
            with open(path, "rb") as file:
                data = file.read(_MAX_BYTES)
            value: object = json.loads(zlib.decompressobj().decompress(data, _MAX_BYTES))
        except (OSError, ValueError, zlib.error, RecursionError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Keep a value. Failing to is no fault."""
        data = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".new-", dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(name, self._folder / key)
            except OSError:
                os.unlink(name)
                raise
            if self._writes % EVERY == 0:
                self._prune()
        except OSError:
            return
        self._writes += 1

    def _prune(self) -> None:
        def age(path: Path) -> float:
            try:
                return path.stat().st_mtime
            except OSError:  # another process has removed it
                return 0.0

        files = sorted(self._folder.iterdir(), key=age, reverse=True)
        for path in files[MAX_FILES:]:
            path.unlink(missing_ok=True)
