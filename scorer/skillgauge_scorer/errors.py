"""What the user can mend: one sentence of what failed, why, and what to do."""

from __future__ import annotations

import errno


class ScorerError(Exception):
    """A fault that the user can mend; everything else is a bug."""

    def __init__(self, what: str, why: str = "", how: str = "") -> None:
        """Say what failed, why (it follows a colon), and how to mend it; no final full stops."""
        self.what, self.why, self.how = what, why, how
        told = f"{what}: {why}" if why else what
        super().__init__(f"{told}. {how}" if how else told)


def of_disk(error: OSError, where: str) -> ScorerError:
    """Return what to say of a file system that refuses."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ScorerError(f"The disk that holds “{where}” is full", how="Make room and try again")
    why = (error.strerror or str(error)).lower()
    how = "Set SKILLGAUGE_MODELS to a folder that can be written"
    return ScorerError(f"“{where}” can't be used", why, how)
