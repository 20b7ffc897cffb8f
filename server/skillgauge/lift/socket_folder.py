"""Where the sockets to the models are: a folder with a short path that nobody else may enter."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

from skillgauge.errors import UserError


class SocketFolder:
    """Holds a folder for each run of a data folder. A socket's path has about 100 bytes at most."""

    def __init__(self, runs: Path) -> None:
        """Take the folder of all runs, which tells those of one data folder from others."""
        user = os.getuid() if hasattr(os, "getuid") else 0
        mark = hashlib.sha256(str(runs.absolute()).encode()).hexdigest()[:8]
        top = Path("/tmp") if os.path.isdir("/tmp") else Path(gettempdir())
        self.path = top / f"skillgauge-{user}-{mark}"

    def prepare(self, is_alive: Callable[[str], bool]) -> None:
        """Make the folder, and remove the sockets of runs that nobody works on.

        UserError if it is there and another's, who could then listen in the models' place.
        """
        self.path.mkdir(mode=0o700, exist_ok=True)
        found = self.path.lstat()
        ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        if not stat.S_ISDIR(found.st_mode) or not ours or found.st_mode & 0o077:
            how = "Remove it, then run this again"
            raise UserError(f"“{self.path}” is not this user's alone", how=how)
        for folder in self.path.glob("*"):
            if not is_alive(folder.name):
                shutil.rmtree(folder, ignore_errors=True)
