"""What of the scorer is there and where it runs: what `doctor` and the editor ask for."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any, Final

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import store
from skillgauge_scorer.models.install import need_libraries

_SHOWN: Final = ("onnxruntime-gpu", "onnxruntime", "tokenizers", "numpy", "safetensors")


def state(name: str) -> dict[str, Any]:
    """Return what there is for a model; nothing is raised for what is missing."""
    found: dict[str, Any] = {"model": name, "libraries": _libraries(), "faults": []}
    try:
        need_libraries()
    except ScorerError as error:
        found["faults"].append(_fault("libraries", error))
    try:
        model = store.load(name)
    except ScorerError as error:
        found["faults"].append(_fault("model", error))
        return found
    found["folder"], found["size"] = str(model.folder), model.size
    if found["faults"]:
        return found
    try:
        found |= _device(model)
    except ScorerError as error:
        found["faults"].append(_fault("device", error))
    try:
        from skillgauge_scorer.bundle import load_for

        found["bundle"] = load_for(model).id
    except ScorerError as error:
        found["faults"].append(_fault("bundle", error))
    return found


def _device(model: store.Installed) -> dict[str, Any]:
    """Open the model's graph, for only that tells whether a device works."""
    from skillgauge_scorer.session import start

    _, device = start(model.folder, 1)
    offered = import_module("onnxruntime").get_available_providers()
    return {"device": device.name, "reason": device.reason, "providers": offered}


def _libraries() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _SHOWN:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _fault(of: str, error: ScorerError) -> dict[str, str]:
    return {"of": of, "what": error.what, "why": error.why, "how": error.how}
