"""The editor's features: one file each, which registers itself on the server it is given."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer


def register_all(server: SkillgaugeServer) -> None:
    """Import every module of this folder and let it register its handlers."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}").register(server)
