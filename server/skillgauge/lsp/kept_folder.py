"""A folder on disk that is listed and read once, as long as nothing in it has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from skillgauge.cache import folder_signature
from skillgauge.document.folder import DiskFolder

MAX_KEPT: Final = 4 * 1024 * 1024
"""Characters of a folder's files that are kept; what is beyond is read each time."""


class KeptFolder(DiskFolder):
    """Rules ask for the same scripts and references with every keystroke."""

    def __init__(self, root: Path) -> None:
        """Look at names, sizes and times, but read nothing yet."""
        super().__init__(root)
        self._signature = folder_signature(str(root))
        self._texts: dict[str, str | None] = {}
        self._room = MAX_KEPT

    def is_fresh(self) -> bool:
        """Return whether nothing in the folder has changed since it was made."""
        return folder_signature(str(self.root)) == self._signature

    def read(self, path: str) -> str | None:
        """Return the text of a listed file; None for others, links out and unreadable files."""
        if path in self._texts:
            return self._texts[path]
        text = super().read(path)
        size = len(text or "")
        if size <= self._room:
            self._room -= size
            self._texts[path] = text
        return text
