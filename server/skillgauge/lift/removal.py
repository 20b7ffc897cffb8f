"""Removes what an agent had, whatever it made of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder that an agent had, however deep it is and whatever may not be written to.

    Raises OSError for what the user may not remove.
    """
    with contextlib.suppress(OSError, RecursionError):
        shutil.rmtree(folder)
    if not os.path.lexists(folder):
        return
    flat = tempfile.mkdtemp(prefix="removed-", dir=folder.parent)
    os.rename(folder, os.path.join(flat, "0"))
    waiting, number = [os.path.join(flat, "0")], 0
    while waiting:  # each folder is moved to the top before it is opened, so that no name grows
        place = waiting.pop()
        os.chmod(place, 0o700)
        with os.scandir(place) as found:
            entries = list(found)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                number += 1
                waiting.append(os.path.join(flat, str(number)))
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, waiting[-1])
            else:
                os.unlink(entry.path)
        os.rmdir(place)
    os.rmdir(flat)
