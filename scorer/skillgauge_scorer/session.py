"""Opens a backbone's graph in onnxruntime, on a CUDA device where there is one.

Attention on CUDA works in 16 bits, so there the graph is another one; both share their weights.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

from skillgauge_scorer.errors import ScorerError

CPU: Final = "CPUExecutionProvider"
CUDA: Final = "CUDAExecutionProvider"
GRAPHS: Final = {"cpu": "backbone.onnx", "cuda": "backbone.cuda.onnx"}
VARIABLE: Final = "SKILLGAUGE_DEVICE"
"""Names the device in the environment: “cpu” or “cuda”."""


@dataclass(frozen=True, slots=True)
class Device:
    """Where a backbone runs; `reason` says why not on CUDA."""

    name: Literal["cpu", "cuda"]
    reason: str = ""


def choose(offered: Sequence[str], folder: Path) -> Device:
    """Return the device to try, of what onnxruntime offers."""
    if os.environ.get(VARIABLE, "").lower() == "cpu":
        return Device("cpu", f"{VARIABLE} asks for the CPU")
    if CUDA not in offered:
        how = "with an NVIDIA card, install 'skillgauge[gpu]' in place of 'skillgauge[cpu]'"
        return Device("cpu", f"This onnxruntime has no CUDA: {how}")
    if not (folder / GRAPHS["cuda"]).exists():
        return Device("cpu", "The model was converted for the CPU alone")
    return Device("cuda")


def start(folder: Path, threads: int) -> tuple[Any, Device]:
    """Open the graph in a folder; a CUDA device that fails is a reason to take the CPU."""
    onnxruntime: Any = import_module("onnxruntime")  # it has no types
    device = choose(onnxruntime.get_available_providers(), folder)
    if device.name == "cuda":
        try:
            session = _open(onnxruntime, folder, "cuda", threads)
        except ScorerError as error:
            device = Device("cpu", f"CUDA failed: {error.why}")
        else:
            # Without its libraries or a card, the provider is left out and nothing is raised.
            if CUDA in session.get_providers():
                return session, device
            device = Device("cpu", "onnxruntime can't load CUDA's libraries, or finds no card")
    return _open(onnxruntime, folder, "cpu", threads), device


def _open(onnxruntime: Any, folder: Path, device: str, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the processor from the editor, and from each other.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    # Products in 32 bits stay so: shortened ones move scores.
    cuda = (CUDA, {"use_tf32": "0"})
    providers = [cuda, CPU] if device == "cuda" else [CPU]
    path = folder / GRAPHS[device]
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # the library has an exception for each kind of fault
        what, why = f"onnxruntime can't load “{path}”", str(error).splitlines()
        raise ScorerError(what, why[0] if why else "", "Install the model again") from error
