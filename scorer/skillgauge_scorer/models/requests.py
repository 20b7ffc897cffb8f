"""The requests on models: list, install, export, state, verify, parity, remove."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import MODELS, store, wheel
from skillgauge_scorer.models.install import install, known
from skillgauge_scorer.models.store import Installed, Progress


def answer(action: str, params: dict[str, Any], progress: Progress) -> Any:
    """Do what a request asks for, and return plain values."""
    handler = _ACTIONS.get(action)
    if handler is None:
        raise ScorerError(f"The scorer has no method “model.{action}”")
    return handler(params, progress)


def _list(params: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    present = {model.name: model for model in store.installed()}
    entries: list[dict[str, Any]] = [
        {
            "name": model.name,
            "title": model.title,
            "licence": model.licence,
            "download": model.wheel_size,
            **_place(present.pop(model.name, None)),
        }
        for model in MODELS.values()
    ]
    for model in present.values():
        facts = {key: str(model.manifest.get(key, "")) for key in ("title", "licence")}
        entries.append({"name": model.name, **facts, "download": 0, **_place(model)})
    return entries


def _place(model: Installed | None) -> dict[str, Any]:
    if model is None:
        return {"installed": False, "folder": "", "size": 0}
    return {"installed": True, "folder": str(model.folder), "size": model.size}


def _install(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    given = params.get("from")
    path = Path(str(given)) if given else None
    if path is not None and not path.is_file():
        raise ScorerError(f"“{path}” does not exist")
    model, new = install(
        known(params.get("name")), progress, wheel=path, again=bool(params.get("again"))
    )
    return {"name": model.name, "new": new, **_place(model)}


def _export(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.models.own import export

    given = params.get("name")
    if not given:
        raise ScorerError("What is to be exported: a folder, or a name such as OWNER/NAME?")
    layers = cast("list[int] | None", params.get("layers") or None)
    called = params.get("called")
    model = export(
        str(given),
        progress,
        called=None if called is None else str(called),
        bits=int(params.get("bits") or 4),
        layers=layers,
        again=bool(params.get("again")),
    )
    facts = model.manifest["backbone"]
    return {"name": model.name, "layers": facts["layers"], **_place(model)}


def _state(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.models.state import state

    return state(str(params.get("name") or known(None).name))


def _verify(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    model = store.load(str(params.get("name") or known(None).name))
    store.verify(model, progress)
    return {"name": model.name, "files": len(model.files), **_place(model)}


def _parity(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.export import hf
    from skillgauge_scorer.models.install import need_libraries

    need_libraries()
    hf.need()
    model = store.load(str(params.get("name") or known(None).name))
    folder = Path(str(params.get("texts") or "."))
    if not folder.is_dir():
        raise ScorerError(f"“{folder}” is no folder")
    from skillgauge_scorer.parity import TEXTS, TOKENS, compare

    limit, tokens = int(params.get("limit") or TEXTS), int(params.get("tokens") or TOKENS)
    return compare(model, folder, limit, tokens, progress)


def _remove(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    name = str(params.get("name") or known(None).name)
    removed = store.remove(name)
    if name in MODELS:
        for path in wheel.places(MODELS[name], store.root()):
            removed |= path.exists()
            path.unlink(missing_ok=True)
    return {"name": name, "removed": removed}


_ACTIONS: Final[dict[str, Callable[[dict[str, Any], Progress], Any]]] = {
    "list": _list,
    "install": _install,
    "export": _export,
    "state": _state,
    "verify": _verify,
    "parity": _parity,
    "remove": _remove,
}
