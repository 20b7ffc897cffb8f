"""Work over a whole workspace, done once for each workspace object."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TypeVar

from skillgauge.document.workspace import Workspace

T = TypeVar("T")


def once(work: Callable[[Workspace], T]) -> Callable[[Workspace], T]:
    """Keep the result of `work` for as long as the workspace lives.

    Workspaces are told apart by identity: comparing thousands of summaries would cost more than the
    work.
    """
    kept: dict[int, tuple[weakref.ref[Workspace], T]] = {}

    def kept_work(workspace: Workspace) -> T:
        key = id(workspace)
        found = kept.get(key)
        if found is not None and found[0]() is workspace:
            return found[1]
        result = work(workspace)
        kept[key] = (weakref.ref(workspace, lambda _: kept.pop(key, None)), result)
        return result

    return kept_work
