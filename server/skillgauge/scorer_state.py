"""Asks the scorer's process what it has and where it runs, for `doctor`; it is never imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from skillgauge.child import Child
from skillgauge.errors import UserError

Standing = Literal["ok", "note"]

_DEVICES: Final = {"cpu": "the CPU", "cuda": "a CUDA device"}
_LABELS: Final = {
    "libraries": "scorer",
    "model": "scorer's model",
    "device": "scorer's device",
    "bundle": "scorer's bundle",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was asked; nothing of the scorer keeps rules from working."""

    state: Standing
    label: str
    value: str
    mend: str = ""


def lines() -> list[Line]:
    """Return what the scorer says of itself."""
    try:
        with Child() as child:
            answer: dict[str, Any] = child.ask("model.state", {}, _quiet)
    except UserError as error:
        return [Line("note", "scorer", _sentence(error.what, error.why), error.how)]
    return list(_lines(answer))


def _quiet(step: str, done: int, total: int) -> None:
    pass


def _lines(answer: dict[str, Any]) -> Iterator[Line]:
    faults = {str(fault["of"]): fault for fault in answer["faults"]}
    libraries = ", ".join(f"{name} {version}" for name, version in answer["libraries"].items())
    values = {"libraries": libraries}
    if "folder" in answer:
        size = f"{answer['size'] / (1 << 20):.0f} MiB"
        values["model"] = f"{answer['model']}, {size}, in {answer['folder']}"
    if "device" in answer:
        why = f" ({answer['reason']})" if answer["reason"] else ""
        values["device"] = f"{_DEVICES.get(answer['device'], answer['device'])}{why}"
    if "bundle" in answer:
        values["bundle"] = f"directions {answer['bundle']}"
    for of, label in _LABELS.items():
        if (fault := faults.get(of)) is not None:
            yield Line("note", label, _sentence(fault["what"], fault["why"]), fault["how"])
        elif of in values:
            yield Line("ok", label, values[of])
    if {"onnxruntime", "onnxruntime-gpu"} <= answer["libraries"].keys():
        mend = f"{sys.executable} -m pip uninstall onnxruntime onnxruntime-gpu, then install one"
        value = "onnxruntime and onnxruntime-gpu are both installed, and one hides the other"
        yield Line("note", "scorer", value, mend)


def _sentence(what: str, why: str) -> str:
    return f"{what}: {why}" if why else what
