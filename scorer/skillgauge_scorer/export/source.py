"""What a graph is made of: metadata and tensors under the names and in the blocks of GGUF.

A GGUF file is one; a checkpoint in safetensors shows itself as one too, each tensor made when it
is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from skillgauge_scorer.export.gguf_file import Tensor


class Source(Protocol):
    """Metadata and tensors of a decoder."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Return all entries, as GGUF names them."""
        ...

    @property
    def tensors(self) -> Mapping[str, Tensor]:
        """Return all tensors, as GGUF names them."""
        ...

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return an entry; ScorerError if it is missing or of another kind."""
        ...

    def tensor(self, name: str) -> Tensor:
        """Return a tensor that has to be there."""
        ...
